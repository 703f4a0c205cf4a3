import type { Hex } from 'viem';
import { agreeOnRange, listedLogs, type LogsWanted } from '../agreement/agreed-log-list.js';
import { agreedHeader } from '../agreement/common-head.js';
import { getHeader } from '../reads/get-header.js';
import { narrower } from '../reads/log-range.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import type { ChainLog } from '../rpc/rpc-answers.schema.js';

/** A block by number and hash. */
export interface PinnedBlock {
  readonly number: bigint;
  readonly hash: Hex;
}

export interface LogScan<T> {
  /** Names the question where it has no answer. */
  readonly what: string;
  readonly filter: LogsWanted;
  /** What of the logs is wanted: what both observers must say alike. */
  readonly decode: (logs: readonly ChainLog[]) => readonly T[];
  /** Block before which nothing matters; null when nothing does. */
  readonly from: bigint | null;
  /** Everything up to here was searched before. */
  readonly checkpoint: PinnedBlock | null;
  /** Finalized, as both observers said before it was asked what matters: what comes later is in later blocks. */
  readonly head: PinnedBlock;
}

export interface LogScanLimits {
  readonly rangeBlocks: bigint;
  /** Log queries in one search, and finds after which it pauses at a block's end. */
  readonly queries: number;
  readonly found: number;
}

export interface LogScanResult<T> {
  readonly found: readonly T[];
  /** The last block searched; the checkpoint itself when there was nothing new or no statement. */
  readonly through: PinnedBlock | null;
  /** Why the search stopped without a statement; null while the observers agree. */
  readonly reason: string | null;
}

/**
 * Searches logs up to a finalized block, going on from the checkpoint. Both observers must list the same: a difference or
 * a silence moves nothing. A checkpoint that is not in the finalized chain is given up: another chain stands behind the
 * endpoints. The search begins where something can first matter.
 */
export async function scanLogs<T>(
  l2: ObserverPair,
  search: LogScan<T>,
  limits: LogScanLimits,
): Promise<LogScanResult<T>> {
  const { what, filter, decode, head, checkpoint } = search;
  const nothing = (reason: string | null): LogScanResult<T> => ({ found: [], through: checkpoint, reason });
  const first = search.from ?? head.number + 1n;
  let next = first;
  if (checkpoint !== null) {
    if (checkpoint.number > head.number) return nothing('finalized block: below the checkpoint');
    if (checkpoint.hash === head.hash) return nothing(null);
    const known = await agreedHeader<RpcObserver>(l2, checkpoint.number, getHeader);
    if (known.kind === 'indeterminate') return nothing(known.reason);
    if (known.value.hash === checkpoint.hash && checkpoint.number >= first) next = checkpoint.number + 1n;
  }
  const found: T[] = [];
  let reason: string | null = null;
  let range = limits.rangeBlocks;
  for (let queries = 0; queries < limits.queries && next <= head.number && found.length < limits.found; queries++) {
    const blocks = { from: next, to: next + range - 1n < head.number ? next + range - 1n : head.number };
    const listed = await agreeOnRange(l2, what, async (observer) => decode(await listedLogs(observer, filter, blocks)));
    const tooMuch = listed.kind === 'agreed' ? listed.value.length > limits.found : listed.isTooMuch;
    if (tooMuch && range > 1n) range = narrower(range, 1n);
    else if (listed.kind === 'agreed') {
      found.push(...listed.value);
      next = blocks.to + 1n;
    } else {
      reason = listed.reason;
      break;
    }
  }
  if (next === first && reason !== null) return nothing(reason);
  return { found, through: await bound(l2, search, next - 1n), reason };
}

/** The last searched block with its hash, agreed after the logs below it. */
async function bound(
  l2: ObserverPair,
  { head, checkpoint }: Pick<LogScan<unknown>, 'head' | 'checkpoint'>,
  last: bigint,
): Promise<PinnedBlock | null> {
  if (last >= head.number) return head;
  const block = await agreedHeader<RpcObserver>(l2, last, getHeader);
  return block.kind === 'agreed' ? { number: block.value.number, hash: block.value.hash } : checkpoint;
}
