import { ceilDiv } from '../amm/liquidity.js';

/** A context's terms for one price feed: decimals of its answers, and the heartbeat in seconds. */
export interface UsdFeedTerms {
  readonly decimals: number;
  readonly heartbeatSeconds: number;
}

/** The answer of one AggregatorV3 feed at one block. Times are Unix seconds. */
export interface UsdFeedReading {
  readonly blockTime: bigint;
  readonly decimals: number;
  readonly roundId: bigint;
  /** US dollars for one unit of the native currency, times 10^decimals. */
  readonly answer: bigint;
  readonly updatedAt: bigint;
  readonly answeredInRound: bigint;
}

/** The two sources: one on the launch's own chain, one on Ethereum. */
export type UsdFeedName = 'l2Feed' | 'l1Feed';

export interface UsdReferenceTerms extends Readonly<Record<UsdFeedName, UsdFeedTerms>> {
  /** The largest difference between both prices, in hundredths of a percent of the lower one. */
  readonly maxDeviationBps: number;
}

export type UsdReadings = Readonly<Record<UsdFeedName, UsdFeedReading>>;

export type UsdFeedProblem = 'DECIMALS_DIFFER' | 'ROUND_INCOMPLETE' | 'NOT_POSITIVE' | 'FROM_THE_FUTURE' | 'TOO_OLD';

export type UsdReference =
  | {
      readonly kind: 'usable';
      /** The least amount of the native currency that is worth one US dollar at the lower price, in wei, rounded up. */
      readonly oneUsdReferenceWei: bigint;
      /** The difference between both prices in hundredths of a percent of the lower one, rounded up. */
      readonly deviationBps: number;
    }
  | UnusableUsdReference;

/** No usable price: the caller reads it again and never guesses it. */
export interface UnusableUsdReference {
  readonly kind: 'unusable';
  readonly code: typeof USD_QUOTE_RETRY_REQUIRED;
  readonly feed: UsdFeedName | null;
  readonly problem: UsdFeedProblem | 'FEEDS_APART' | 'OBSERVERS_INDETERMINATE';
}

export const USD_QUOTE_RETRY_REQUIRED = 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED';

/** Time by which an update may exceed the feed's heartbeat, because its transaction must wait for a block. */
export const USD_FEED_GRACE_SECONDS = 300;

/** Maximum age of a reading that decides a permit. */
export const USD_READING_MAX_AGE_SECONDS = 90;

const WEI_PER_NATIVE = 10n ** 18n;
const BPS = 10_000n;

export const unusableUsdReference = (
  problem: UnusableUsdReference['problem'],
  feed: UsdFeedName | null,
): UnusableUsdReference => ({ kind: 'unusable', code: USD_QUOTE_RETRY_REQUIRED, feed, problem });

/**
 * Returns one US dollar in wei, by the lower of two usable prices that are close to each other. A price is usable if it
 * is positive, of a complete round, not later than its block, and not older than its heartbeat plus five minutes
 * (docs/reference/economics.md#one-usd-reference). Admission, custody and gateway compute the same from the same
 * readings.
 * @param readAt Unix seconds of the reading by the reader's clock; an age counts up to the later of this time and the
 * time of the feed's block.
 */
export function usdReferenceOf(terms: UsdReferenceTerms, readings: UsdReadings, readAt: bigint): UsdReference {
  for (const feed of ['l2Feed', 'l1Feed'] as const) {
    const problem = problemOf(terms[feed], readings[feed], readAt);
    if (problem !== null) return unusableUsdReference(problem, feed);
  }
  const { l2Feed, l1Feed } = readings;
  // A common denominator makes feeds of different decimals comparable.
  const [l2Price, l1Price] = [l2Feed.answer * scaleOf(l1Feed), l1Feed.answer * scaleOf(l2Feed)];
  const [lower, higher] = l2Price <= l1Price ? [l2Price, l1Price] : [l1Price, l2Price];
  const deviationBps = ceilDiv((higher - lower) * BPS, lower);
  if (deviationBps > BigInt(terms.maxDeviationBps)) return unusableUsdReference('FEEDS_APART', null);
  const cheaper = l2Price <= l1Price ? l2Feed : l1Feed;
  return {
    kind: 'usable',
    oneUsdReferenceWei: ceilDiv(WEI_PER_NATIVE * scaleOf(cheaper), cheaper.answer),
    deviationBps: Number(deviationBps),
  };
}

/** Returns the age of a price in seconds at a reading: up to the later of the reader's time and the time of the feed's block. */
export const usdFeedAge = (
  { blockTime, updatedAt }: Pick<UsdFeedReading, 'blockTime' | 'updatedAt'>,
  readAt: bigint,
): bigint => (readAt > blockTime ? readAt : blockTime) - updatedAt;

/** Returns the greatest age in seconds of a usable price of a feed. */
export const usdFeedMaxAge = ({ heartbeatSeconds }: Pick<UsdFeedTerms, 'heartbeatSeconds'>): number =>
  heartbeatSeconds + USD_FEED_GRACE_SECONDS;

function problemOf(terms: UsdFeedTerms, reading: UsdFeedReading, readAt: bigint): UsdFeedProblem | null {
  const { blockTime, updatedAt, answer } = reading;
  if (reading.decimals !== terms.decimals) return 'DECIMALS_DIFFER';
  if (updatedAt === 0n || reading.answeredInRound < reading.roundId) return 'ROUND_INCOMPLETE';
  if (answer <= 0n) return 'NOT_POSITIVE';
  if (updatedAt > blockTime) return 'FROM_THE_FUTURE';
  return usdFeedAge(reading, readAt) > BigInt(usdFeedMaxAge(terms)) ? 'TOO_OLD' : null;
}

const scaleOf = ({ decimals }: UsdFeedReading): bigint => 10n ** BigInt(decimals);
