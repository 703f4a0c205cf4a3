import type { Hex } from 'viem';
import { quantity } from '../rpc/observer.js';

/** A block by tag, by number (bigint) or by hash. Only a hash pins state against reorgs. */
export type BlockRef = 'latest' | 'safe' | 'finalized' | bigint | { readonly hash: Hex };

/** Returns the block parameter of a state-reading call. A block given by hash must still be canonical (EIP-1898). */
export function stateBlockParameter(at: BlockRef): unknown {
  if (typeof at === 'bigint') return quantity(at);
  if (typeof at === 'string') return at;
  return { blockHash: at.hash, requireCanonical: true };
}
