import type { ObserverPair } from '@launch/chain';
import { readsOf, verifyReceipt } from '@launch/chain/sources';
import type { LaunchRecord, QuarantineReason, TokenMetadata } from '@launch/contracts/index';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { rulesOf, type ReadSource } from './published-sources.js';

/** A launch event by the rules of its source version. */
export type LaunchVerdict =
  | {
      readonly kind: 'verified';
      readonly record: LaunchRecord;
      /** The token's statements on itself, to be displayed as text. */
      readonly metadata: TokenMetadata;
    }
  | { readonly kind: 'refused'; readonly reason: QuarantineReason; readonly detail: string };

/** One event that claims a launch. */
export interface VerifiedEvent {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly logIndex: number;
  /** Digest of the canonical verification document: equal for every reader with two honest nodes. */
  readonly verificationDigest: Sha256Digest;
  readonly verdict: LaunchVerdict;
}

/** The endpoints did not give equal answers, so nothing can be concluded. */
export interface Unknown {
  readonly kind: 'indeterminate';
  readonly reason: string;
}

/**
 * Judges every launch of a source that a transaction claims, through both endpoints at the transaction's block.
 * @throws {ReaderError} `SOURCE_UNSUPPORTED`
 */
export async function verifyLaunch(
  pair: ObserverPair,
  read: ReadSource,
  transactionHash: Hex,
): Promise<{ readonly kind: 'judged'; readonly events: readonly VerifiedEvent[] } | Unknown> {
  const judged = await verifyReceipt(readsOf(pair), read.source, rulesOf(read), transactionHash);
  if (judged.kind === 'none') return { kind: 'judged', events: [] };
  if (judged.kind !== 'judged') return { kind: 'indeterminate', reason: judged.reason };
  const [open] = judged.open;
  if (open !== undefined) return { kind: 'indeterminate', reason: open.reason };
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
