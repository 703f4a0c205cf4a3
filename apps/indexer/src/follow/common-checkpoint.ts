import { agreedHeader, getHeader, type ObserverPair, type RpcObserver } from '@launch/chain';
import type { KeptCheckpoint } from '../rows/source.repository.js';

/** What of the committed ranges is still in the chain that both observers have. */
export type CommonCheckpoint =
  /** The highest of those at or below the head; null where none is. */
  | { readonly kind: 'common'; readonly checkpoint: KeptCheckpoint | null; readonly isReplaced: boolean }
  /** A final block has another hash: nothing follows, nothing is deleted (docs/reference/index-sources.md#checkpoints). */
  | { readonly kind: 'final-replaced'; readonly checkpoint: KeptCheckpoint }
  | { readonly kind: 'indeterminate'; readonly reason: string };

/**
 * The highest checkpoint that both observers still have. Each checkpoint's hash stands for all blocks below it, so the
 * search halves; mostly the last one holds.
 * @param checkpoints the lowest first.
 * @param head above which nothing can be said.
 */
export async function commonCheckpoint(
  pair: ObserverPair,
  checkpoints: readonly KeptCheckpoint[],
  head: bigint,
): Promise<CommonCheckpoint> {
  const within = checkpoints.filter(({ number }) => number <= head);
  let [low, high, probe] = [0, within.length, within.length - 1];
  // Those below `low` hold, those from `high` on do not.
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
