import type { ObserverPair } from '@launch/chain';
import { siteLaunchRecord, type IndexedChain, type CoinAssessment, type LaunchRecord } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import { findLaunch } from '../chain/find-launch.js';
import { readSources, type ReadSource } from '../chain/published-sources.js';
import { isRouter } from '../chain/read-launches.js';
import { readStamps, type StampReading } from '../chain/read-stamps.js';
import { readFinalBlock, verifyFinality, type FinalityVerdict } from '../chain/verify-finality.js';
import { readEthereumFeed } from '../feed/read-ethereum-feed.js';
import { readFinalizedFeed } from '../feed/read-finalized-feed.js';
import { ServiceRead } from '../feed/service-read.js';
import { assessed } from './assessed.js';
import { readWrites } from './read-writes.js';
import { verifyRecord, type CoinVerification } from './verify-record.js';

const DEADLINE_MS = 120_000;

export interface ReadCoin {
  readonly origin: string;
  readonly endpoints: { readonly 1: ObserverPair; readonly 4663?: ObserverPair };
  readonly chainId: IndexedChain;
  readonly token: Hex;
  /** Whether to search for the launch from the start of every source instead of asking the service. */
  readonly scans?: boolean;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

export interface CoinReading {
  /** The record of the service, or the one that the scan found; null if that is not a record. */
  readonly record: LaunchRecord | null;
  readonly verification: CoinVerification;
  readonly finality: FinalityVerdict;
  readonly stamps: StampReading;
  /** The reason why the feed of its chain cannot be used; null if it can. */
  readonly feedReason: string | null;
  /** The reader's own assessment, each axis apart. */
  readonly assessment: CoinAssessment;
}

/**
 * Reads a coin and verifies it through two endpoints of its chain: its launch, its block's finality, the routers' stamps, and
 * the feed of its chain. The four are separate; none of them implies another.
 * @throws {ReaderError} for unusable discovery or endpoints. @throws {ExchangeError} if the service has no record.
 */
export async function readCoin(input: ReadCoin): Promise<CoinReading> {
  const { origin, endpoints, chainId, token, scans = false, deadlineMs = DEADLINE_MS, signal } = input;
  const pair = endpoints[chainId];
  if (pair === undefined) throw new TypeError(`no endpoints of chain ${chainId}`);
  const service = new ServiceRead(origin, deadlineMs, signal);
  const { sources, rollup } = await readSources(service);
  const ours = sources.filter(({ source }) => source.chainId === chainId);
  const launchPair = endpoints[4663];
  const l2 = rollup === null || launchPair === undefined ? {} : { l2: { pair: launchPair, rollup } };
  const chains = { l1: endpoints[1], ...l2 };
  const final = await readFinalBlock(chains, chainId);
  const { record, verification } = scans
    ? await scan(pair, ours, token, final)
    : await verifyRecord(service, pair, ours, { chainId, token });
  const finality: FinalityVerdict =
    record === null
      ? { kind: 'indeterminate', reason: 'no record' }
      : await verifyFinality(chains, chainId, { number: BigInt(record.blockNumber), hash: record.blockHash }, final);
  const stamps = await stampsOf(pair, ours, token, final, { record, verification });
  const asked = { origin, deadlineMs, ...(signal === undefined ? {} : { signal }) };
  const feed = chainId === 1 ? await readEthereumFeed(asked) : await readFinalizedFeed(asked);
  const writes = await readWrites(service);
  return {
    record,
    verification,
    finality,
    stamps,
    feedReason: feed.availability === 'AVAILABLE' ? null : feed.reason,
    assessment: assessed({ record, verification, finality, stamps, feed, writes }),
  };
}

interface Verified {
  readonly record: LaunchRecord | null;
  readonly verification: CoinVerification;
}
type Final = Awaited<ReturnType<typeof readFinalBlock>>;

async function scan(pair: ObserverPair, sources: readonly ReadSource[], token: Hex, final: Final): Promise<Verified> {
  const found = await findLaunch(pair, sources, token, final);
  if (found.kind === 'indeterminate') return { record: null, verification: found };
  if (found.kind === 'absent') return { record: null, verification: { kind: 'absent' } };
  const { record, metadata } = found.launch;
  return { record: siteLaunchRecord(record), verification: { kind: 'verified', metadata } };
}

/**
 * Reads whether a router stamped the token. A verified stamp proves it; its absence is shown by every router at a final block.
 */
async function stampsOf(
  pair: ObserverPair,
  sources: readonly ReadSource[],
  token: Hex,
  final: Final,
  { record, verification }: Verified,
): Promise<StampReading> {
  if (verification.kind === 'verified' && record !== null && record.routerAddress !== null)
    return { stamped: true, reason: null };
  if (final.kind !== 'final') return { stamped: null, reason: 'no block is final' };
  const routers = sources.filter(isRouter).map(({ source }) => source);
  return readStamps(pair, routers, token, final.block);
}
