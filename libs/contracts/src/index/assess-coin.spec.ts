import { describe, expect, it } from '@jest/globals';
import { assessCoin, type CoinFacts, type Known, type WriteFacts } from './assess-coin.js';
import { coinAxesSchema } from './coin-axes.schema.js';
import { CUSTOM_LABEL } from './reads/read-parts.schema.js';

const OPEN: WriteFacts = { publicWrites: true, publicAuthorization: true, releaseReady: true, readinessMatches: true };
const HOLDS: CoinFacts = { stamped: true, feedReady: true, finalized: true, exactSource: true, writes: OPEN };
const AXES = {
  provenance: 'STAMPED',
  feedAvailability: 'AVAILABLE',
  finality: 'FINALIZED',
  sourceVerification: 'EXACT_MATCH',
  writeActivation: 'ACTIVE',
  feeBehaviour: 'UNVERIFIED',
  security: 'UNVERIFIED',
  marketSupport: 'UNVERIFIED',
  thirdPartyIndexing: 'UNVERIFIED',
};
const KNOWN: readonly Known[] = [true, false, null];

describe('The axes of a coin', () => {
  it('follow their facts, and the four without a source are always unknown', () => {
    expect(assessCoin(HOLDS)).toEqual({ axes: AXES, label: CUSTOM_LABEL });
  });

  it.each([
    ['stamped', false, { provenance: 'NOT_STAMPED' }],
    ['stamped', null, { provenance: 'INDETERMINATE' }],
    ['feedReady', false, { feedAvailability: 'UNAVAILABLE' }],
    ['feedReady', null, { feedAvailability: 'UNAVAILABLE' }],
    ['finalized', false, { finality: 'INDETERMINATE' }],
    ['finalized', null, { finality: 'INDETERMINATE' }],
    ['exactSource', false, { sourceVerification: 'UNVERIFIED' }],
    ['exactSource', null, { sourceVerification: 'UNVERIFIED' }],
  ] as const)('change one at a time and remove the label when %s is %s', (fact, known, moved) => {
    expect(assessCoin({ ...HOLDS, [fact]: known })).toEqual({ axes: { ...AXES, ...moved }, label: null });
  });

  it.each([
    ['publicWrites', false, 'INACTIVE'],
    ['publicAuthorization', false, 'INACTIVE'],
    ['releaseReady', false, 'INACTIVE'],
    ['publicWrites', null, 'UNAVAILABLE'],
    ['publicAuthorization', null, 'UNAVAILABLE'],
    ['releaseReady', null, 'UNAVAILABLE'],
    ['readinessMatches', false, 'UNAVAILABLE'],
    ['readinessMatches', null, 'UNAVAILABLE'],
  ] as const)(
    'change one at a time and keep the label when %s of new launches is %s',
    (fact, known, writeActivation) => {
      const writes = { ...OPEN, [fact]: known };
      expect(assessCoin({ ...HOLDS, writes })).toEqual({ axes: { ...AXES, writeActivation }, label: CUSTOM_LABEL });
    },
  );

  it('put a contradiction about new launches before a refusal, and a refusal before a gap', () => {
    const of = (writes: Partial<WriteFacts>) =>
      assessCoin({ ...HOLDS, writes: { ...OPEN, ...writes } }).axes.writeActivation;
    expect(of({ publicWrites: false, readinessMatches: false })).toBe('UNAVAILABLE');
    expect(of({ publicWrites: false, releaseReady: null, readinessMatches: null })).toBe('INACTIVE');
  });

  it('give the label in exactly one of all combinations of their facts', () => {
    const labelled: CoinFacts[] = [];
    for (const stamped of KNOWN)
      for (const feedReady of KNOWN)
        for (const finalized of KNOWN)
          for (const exactSource of KNOWN) {
            const facts: CoinFacts = { stamped, feedReady, finalized, exactSource, writes: OPEN };
            const { axes, label } = assessCoin(facts);
            expect(coinAxesSchema.parse(axes)).toEqual(axes);
            if (label !== null) labelled.push(facts);
          }
    expect(labelled).toEqual([HOLDS]);
  });
});
