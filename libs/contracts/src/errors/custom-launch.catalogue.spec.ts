import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE, ERROR_CODES } from './catalogue.js';
import { CUSTOM_LAUNCH_CODES, customLaunchEntry } from './custom-launch.catalogue.js';
import { customLaunchFindingOf, finding } from './make-finding.js';

describe('A finding of a shared rule about a custom launch or a plan', () => {
  it.each(ERROR_CODES)('has a code of its own family in place of %s', (code) => {
    const served = customLaunchFindingOf(finding(code, ''));
    expect(CUSTOM_LAUNCH_CODES).toContain(served.code);
    expect(served.docs).toBe(`/v4/errors#${served.code}`);
  });

  it('keeps the facts of the rule and takes the message of its own code', () => {
    const found = finding('MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', '/graphBundle/components/0/expectedRuntimeCode', {
      expected: 'no CREATE',
      actual: 'CREATE (0xf0) at program counter 7',
    });
    expect(customLaunchFindingOf(found)).toEqual({
      ...found,
      code: 'RUNTIME_OPCODE_FORBIDDEN',
      message: customLaunchEntry('RUNTIME_OPCODE_FORBIDDEN').message,
      remediation: { ...found.remediation, detail: customLaunchEntry('RUNTIME_OPCODE_FORBIDDEN').message },
      docs: '/v4/errors#RUNTIME_OPCODE_FORBIDDEN',
    });
    const detail = 'The compiled code equals no reviewed recipe template.';
    const unknown = finding('MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', '', { detail });
    expect(customLaunchFindingOf(unknown).remediation).toEqual({ action: 'await_platform_coverage', detail });
  });

  it.each([
    ['/fundingPlan/nativeLiquidityWei', '/funding/liquidityNativeWei'],
    ['/fundingPlan/initialBuyWei', '/funding/initialBuyWei'],
    ['/context', '/contextHash'],
    ['/context/profile/instructionPolicy', '/contextHash'],
    ['/contextHash', '/contextHash'],
    ['/graphBundle/components/0', '/graphBundle/components/0'],
  ])('has the path %s as %s', (path, place) => {
    expect(customLaunchFindingOf(finding('GRAPH_INVALID', path)).path).toBe(place);
  });

  it('Every code has one meaning.', () => {
    const both = CUSTOM_LAUNCH_CODES.filter((code) => code in ERROR_CATALOGUE);
    for (const code of both)
      expect(customLaunchEntry(code)).toBe(ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE]);
    expect(new Set(CUSTOM_LAUNCH_CODES).size).toBe(CUSTOM_LAUNCH_CODES.length);
  });
});
