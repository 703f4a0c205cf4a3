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
  /** Names the question in the reason. */
  readonly what: string;
  readonly filter: LogsWanted;
  /** Decodes the wanted part of the logs, on which both observers must agree. */
  readonly decode: (logs: readonly ChainLog[]) => readonly T[];
  /** The first block that can hold a wanted log; null if no block can. */
  readonly from: bigint | null;
  /** The last block of the previous search. */
  readonly checkpoint: PinnedBlock | null;
  /**
   * A finalized block on which both observers agreed before the search was planned, so that later facts are in later
   * blocks.
   */
  readonly head: PinnedBlock;
}

export interface LogScanLimits {
  readonly rangeBlocks: bigint;
  /** The number of log queries in one search, and the number of finds after which it pauses at the end of a block. */
  readonly queries: number;
  readonly found: number;
}

export interface LogScanResult<T> {
  readonly found: readonly T[];
  /** The last block searched; the checkpoint itself if the search was empty or made no statement. */
  readonly through: PinnedBlock | null;
  /** The reason why the search stopped without a statement; null while the observers agree. */
  readonly reason: string | null;
}

/**
 * Searches logs from the checkpoint up to a finalized block. Both observers must return the same logs: a difference or
 * a missing answer does not advance the search. A checkpoint that is not in the finalized chain is dropped, because the
 * endpoints then serve another chain, and the search restarts at `from`.
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

/** Returns the last searched block with its hash, agreed after the logs below it. */
async function bound(
  l2: ObserverPair,
  { head, checkpoint }: Pick<LogScan<unknown>, 'head' | 'checkpoint'>,
  last: bigint,
): Promise<PinnedBlock | null> {
  if (last >= head.number) return head;
  const block = await agreedHeader<RpcObserver>(l2, last, getHeader);
  return block.kind === 'agreed' ? { number: block.value.number, hash: block.value.hash } : checkpoint;
}
