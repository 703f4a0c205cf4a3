import { agreedHeader, getHeader, type ObserverPair, type RpcObserver } from '@launch/chain';
import type { KeptCheckpoint } from '../rows/source.repository.js';

/** The part of the committed ranges that is still in both observers' chain. */
export type CommonCheckpoint =
  /** The highest checkpoint at or below the head; null if there is none. */
  | { readonly kind: 'common'; readonly checkpoint: KeptCheckpoint | null; readonly isReplaced: boolean }
  /**
   * A final block has another hash: the source stops, and no row is deleted
   * (docs/reference/index-sources.md#checkpoints).
   */
  | { readonly kind: 'final-replaced'; readonly checkpoint: KeptCheckpoint }
  | { readonly kind: 'indeterminate'; readonly reason: string };

/**
 * Finds the highest checkpoint that both observers still have. Each checkpoint's hash covers all blocks below it, so
 * the function searches by halves; usually the last one holds.
 * @param checkpoints the lowest first.
 * @param head the block above which nothing is known.
 */
export async function commonCheckpoint(
  pair: ObserverPair,
  checkpoints: readonly KeptCheckpoint[],
  head: bigint,
): Promise<CommonCheckpoint> {
  const within = checkpoints.filter(({ number }) => number <= head);
  let [low, high, probe] = [0, within.length, within.length - 1];
  // Checkpoints below `low` hold, those from `high` on do not.
  while (low < high) {
    const checkpoint = within[probe]!;
    const header = await agreedHeader<RpcObserver>(pair, checkpoint.number, getHeader);
    if (header.kind === 'indeterminate') return header;
    if (header.value.hash === checkpoint.hash) low = probe + 1;
    else if (checkpoint.finalized) return { kind: 'final-replaced', checkpoint };
    else high = probe;
    probe = (low + high) >> 1;
  }
  return { kind: 'common', checkpoint: within[low - 1] ?? null, isReplaced: low < within.length };
}
