import {
  launchRecordSchema,
  type LaunchRecord,
  type QuarantineReason,
  type SourceLog,
  type TokenMetadata,
} from '@launch/contracts/index';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { JudgedLaunch } from '@launch/chain/sources';
import type { PoolSwap, SourceReceipt } from '@launch/evm/sources';
import type { HoldRow } from '../holds/hold.repository.js';

/** A launch as written. */
export interface LaunchRow {
  readonly record: LaunchRecord;
  readonly metadata: TokenMetadata;
  readonly transactionIndex: number;
  /** The event that identifies its place. */
  readonly anchor: SourceLog;
  readonly evidenceSha256: Sha256Digest;
}

/** A log that is not a launch, as written. */
export interface QuarantineRow {
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly transactionIndex: number;
  readonly log: SourceLog;
  readonly reason: QuarantineReason;
  readonly detail: string;
  /** The claimed coin, if its identity is taken. */
  readonly tokenAddress?: Hex;
  /** Null for a log with unreadable evidence. */
  readonly evidenceSha256: Sha256Digest | null;
}

/** A trade as written. */
export interface SwapRow {
  readonly swap: PoolSwap;
  /** The time of its block, Unix seconds. */
  readonly timestamp: bigint;
}

export interface IndexRows {
  readonly launches: readonly LaunchRow[];
  readonly quarantine: readonly QuarantineRow[];
  readonly swaps: readonly SwapRow[];
  /** Places that the index skips because they are unreadable now. */
  readonly holds: readonly HoldRow[];
}

/** Converts a judged launch to its row. */
export function rowOf(
  { candidate, verdict, documents }: JudgedLaunch,
  receipt: SourceReceipt,
  evidenceSha256: Sha256Digest,
): { readonly launch: LaunchRow } | { readonly quarantined: QuarantineRow } {
  const { transactionHash, transactionIndex, block } = receipt;
  if (verdict.kind === 'pass') {
    const record = launchRecordSchema.parse({ ...verdict.launch.record, verificationDigest: documents.digest });
    return {
      launch: { record, metadata: verdict.launch.metadata, transactionIndex, anchor: candidate.anchor, evidenceSha256 },
    };
  }
  return {
    quarantined: {
      blockNumber: BigInt(block.number),
      blockHash: block.hash,
      transactionHash,
      transactionIndex,
      log: candidate.anchor,
      reason: verdict.reason,
      detail: verdict.detail,
      evidenceSha256,
    },
  };
}

const SEARCHED_CHARACTERS = 256;

/** Bounds a token's text for columns: PostgreSQL's text has no U+0000, and searches need no megabytes. */
export const searchText = (text: string | null): string | null =>
  text === null
    ? null
    : [...text.slice(0, 2 * SEARCHED_CHARACTERS)]
        .slice(0, SEARCHED_CHARACTERS)
        .join('')
        .replaceAll('\u0000', '\ufffd')
        .toWellFormed();
