import { describe, expect, it } from '@jest/globals';
import { USD_QUOTE_RETRY_REQUIRED, usdReferenceOf } from './usd-reference.js';
import type { UsdFeedReading, UsdReadings, UsdReferenceTerms } from './usd-reference.js';

const NOW = 1_800_000_000n;
const HEARTBEAT = 3_600n;
const OLDEST = HEARTBEAT + 300n;
const TERMS: UsdReferenceTerms = {
  l2Feed: { decimals: 8, heartbeatSeconds: Number(HEARTBEAT) },
  l1Feed: { decimals: 8, heartbeatSeconds: Number(HEARTBEAT) },
  maxDeviationBps: 100,
};
const USD = 10n ** 8n;
const reading = (differs: Partial<UsdFeedReading> = {}): UsdFeedReading => ({
  blockTime: NOW,
  decimals: 8,
  roundId: 7n,
  answer: 2_500n * USD,
  updatedAt: NOW,
  answeredInRound: 7n,
  ...differs,
});
const readings = (l2: Partial<UsdFeedReading> = {}, l1: Partial<UsdFeedReading> = {}): UsdReadings => ({
  l2Feed: reading(l2),
  l1Feed: reading(l1),
});

describe('the USD reference', () => {
  it.each<[string, UsdReadings, bigint]>([
    ['one price of both', readings(), 400_000_000_000_000n],
    ['the lower price, of the own chain', readings({ answer: 2_480n * USD }), 403_225_806_451_613n],
    ['the lower price, of Ethereum', readings({}, { answer: 2_480n * USD }), 403_225_806_451_613n],
    ['a price that does not divide, rounded up', readings({ answer: 3n }, { answer: 3n }), 10n ** 26n / 3n + 1n],
    ['the smallest price', readings({ answer: 1n }, { answer: 1n }), 10n ** 26n],
    ['a price above the worth of one wei', readings({ answer: 10n ** 27n }, { answer: 10n ** 27n }), 1n],
    ['prices as far apart as allowed', readings({ answer: 10_000n }, { answer: 10_100n }), 10n ** 22n],
    ['the oldest price', readings({ updatedAt: NOW - OLDEST }, { updatedAt: NOW - OLDEST }), 400_000_000_000_000n],
    ['an answer of a later round', readings({ answeredInRound: 8n }), 400_000_000_000_000n],
  ])('is computed from %s', (_what, given, oneUsdReferenceWei) => {
    expect(usdReferenceOf(TERMS, given, NOW)).toMatchObject({ kind: 'usable', oneUsdReferenceWei });
  });

  it('compares the prices of feeds with different decimals', () => {
    const terms = { ...TERMS, l1Feed: { ...TERMS.l1Feed, decimals: 18 } };
    const wei = 10n ** 18n;
    const of = (l1: bigint) => usdReferenceOf(terms, readings({}, { decimals: 18, answer: l1 }), NOW);
    expect(of(2_500n * wei)).toMatchObject({ oneUsdReferenceWei: 400_000_000_000_000n });
    expect(of(2_480n * wei)).toMatchObject({ oneUsdReferenceWei: 403_225_806_451_613n });
    expect(of(2_525n * wei)).toMatchObject({ kind: 'usable' });
    expect(of(2_525n * wei + 1n)).toMatchObject({ problem: 'FEEDS_APART' });
  });

  const bad: readonly [Partial<UsdFeedReading>, string][] = [
    [{ answer: 0n }, 'NOT_POSITIVE'],
    [{ answer: -1n }, 'NOT_POSITIVE'],
    [{ updatedAt: 0n }, 'ROUND_INCOMPLETE'],
    [{ answeredInRound: 6n }, 'ROUND_INCOMPLETE'],
    [{ updatedAt: NOW + 1n }, 'FROM_THE_FUTURE'],
    [{ updatedAt: NOW - OLDEST - 1n }, 'TOO_OLD'],
    // The provider is stuck: its feed is fresh at its own block, but the current price is unknown.
    [{ blockTime: NOW - OLDEST - 1n, updatedAt: NOW - OLDEST - 1n }, 'TOO_OLD'],
    [{ decimals: 18 }, 'DECIMALS_DIFFER'],
  ];
  it.each(bad.flatMap((each) => (['l2Feed', 'l1Feed'] as const).map((feed) => [feed, ...each] as const)))(
    'is read again when %s has %j, with the reason %s',
    (feed, differs, problem) => {
      const given = { ...readings(), [feed]: reading(differs) };
      expect(usdReferenceOf(TERMS, given, NOW)).toEqual({
        kind: 'unusable',
        code: USD_QUOTE_RETRY_REQUIRED,
        feed,
        problem,
      });
    },
  );

  it.each([
    [10_000n, 10_101n],
    [10_101n, 10_000n],
    [1n, 2n],
  ])('is read again when the feeds report %d and %d', (l2, l1) => {
    expect(usdReferenceOf(TERMS, readings({ answer: l2 }, { answer: l1 }), NOW)).toMatchObject({
      kind: 'unusable',
      feed: null,
      problem: 'FEEDS_APART',
    });
  });

  it.each([
    [10_000n, 10_000n, 0],
    [10_000n, 10_100n, 100],
    [10_100n, 10_000n, 100],
    [1_000_000n, 1_000_001n, 1],
  ])('states how far %d and %d are apart, rounded up', (l2, l1, deviationBps) => {
    expect(usdReferenceOf(TERMS, readings({ answer: l2 }, { answer: l1 }), NOW)).toMatchObject({ deviationBps });
  });

  it('measures age against the block if the reader’s clock is behind it', () => {
    const given = readings({ updatedAt: NOW - OLDEST - 1n });
    expect(usdReferenceOf(TERMS, given, NOW - 3_600n)).toMatchObject({ feed: 'l2Feed', problem: 'TOO_OLD' });
  });
});
