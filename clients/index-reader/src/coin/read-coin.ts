import type { ObserverPair } from '@launch/chain';
import {
  assessCoin,
  INDEXED_LAUNCHES_PATH,
  indexedLaunchSchema,
  siteLaunchRecord,
  type CoinAssessment,
  type IndexedChain,
  type LaunchRecord,
  type Hex,
  type QuarantineReason,
  type TokenMetadata,
} from '@launch/contracts';
import { canonicalJsonText } from '@launch/contracts/json';
import { readSources } from '../chain/published-sources.js';
import { ReaderError } from '../chain/reader.error.js';
import { verifyFinality, verifyLaunch, type FinalityVerdict, type VerifiedEvent } from '../chain/verify-launch.js';
import { readFinalizedFeed, type FeedReading } from '../feed/read-finalized-feed.js';
import { ServiceRead } from '../feed/service-read.js';

const DEADLINE_MS = 120_000;

export interface ReadCoin {
  readonly origin: string;
  readonly endpoints: Readonly<Record<IndexedChain, ObserverPair>>;
  readonly chainId: IndexedChain;
  readonly token: Hex;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** What both endpoints make of the record that a service shows. */
export type CoinVerification =
  | { readonly kind: 'verified'; readonly metadata: TokenMetadata }
  /** `RECORD_INVALID`: no record at all. `RECORD_DIFFERS`: the chain shows another. `EVENT_ABSENT`: no such event. */
  | {
      readonly kind: 'refused';
      readonly reason: QuarantineReason | 'RECORD_INVALID' | 'RECORD_DIFFERS' | 'EVENT_ABSENT';
      readonly detail: string;
    }
  | { readonly kind: 'indeterminate'; readonly reason: string };

export interface CoinReading {
  /** As the service shows it; null where that is no record. */
  readonly record: LaunchRecord | null;
  readonly verification: CoinVerification;
  readonly finality: FinalityVerdict;
  /** What this reader can say by itself: what it did not read is in no axis. */
  readonly assessment: CoinAssessment;
}

/** Gates of new launches say nothing of a coin that is there; they are not asked. */
const UNASKED = { publicWrites: null, publicAuthorization: null, releaseReady: null, readinessMatches: null };

/**
 * Reads a coin's record from a service and verifies it by two endpoints of its chain: its launch, its block's finality, and
 * the feed of chain 4663. Each of them is told apart; none of them stands for another.
 * @throws {ReaderError} for a discovery that cannot be used. @throws {ExchangeError} where the service has no record.
 */
export async function readCoin(input: ReadCoin): Promise<CoinReading> {
  const { origin, endpoints, chainId, token, deadlineMs = DEADLINE_MS, signal } = input;
  const service = new ServiceRead(origin, deadlineMs, signal);
  const { sources, rollup } = await readSources(service);
  const parsed = indexedLaunchSchema.safeParse(
    (await service.get(`${INDEXED_LAUNCHES_PATH}/${chainId}/${token}`)).json,
  );
  if (!parsed.success) return refusedRecord('the record has another form');
  const record = parsed.data.launch;
  if (record.chainId !== chainId || record.tokenAddress.toLowerCase() !== token)
    return refusedRecord('the record is of another coin');
  const source = sources.find(({ releaseDigest }) => releaseDigest === record.sourceReleaseDigest);
  if (source === undefined) throw new ReaderError('SOURCE_UNKNOWN', 'discovery names no such source');
  const verified = await verifyLaunch(endpoints[chainId], source, record.transactionHash);
  const verification: CoinVerification =
    verified.kind === 'indeterminate' ? verified : compared(record, verified.events);
  const l2 = rollup === null ? {} : { l2: { pair: endpoints[4663], rollup } };
  const block = { number: BigInt(record.blockNumber), hash: record.blockHash };
  const finality = await verifyFinality({ l1: endpoints[1], ...l2 }, chainId, block);
  const feed =
    chainId === 4663
      ? await readFinalizedFeed({ origin, deadlineMs, ...(signal === undefined ? {} : { signal }) })
      : null;
  return { record, verification, finality, assessment: assessed(record, verification, finality, feed) };
}

const refusedRecord = (detail: string): CoinReading => {
  const verification = { kind: 'refused', reason: 'RECORD_INVALID', detail } as const;
  const finality = { kind: 'indeterminate', reason: 'no record' } as const;
  return { record: null, verification, finality, assessment: assessed(null, verification, finality, null) };
};

/** The record against what the chain shows, member by member; times and digests among them. */
function compared(record: LaunchRecord, events: readonly VerifiedEvent[]): CoinVerification {
  const event = events.find(({ logIndex }) => logIndex === record.logIndex);
  if (event === undefined)
    return { kind: 'refused', reason: 'EVENT_ABSENT', detail: 'the transaction has no such launch of the source' };
  const { verdict } = event;
  if (verdict.kind === 'refused') return verdict;
  const shown = siteLaunchRecord(verdict.record);
  for (const name of Object.keys(shown) as (keyof LaunchRecord)[])
    if (canonicalJsonText(shown[name]) !== canonicalJsonText(record[name]))
      return { kind: 'refused', reason: 'RECORD_DIFFERS', detail: name };
  return { kind: 'verified', metadata: verdict.metadata };
}

function assessed(
  record: LaunchRecord | null,
  verification: CoinVerification,
  finality: FinalityVerdict,
  feed: FeedReading | null,
): CoinAssessment {
  const isStamped = verification.kind === 'verified' && record !== null && record.routerAddress !== null;
  const isInFeed =
    feed?.availability === 'AVAILABLE' &&
    feed.records.some(
      ({ market, sourceVerification }) =>
        market.token === record?.tokenAddress.toLowerCase() && sourceVerification.status === 'exact_match',
    );
  return assessCoin({
    // That no router stamps a coin is told by who reads every router; this reader read one launch.
    stamped: isStamped ? true : null,
    feedReady: feed === null ? null : feed.availability === 'AVAILABLE',
    finalized: verification.kind === 'verified' && finality.kind === 'final' ? true : null,
    exactSource: feed === null ? null : isInFeed,
    writes: UNASKED,
  });
}
