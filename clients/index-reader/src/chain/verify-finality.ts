import { agreedHeader, getHeader, type ObserverPair, type RpcObserver } from '@launch/chain';
import {
  finalEthereumBlock,
  finalLaunchBlock,
  postedThrough,
  type FinalBlock,
  type RollupAnchors,
} from '@launch/chain/sources';
import type { IndexedChain } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import type { Unknown } from './verify-launch.js';

/** Both endpoints of each chain that finality depends on. */
export interface FinalityEndpoints {
  readonly l1: ObserverPair;
  /** Endpoints of chain 4663, whose blocks become final on Ethereum. Without them only blocks of Ethereum can be judged. */
  readonly l2?: { readonly pair: ObserverPair; readonly rollup: RollupAnchors };
}

export type FinalityVerdict =
  | { readonly kind: 'final' }
  /** On chain, and not final yet. @param posted in a batch that both endpoints have. */
  | { readonly kind: 'pending'; readonly posted: boolean }
  | Unknown;

/** Returns the newest block that is final by `chain-ethereum-finalized-v1`; every block below it is final too. */
export async function readFinalBlock({ l1, l2 }: FinalityEndpoints, chainId: IndexedChain): Promise<FinalBlock> {
  if (chainId === 1) return finalEthereumBlock(l1);
  if (l2 === undefined) return { kind: 'indeterminate', reason: 'no endpoints of chain 4663, or no rollup' };
  return finalLaunchBlock({ l2: l2.pair, l1 }, l2.rollup);
}

/**
 * Judges whether a block is final by `chain-ethereum-finalized-v1` (docs/reference/finality.md#finality-of-a-block).
 * @param newest the result of `readFinalBlock`, if the caller has read it already.
 */
export async function verifyFinality(
  endpoints: FinalityEndpoints,
  chainId: IndexedChain,
  block: { readonly number: bigint; readonly hash: Hex },
  newest?: FinalBlock,
): Promise<FinalityVerdict> {
  const { l1, l2 } = endpoints;
  const final = newest ?? (await readFinalBlock(endpoints, chainId));
  if (final.kind === 'indeterminate') return final;
  if (final.kind === 'final' && block.number <= final.block.number)
    return canonical(chainId === 1 ? l1 : l2!.pair, block);
  if (chainId === 1) return { kind: 'pending', posted: false };
  const posted = await postedThrough({ l2: l2!.pair, l1 }, l2!.rollup, block);
  if (posted.kind === 'indeterminate') return posted;
  return { kind: 'pending', posted: posted.through !== null };
}

/**
 * Checks that the block is canonical: a height is final, but a block at it only if both endpoints have no other block there.
 */
async function canonical(
  pair: ObserverPair,
  { number, hash }: { readonly number: bigint; readonly hash: Hex },
): Promise<FinalityVerdict> {
  const header = await agreedHeader<RpcObserver>(pair, number, getHeader);
  if (header.kind === 'indeterminate') return header;
  return header.value.hash === hash
    ? { kind: 'final' }
    : { kind: 'indeterminate', reason: `block ${number} is not the canonical one` };
}
