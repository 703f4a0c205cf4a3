import type { Hex } from 'viem';
import { agree, type Indeterminate } from '../agreement/agreement.js';
import { getHeader } from '../reads/get-header.js';
import type { ObserverPair } from '../rpc/observer.js';

/** An L2 block that a request names to identify the chain from which its packer read. */
export interface Checkpoint {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
}

export type CheckpointVerdict =
  | { readonly kind: 'held' }
  | { readonly kind: 'stale'; readonly problem: 'ABSENT' | 'NOT_CANONICAL' | 'TOO_OLD' }
  | Indeterminate;

/** Maximum age of a checkpoint's block by the server's clock, in seconds. */
export const CHECKPOINT_MAX_AGE_SECONDS = 86_400;

/**
 * Judges whether both observers have a checkpoint's block on their chain and the block is at most 24 hours old. Reads
 * headers only, so no provider has to keep the state of so old a block.
 */
export async function judgeCheckpoint(
  pair: ObserverPair,
  { blockNumber, blockHash }: Checkpoint,
  now: () => number = Date.now,
): Promise<CheckpointVerdict> {
  const header = await agree(pair, `block ${blockNumber}`, (observer) => getHeader(observer, blockNumber));
  if (header.kind === 'indeterminate') return header;
  if (header.value === null) return { kind: 'stale', problem: 'ABSENT' };
  if (header.value.hash !== blockHash) return { kind: 'stale', problem: 'NOT_CANONICAL' };
  const age = BigInt(Math.floor(now() / 1000)) - header.value.timestamp;
  return age > BigInt(CHECKPOINT_MAX_AGE_SECONDS) ? { kind: 'stale', problem: 'TOO_OLD' } : { kind: 'held' };
}
