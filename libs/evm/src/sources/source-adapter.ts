import type {
  IndexSource,
  LaunchRecord,
  QuarantineReason,
  SourceAnswer,
  SourceBlock,
  SourceLog,
  SourceRead,
  SourceVersion,
  TokenMetadata,
} from '@launch/contracts/index';
import type { Abi } from 'viem';
import type { Hex } from '../encoding/hex.js';

/** A receipt in its block, on which both observers agree. */
export interface SourceReceipt {
  readonly block: SourceBlock;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
  readonly status: 'success' | 'reverted';
  /** Logs of every contract, in the receipt's order. */
  readonly logs: readonly SourceLog[];
}

/** One launch that a receipt claims. */
export interface Candidate {
  /** The event whose position is the launch's: `(chainId, blockHash, transactionHash, logIndex)`. */
  readonly anchor: SourceLog;
  /** The key that correlates its logs: a launch id or a token; empty for an anchor that does not decode. */
  readonly key: string;
  /** The bound contract's logs that name the key, including the anchor, in the receipt's order. */
  readonly logs: readonly SourceLog[];
}

/** The answers of both observers, by the name of the read. */
export type Answers = ReadonlyMap<string, SourceAnswer>;

/** A launch that passes every check. The verification document provides the digest. */
export interface VerifiedLaunch {
  readonly record: Omit<LaunchRecord, 'verificationDigest'>;
  readonly metadata: TokenMetadata;
}

/**
 * The verdict of evidence on a candidate. The third value, indeterminate, belongs to the reads: a read without an
 * answer that both observers gave never reaches this code.
 */
export type Verdict =
  | { readonly kind: 'pass'; readonly launch: VerifiedLaunch }
  | { readonly kind: 'fail'; readonly reason: QuarantineReason; readonly detail: string };

/** The reason why a candidate is not a launch. */
export interface Fault {
  readonly reason: QuarantineReason;
  readonly detail: string;
}

/**
 * Everything specific to one source version: its ABI, its events, its reads and its checks. Pure; the indexer, the
 * reader and offline checks share it (docs/reference/index-sources.md#verification-procedure).
 */
export interface SourceAdapter {
  readonly sourceVersion: SourceVersion;
  /** Published as canonical JSON; a source document contains its SHA-256. */
  readonly abi: Abi;
  /** Topic 0 of the anchors. */
  readonly anchorTopics: readonly Hex[];
  /** Returns the launches that a receipt claims: each anchor log of the bound contract is in exactly one candidate. */
  candidates(source: IndexSource, receipt: SourceReceipt): readonly Candidate[];
  /**
   * Returns the further reads at the receipt's block that the answers so far require. Empty once `judge` can decide.
   */
  reads(source: IndexSource, candidate: Candidate, answers: Answers): readonly SourceRead[];
  judge(source: IndexSource, receipt: SourceReceipt, candidate: Candidate, answers: Answers): Verdict;
}
