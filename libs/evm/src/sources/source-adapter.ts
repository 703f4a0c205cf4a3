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

/** A receipt in its block, as both observers show it. */
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
  /** The event whose place is the launch's: `(chainId, blockHash, transactionHash, logIndex)`. */
  readonly anchor: SourceLog;
  /** What its logs are correlated by: a launch id or a token; empty for an anchor that does not decode. */
  readonly key: string;
  /** The bound contract's logs that name the key, the anchor among them, in the receipt's order. */
  readonly logs: readonly SourceLog[];
}

/** What both observers answered, by the name of the read. */
export type Answers = ReadonlyMap<string, SourceAnswer>;

/** A launch that holds in every check. The digest of the verification comes with the document about it. */
export interface VerifiedLaunch {
  readonly record: Omit<LaunchRecord, 'verificationDigest'>;
  readonly metadata: TokenMetadata;
}

/**
 * What evidence says of a candidate. A third value, indeterminate, is that of the reads: a read without an answer that
 * both observers gave never comes here.
 */
export type Verdict =
  | { readonly kind: 'pass'; readonly launch: VerifiedLaunch }
  | { readonly kind: 'fail'; readonly reason: QuarantineReason; readonly detail: string };

/** Why a candidate is no launch. */
export interface Fault {
  readonly reason: QuarantineReason;
  readonly detail: string;
}

/**
 * Everything particular to one source version: its ABI, its events, its reads and its checks. Pure; the indexer, the
 * reader and offline checks share it (docs/reference/index-sources.md#verification-procedure).
 */
export interface SourceAdapter {
  readonly sourceVersion: SourceVersion;
  /** Published as canonical JSON, whose SHA-256 a source document names. */
  readonly abi: Abi;
  /** Topic 0 of the anchors. */
  readonly anchorTopics: readonly Hex[];
  /** The launches that a receipt claims: each anchor log of the bound contract is in exactly one candidate. */
  candidates(source: IndexSource, receipt: SourceReceipt): readonly Candidate[];
  /** What has to be read besides, given the answers so far, at the receipt's block. Empty when `judge` can speak. */
  reads(source: IndexSource, candidate: Candidate, answers: Answers): readonly SourceRead[];
  judge(source: IndexSource, receipt: SourceReceipt, candidate: Candidate, answers: Answers): Verdict;
}
