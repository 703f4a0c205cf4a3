import type { ChainLog, ObserverPair } from '@launch/chain';
import { agreedLogs, readsOf, type ChainPlace, type SourceFilter } from '@launch/chain/sources';
import type { Unknown } from './verify-launch.js';

export interface WholeRange {
  readonly kind: 'complete';
  /** In block and log order. */
  readonly logs: readonly ChainLog[];
  readonly first: ChainPlace;
  readonly last: ChainPlace;
}

/**
 * Reads the logs of a range of blocks. If an endpoint refuses the range or truncates its answer, reads the range in halves.
 * Every other fault leaves the range open.
 */
export async function wholeRange(
  pair: ObserverPair,
  filter: SourceFilter,
  from: bigint,
  to: bigint,
): Promise<WholeRange | Unknown> {
  const range = await agreedLogs(readsOf(pair), filter, from, to);
  if (range.kind === 'complete') return range;
  if (!range.isTooMuch || from === to) return { kind: 'indeterminate', reason: range.reason };
  const middle = (from + to) / 2n;
  const lower = await wholeRange(pair, filter, from, middle);
  if (lower.kind === 'indeterminate') return lower;
  const upper = await wholeRange(pair, filter, middle + 1n, to);
  if (upper.kind === 'indeterminate') return upper;
  // Each half is of one chain; both are if they join.
  if (upper.first.parentHash !== lower.last.hash)
    return { kind: 'indeterminate', reason: `block ${upper.first.number} was replaced while its range was read` };
  return { kind: 'complete', logs: [...lower.logs, ...upper.logs], first: lower.first, last: upper.last };
}
