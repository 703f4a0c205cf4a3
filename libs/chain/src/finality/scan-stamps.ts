import { encodeEventTopics, type Hex } from 'viem';
import { ROUTER_V1_ABI, ROUTER_V2_ABI } from '@launch/evm';
import { agree, type Agreement } from '../agreement/agreement.js';
import { agreedHeader, commonHead } from '../agreement/common-head.js';
import { getHeader } from '../reads/get-header.js';
import { getLogs } from '../reads/get-logs.js';
import { ASKED_FOR_TOO_MUCH, narrower, SMALLEST_RANGE } from '../reads/log-range.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';

/** A block by number and hash. */
export interface PinnedBlock {
  readonly number: bigint;
  readonly hash: Hex;
}

export interface StampSearch {
  readonly router: Hex;
  /** Block before which no stamp matters; null when none does. */
  readonly from: bigint | null;
  /** Everything up to here was searched before. */
  readonly checkpoint: PinnedBlock | null;
  /** Finalized, as both observers said before it was asked what matters: later launches are in later blocks. */
  readonly head: PinnedBlock;
}

export interface StampSearchLimits {
  readonly rangeBlocks: bigint;
  /** Log queries in one search, and stamps after which it pauses at a block's end. */
  readonly queries: number;
  readonly stamps: number;
}

export const DEFAULT_STAMP_SEARCH: StampSearchLimits = { rangeBlocks: 10_000n, queries: 20, stamps: 256 };

export interface StampSearchResult {
  readonly stamps: readonly { readonly onchainLaunchId: Hex; readonly transactionHash: Hex }[];
  /** The last block searched; the checkpoint itself when there was nothing new or no statement. */
  readonly through: PinnedBlock | null;
  /** Why the search stopped without a statement; null while the observers agree. */
  readonly reason: string | null;
}

/** The newest block both observers call finalized. No block below it can be replaced any more. */
export async function finalizedHead(l2: ObserverPair): Promise<Agreement<PinnedBlock>> {
  return commonHead(l2, 'finalized');
}

/**
 * Searches a router's launch stamps up to a finalized block, going on from the checkpoint. Both observers must list the
 * same stamps: a difference or a silence moves nothing. A checkpoint that is not in the finalized chain is given up:
 * another chain stands behind the endpoints. The search begins where a stamp can first matter.
 */
export async function scanStamps(
  l2: ObserverPair,
  search: StampSearch,
  limits: StampSearchLimits = DEFAULT_STAMP_SEARCH,
): Promise<StampSearchResult> {
  const { head, checkpoint, router } = search;
  const nothing = (reason: string | null): StampSearchResult => ({ stamps: [], through: checkpoint, reason });
  const first = search.from ?? head.number + 1n;
  let next = first;
  if (checkpoint !== null) {
    if (checkpoint.number > head.number) return nothing('finalized block: below the checkpoint');
    if (checkpoint.hash === head.hash) return nothing(null);
    const known = await agreedHeader<RpcObserver>(l2, checkpoint.number, getHeader);
    if (known.kind === 'indeterminate') return nothing(known.reason);
    if (known.value.hash === checkpoint.hash && checkpoint.number >= first) next = checkpoint.number + 1n;
  }
  const stamps: FoundLog[] = [];
  let reason: string | null = null;
  let range = limits.rangeBlocks;
  for (let queries = 0; queries < limits.queries && next <= head.number && stamps.length < limits.stamps; queries++) {
    const to = next + range - 1n < head.number ? next + range - 1n : head.number;
    const found = await agree<RpcObserver, FoundLog[]>(l2, 'stamps', (observer) =>
      stampsOf(observer, router, next, to),
    );
    const tooMuch = found.kind === 'agreed' ? found.value.length > limits.stamps : TOO_MUCH.test(found.reason);
    if (tooMuch && range > SMALLEST_RANGE) range = narrower(range);
    else if (found.kind === 'agreed') {
      stamps.push(...found.value);
      next = to + 1n;
    } else {
      reason = found.reason;
      break;
    }
  }
  if (next === first && reason !== null) return nothing(reason);
  return { ...(await bound(l2, search, next - 1n, stamps)), reason };
}

/** By how an indeterminate answer ends. */
const TOO_MUCH = new RegExp(`(?:${ASKED_FOR_TOO_MUCH.join('|')})$`);

/** The launch stamp of either router; both name the launch's id next. A router emits its own alone. */
const LAUNCH_STAMPED: readonly Hex[] = [
  ...encodeEventTopics({ abi: ROUTER_V2_ABI, eventName: 'MultiRoleLaunchStampedV2' }),
  ...encodeEventTopics({ abi: ROUTER_V1_ABI, eventName: 'ServiceLaunchStampedV1' }),
] as readonly Hex[];

export interface FoundLog {
  readonly onchainLaunchId: Hex;
  readonly transactionHash: Hex;
  readonly blockHash: Hex;
}

export async function stampsOf(observer: RpcObserver, router: Hex, from: bigint, to: bigint): Promise<FoundLog[]> {
  const logs = await getLogs(observer, { address: router, topics: [LAUNCH_STAMPED], blocks: { from, to } });
  return logs.flatMap(({ topics, transactionHash, blockHash, blockNumber }) =>
    topics[1] === undefined || blockNumber < from || blockNumber > to
      ? []
      : [{ onchainLaunchId: topics[1], transactionHash, blockHash }],
  );
}

/** The checkpoint's hash, agreed after the logs below it. */
async function bound(
  l2: ObserverPair,
  { head, checkpoint }: StampSearch,
  last: bigint,
  found: readonly FoundLog[],
): Promise<Omit<StampSearchResult, 'reason'>> {
  const stamps = found.map(({ onchainLaunchId, transactionHash }) => ({ onchainLaunchId, transactionHash }));
  if (last >= head.number) return { stamps, through: head };
  const block = await agreedHeader<RpcObserver>(l2, last, getHeader);
  return {
    stamps,
    through: block.kind === 'agreed' ? { number: block.value.number, hash: block.value.hash } : checkpoint,
  };
}
