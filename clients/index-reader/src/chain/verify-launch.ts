import type { ObserverPair } from '@launch/chain';
import {
  finalEthereumBlock,
  finalLaunchBlock,
  postedThrough,
  verifyReceipt,
  type RollupAnchors,
} from '@launch/chain/sources';
import type { Hex, LaunchRecord, QuarantineReason, Sha256Digest, TokenMetadata } from '@launch/contracts';
import { rulesOf, type ReadSource } from './published-sources.js';

/** A launch event by the rules of its source version. */
export type LaunchVerdict =
  | {
      readonly kind: 'verified';
      readonly record: LaunchRecord;
      /** What the token says of itself: to be shown as text. */
      readonly metadata: TokenMetadata;
    }
  | { readonly kind: 'refused'; readonly reason: QuarantineReason; readonly detail: string };

/** One event that claims a launch. */
export interface VerifiedEvent {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly logIndex: number;
  /** Of the canonical verification document: the same for everybody who asks two honest nodes. */
  readonly verificationDigest: Sha256Digest;
  readonly verdict: LaunchVerdict;
}

/** Nothing may be concluded where both endpoints did not answer alike. */
export interface Unknown {
  readonly kind: 'indeterminate';
  readonly reason: string;
}

/**
 * Judges every launch of a source that a transaction claims, by both endpoints at the receipt's block.
 * @throws {ReaderError} `SOURCE_UNSUPPORTED`
 */
export async function verifyLaunch(
  pair: ObserverPair,
  read: ReadSource,
  transactionHash: Hex,
): Promise<{ readonly kind: 'judged'; readonly events: readonly VerifiedEvent[] } | Unknown> {
  const judged = await verifyReceipt(pair, read.source, rulesOf(read), transactionHash);
  if (judged.kind === 'indeterminate') return judged;
  const { block } = judged.receipt;
  return {
    kind: 'judged',
    events: judged.launches.map(({ candidate, verdict, documents: { digest: verificationDigest } }) => ({
      transactionHash,
      blockNumber: BigInt(block.number),
      blockHash: block.hash,
      logIndex: candidate.anchor.logIndex,
      verificationDigest,
      verdict:
        verdict.kind === 'pass'
          ? {
              kind: 'verified',
              record: { ...verdict.launch.record, verificationDigest },
              metadata: verdict.launch.metadata,
            }
          : { kind: 'refused', reason: verdict.reason, detail: verdict.detail },
    })),
  };
}

/** Both endpoints of each chain that finality hangs on. */
export interface FinalityEndpoints {
  readonly l1: ObserverPair;
  /** Of chain 4663, whose blocks are final on Ethereum; without it blocks of Ethereum alone can be judged. */
  readonly l2?: { readonly pair: ObserverPair; readonly rollup: RollupAnchors };
}

export type FinalityVerdict =
  | { readonly kind: 'final' }
  /** On chain, and not final yet. @param posted in a batch that both endpoints have. */
  | { readonly kind: 'pending'; readonly posted: boolean }
  | Unknown;

/** Whether a block is final by `chain-ethereum-finalized-v1` (spec 3, Finality). */
export async function verifyFinality(
  { l1, l2 }: FinalityEndpoints,
  chainId: 1 | 4663,
  block: { readonly number: bigint; readonly hash: Hex },
): Promise<FinalityVerdict> {
  if (chainId === 1) {
    const final = await finalEthereumBlock(l1);
    if (final.kind === 'indeterminate') return final;
    return final.kind === 'final' && block.number <= final.block.number
      ? { kind: 'final' }
      : { kind: 'pending', posted: false };
  }
  if (l2 === undefined) return { kind: 'indeterminate', reason: 'no endpoints of chain 4663, or no rollup' };
  const observers = { l2: l2.pair, l1 };
  const final = await finalLaunchBlock(observers, l2.rollup);
  if (final.kind === 'indeterminate') return final;
  if (final.kind === 'final' && block.number <= final.block.number) return { kind: 'final' };
  const posted = await postedThrough(observers, l2.rollup, block);
  if (posted.kind === 'indeterminate') return posted;
  return { kind: 'pending', posted: posted.through !== null };
}
