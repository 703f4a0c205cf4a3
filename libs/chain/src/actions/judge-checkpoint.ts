import type { Hex } from 'viem';
import { agree, type Indeterminate } from '../agreement/agreement.js';
import { getHeader } from '../reads/get-header.js';
import type { ObserverPair } from '../rpc/observer.js';

/** An L2 block that a request names, so that it says from which chain its packer looked. */
export interface Checkpoint {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
}

export type CheckpointVerdict =
  | { readonly kind: 'held' }
  | { readonly kind: 'stale'; readonly problem: 'ABSENT' | 'NOT_CANONICAL' | 'TOO_OLD' }
  | Indeterminate;

/** How long ago a checkpoint's block may have been made, by the server's clock. */
export const CHECKPOINT_MAX_AGE_SECONDS = 86_400;

/**
 * Whether both observers have a checkpoint's block on their chain, and it is of the last 24 hours. Headers are all that
 * is read: no provider has to keep the state of a block so old.
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
