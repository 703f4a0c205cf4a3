import { describe, expect, it } from '@jest/globals';
import { DERIVED_CONTRACT_FINALITY_V3, finalityGeneration } from './finality-generation.js';

const context = (profile: unknown): unknown => ({ chainId: '4663', profile });
const marked = (marker: unknown): unknown => context({ derivedContractFinality: marker });

describe('The finality generation of a context', () => {
  it('is V2 without a marker and V3 with the policy', () => {
    expect(finalityGeneration(context({}))).toBe('v2');
    expect(finalityGeneration(marked(DERIVED_CONTRACT_FINALITY_V3))).toBe('v3');
    expect(finalityGeneration(JSON.parse(JSON.stringify(marked(DERIVED_CONTRACT_FINALITY_V3))))).toBe('v3');
  });

  it.each([
    '',
    'v3',
    'v2',
    ` ${DERIVED_CONTRACT_FINALITY_V3}`,
    `${DERIVED_CONTRACT_FINALITY_V3}\n`,
    DERIVED_CONTRACT_FINALITY_V3.toUpperCase(),
    'service.derived-contract-finality.v2',
    'service.derived-contract-finality.v33',
  ])('is unknown for %j', (marker) => expect(finalityGeneration(marked(marker))).toEqual({ invalid: 'unknown' }));

  it.each([null, undefined, 3, true, {}, [], [DERIVED_CONTRACT_FINALITY_V3], { id: DERIVED_CONTRACT_FINALITY_V3 }])(
    'is malformed for %j',
    (marker) => expect(finalityGeneration(marked(marker))).toEqual({ invalid: 'malformed' }),
  );

  it.each([
    undefined,
    null,
    'context',
    4663,
    [],
    {},
    context(null),
    context('profile'),
    context([]),
    context(undefined),
  ])('is never V2 when the profile is missing: %j', (value) =>
    expect(finalityGeneration(value)).toEqual({ invalid: 'malformed' }),
  );

  it('depends on own members only', () => {
    const inherited = Object.create({ derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 }) as object;
    expect(finalityGeneration(context(inherited))).toBe('v2');
    expect(finalityGeneration(Object.create({ profile: {} }))).toEqual({ invalid: 'malformed' });
  });
});
