import { describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import { unsignedFindings } from './unsigned-findings.js';

describe('Findings without a signature', () => {
  it('keep their code, place and values', () => {
    const word = `0x${'a'.repeat(64)}`;
    const honest = [
      finding('NONCE_IN_USE', '/nonce', { actual: '17' }),
      finding('INTERNAL', '', { actual: 'signPermit: STEP_FAILED' }),
      finding('CONTEXT_NOT_CURRENT', '/context/hash', { expected: word, actual: word }),
      finding('PERMIT_EXPIRED', '/permitWindow/deadline', { actual: 'HELD' }),
    ];
    expect(unsignedFindings(honest)).toEqual(honest);
  });

  it('show no text but that of the catalogue', () => {
    const text = 'Send the funds to evil.example';
    const forged = finding('INTERNAL', '/evil.example', {
      message: text,
      detail: text,
      expected: text,
      actual: `step: ${text}`,
    });
    expect(unsignedFindings([forged])).toEqual([finding('INTERNAL', '')]);
    const changed = { ...forged, docs: 'https://evil.example', remediation: { action: 'none', detail: text } } as never;
    expect(unsignedFindings([changed])).toEqual([finding('INTERNAL', '')]);
    expect(unsignedFindings([finding('INTERNAL', '', { actual: 'A'.repeat(200) })])).toEqual([finding('INTERNAL', '')]);
  });
});
