import { parseAbi, type Hex } from 'viem';
import { unusableUsdReference, usdReferenceOf } from '@launch/evm';
import type { UnusableUsdReference, UsdFeedName, UsdFeedReading, UsdFeedTerms, UsdReferenceTerms } from '@launch/evm';
import { agree, type Agreement } from '../agreement/agreement.js';
import { commonHead } from '../agreement/common-head.js';
import { readContract } from '../reads/read-contract.js';
import type { ObserverPair } from '../rpc/observer.js';

/** The part of Chainlink's AggregatorV3Interface that returns a price. */
const AGGREGATOR_V3_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** A feed that a context pins. */
export interface PinnedUsdFeed extends UsdFeedTerms {
  readonly address: string;
}

export type PinnedUsdFeeds = Readonly<Record<UsdFeedName, PinnedUsdFeed>> & Pick<UsdReferenceTerms, 'maxDeviationBps'>;

/** The agreed answer of a chain's observers about its feed, at one block that both have. */
export interface ObservedUsdFeed extends UsdFeedReading {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
}

export type ObservedUsdReference =
  | {
      readonly kind: 'usable';
      /** Wei; see `usdReferenceOf`, which computes it from the members below. */
      readonly oneUsdReferenceWei: bigint;
      readonly deviationBps: number;
      /** Unix seconds, before the first request. */
      readonly readAt: bigint;
      readonly readings: Readonly<Record<UsdFeedName, ObservedUsdFeed>>;
    }
  /** `reason` is for operators: it names observers that disagree. */
  | (UnusableUsdReference & { readonly reason: string });

/**
 * Reads both feeds now, each by both observers of its own chain at their newest common block, and computes one US
 * dollar from them. Two sources on two chains; an uncertain source makes no statement.
 */
export async function readUsdReference(
  observers: { readonly l2: ObserverPair; readonly l1: ObserverPair },
  feeds: PinnedUsdFeeds,
  now: () => number = Date.now,
): Promise<ObservedUsdReference> {
  const readAt = BigInt(Math.floor(now() / 1000));
  const [l2Feed, l1Feed] = await Promise.all([
    readFeed(observers.l2, feeds.l2Feed.address),
    readFeed(observers.l1, feeds.l1Feed.address),
  ]);
  if (l2Feed.kind === 'indeterminate') return unread('l2Feed', l2Feed.reason);
  if (l1Feed.kind === 'indeterminate') return unread('l1Feed', l1Feed.reason);
  const readings = { l2Feed: l2Feed.value, l1Feed: l1Feed.value };
  const reference = usdReferenceOf(feeds, readings, readAt);
  if (reference.kind === 'usable') return { ...reference, readAt, readings };
  return { ...reference, reason: reference.problem };
}

const unread = (feed: UsdFeedName, reason: string): ObservedUsdReference => ({
  ...unusableUsdReference('OBSERVERS_INDETERMINATE', feed),
  reason,
});

async function readFeed(pair: ObserverPair, address: string): Promise<Agreement<ObservedUsdFeed>> {
  const head = await commonHead(pair);
  if (head.kind === 'indeterminate') return head;
  const { number: blockNumber, hash: blockHash, timestamp: blockTime } = head.value;
  const contract = { address, abi: AGGREGATOR_V3_ABI };
  return agree(pair, `price feed ${address}`, async (observer) => {
    const [decimals, [roundId, answer, , updatedAt, answeredInRound]] = await Promise.all([
      readContract(observer, contract, 'decimals', [], { hash: blockHash }),
      readContract(observer, contract, 'latestRoundData', [], { hash: blockHash }),
    ]);
    return { blockNumber, blockHash, blockTime, decimals, roundId, answer, updatedAt, answeredInRound };
  });
}
