import { encodeEventTopics, type Hex } from 'viem';
import { ROUTER_V1_ABI, ROUTER_V2_ABI } from '@launch/evm';
import { listedLogs, type BlockSpan, type LogsWanted } from '../agreement/agreed-log-list.js';
import type { Agreement } from '../agreement/agreement.js';
import { commonHead } from '../agreement/common-head.js';
import { scanLogs, type LogScan, type PinnedBlock } from '../agreement/scan-logs.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import type { ChainLog } from '../rpc/rpc-answers.schema.js';

export type { PinnedBlock };

/** `from`: the first block that can hold a relevant stamp; null if no block can. */
export interface StampSearch extends Pick<LogScan<FoundLog>, 'from' | 'checkpoint' | 'head'> {
  readonly router: Hex;
}

export interface StampSearchLimits {
  readonly rangeBlocks: bigint;
  /** The number of log queries in one search, and of stamps after which it pauses at the end of a block. */
  readonly queries: number;
  readonly stamps: number;
}

export const DEFAULT_STAMP_SEARCH: StampSearchLimits = { rangeBlocks: 10_000n, queries: 20, stamps: 256 };

export interface StampSearchResult {
  readonly stamps: readonly { readonly onchainLaunchId: Hex; readonly transactionHash: Hex }[];
  /** The last block searched; the checkpoint itself if the search was empty or made no statement. */
  readonly through: PinnedBlock | null;
  /** The reason why the search stopped without a statement; null while the observers agree. */
  readonly reason: string | null;
}

/** Returns the newest block that both observers report as finalized. No block below it can be replaced. */
export async function finalizedHead(l2: ObserverPair): Promise<Agreement<PinnedBlock>> {
  return commonHead(l2, 'finalized');
}

/** Searches a router's launch stamps from the checkpoint up to a finalized block. */
export async function scanStamps(
  l2: ObserverPair,
  { router, ...search }: StampSearch,
  { rangeBlocks, queries, stamps }: StampSearchLimits = DEFAULT_STAMP_SEARCH,
): Promise<StampSearchResult> {
  const scan = { ...search, what: 'stamps', filter: stampsAt(router), decode: stampsIn };
  const { found, through, reason } = await scanLogs(l2, scan, { rangeBlocks, queries, found: stamps });
  const shown = found.map(({ onchainLaunchId, transactionHash }) => ({ onchainLaunchId, transactionHash }));
  return { stamps: shown, through, reason };
}

/** The launch stamp of either router; both have the launch's id in the next topic. A router emits only its own. */
const LAUNCH_STAMPED: readonly Hex[] = [
  ...encodeEventTopics({ abi: ROUTER_V2_ABI, eventName: 'MultiRoleLaunchStampedV2' }),
  ...encodeEventTopics({ abi: ROUTER_V1_ABI, eventName: 'ServiceLaunchStampedV1' }),
] as readonly Hex[];
const stampsAt = (router: Hex): LogsWanted => ({ addresses: [router], topics: LAUNCH_STAMPED });

export interface FoundLog {
  readonly onchainLaunchId: Hex;
  readonly transactionHash: Hex;
  readonly blockHash: Hex;
}

const stampsIn = (logs: readonly ChainLog[]): FoundLog[] =>
  logs.flatMap(({ topics, transactionHash, blockHash }) =>
    topics[1] === undefined ? [] : [{ onchainLaunchId: topics[1], transactionHash, blockHash }],
  );

/** Reads the stamps of a range of blocks from one observer. @throws ChainError */
export const stampsOf = async (observer: RpcObserver, router: Hex, blocks: BlockSpan): Promise<FoundLog[]> =>
  stampsIn(await listedLogs(observer, stampsAt(router), blocks));
