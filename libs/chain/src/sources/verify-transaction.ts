import {
  MAX_EVIDENCE_CHARACTERS,
  MAX_VERIFIED_LOGS,
  MAX_VERIFIED_READS,
  type IndexSource,
  type SourceAnswer,
  type SourceRead,
} from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  sourceReleaseDigest,
  verificationOf,
  type Candidate,
  type SourceAdapter,
  type SourceReceipt,
} from '@launch/evm/sources';
import type { Verdict, VerificationDocuments } from '@launch/evm/sources';
import type { Hex } from 'viem';
import { agree, indeterminate, type Indeterminate } from '../agreement/agreement.js';
import { chainIdFault } from '../agreement/chain-id.js';
import { agreedHeader } from '../agreement/common-head.js';
import { getHeader } from '../reads/get-header.js';
import { getInclusion, type Inclusion } from '../reads/get-transaction.js';
import type { RpcObserver } from '../rpc/observer.js';
import { answerReads } from './answer-reads.js';
import type { RangeReads } from './range-reads.js';
import { transactionLogs, type TransactionPlace, type Unreadable } from './transaction-logs.js';

/** A judged launch that a transaction claims. */
export interface JudgedLaunch {
  readonly candidate: Candidate;
  readonly verdict: Verdict;
  readonly documents: VerificationDocuments;
}

/** A launch without a verdict that a transaction claims. An unreadable one will not have one on a retry. */
export interface OpenLaunch {
  readonly candidate: Candidate;
  readonly reason: string;
  readonly isUnreadable: boolean;
}

/** Launches without a verdict are open. If a whole batch of them is open, those after it are not read. */
export type JudgedTransaction =
  | {
      readonly kind: 'judged';
      readonly receipt: SourceReceipt;
      readonly launches: readonly JudgedLaunch[];
      readonly open: readonly OpenLaunch[];
    }
  | Indeterminate
  | Unreadable;

/** Rounds of reads of one adapter; later ones depend on earlier answers. */
const MAX_ROUNDS = 8;
/** Launches of one transaction that are judged in parallel. */
const JUDGED_AT_ONCE = 4;

/**
 * Judges every launch that a transaction claims for a source, by both observers: its logs of the source's contract, and
 * all reads of the adapter at its block. A judged launch is remembered and not read again.
 * @param givenUp log indexes of the anchors that are not retried: these launches are open and unreadable.
 */
export async function verifyTransaction(
  reads: RangeReads,
  source: IndexSource,
  adapter: SourceAdapter,
  place: TransactionPlace,
  givenUp: ReadonlySet<number> = new Set(),
): Promise<JudgedTransaction> {
  const listed = await transactionLogs(reads, source, place);
  if (listed.kind !== 'listed') return listed;
  if (listed.receipt === null)
    return indeterminate(`block ${place.block.hash}: lists no log of transaction ${place.transactionHash}`);
  return judgeAll({ reads, source, adapter, receipt: listed.receipt }, givenUp);
}

/** Judges a transaction by its hash alone. @returns `none` if it has no log of the source. */
export async function verifyReceipt(
  reads: RangeReads,
  source: IndexSource,
  adapter: SourceAdapter,
  transactionHash: Hex,
): Promise<JudgedTransaction | { readonly kind: 'none' }> {
  const { pair } = reads;
  const [elsewhere, included] = await Promise.all([
    chainIdFault(pair),
    agree<RpcObserver, Inclusion | null>(pair, 'transaction', (observer) => getInclusion(observer, transactionHash)),
  ]);
  if (elsewhere !== null) return indeterminate(elsewhere);
  if (included.kind === 'indeterminate') return included;
  if (included.value === null) return indeterminate('transaction: absent');
  const header = await agreedHeader<RpcObserver>(pair, included.value.blockNumber, getHeader);
  if (header.kind === 'indeterminate') return header;
  if (header.value.hash !== included.value.blockHash)
    return indeterminate('transaction: its block is not the canonical one');
  const listed = await transactionLogs(reads, source, { transactionHash, block: header.value });
  if (listed.kind !== 'listed') return listed;
  if (listed.receipt === null) return { kind: 'none' };
  return judgeAll({ reads, source, adapter, receipt: listed.receipt }, new Set());
}

interface Case {
  readonly reads: RangeReads;
  readonly source: IndexSource;
  readonly adapter: SourceAdapter;
  readonly receipt: SourceReceipt;
}

async function judgeAll(one: Case, givenUp: ReadonlySet<number>): Promise<JudgedTransaction> {
  const { source, adapter, receipt } = one;
  const claimed = adapting(() => adapter.candidates(source, receipt));
  if ('failure' in claimed)
    return { kind: 'unreadable', transactionHash: receipt.transactionHash, reason: claimed.failure };
  const launches: JudgedLaunch[] = [];
  const open: OpenLaunch[] = [];
  const asked = claimed.value.filter((candidate) => {
    if (!givenUp.has(candidate.anchor.logIndex)) return true;
    open.push({ candidate, reason: 'given up', isUnreadable: true });
    return false;
  });
  const releaseDigest = sourceReleaseDigest(source);
  for (let first = 0; first < asked.length; first += JUDGED_AT_ONCE) {
    const some = asked.slice(first, first + JUDGED_AT_ONCE);
    const judged = await Promise.all(some.map((candidate) => judgedOnce(one, releaseDigest, candidate)));
    for (const launch of judged) {
      if ('verdict' in launch) launches.push(launch);
      else open.push(launch);
    }
    // A silent endpoint must not cost a timeout for each of a thousand launches.
    if (judged.every((launch) => !('verdict' in launch) && !launch.isUnreadable)) break;
  }
  return { kind: 'judged', receipt, launches, open };
}

async function judgedOnce(one: Case, releaseDigest: string, candidate: Candidate): Promise<JudgedLaunch | OpenLaunch> {
  const { reads, receipt } = one;
  const { transactionHash, block } = receipt;
  const key = `${releaseDigest}/${block.hash}/${transactionHash}/${candidate.anchor.logIndex}`;
  const known = reads.launches.get(key);
  if (known !== undefined) return known;
  const judged = await judgeCandidate(one, candidate);
  if (!('verdict' in judged)) return judged;
  const size = canonicalJsonText(judged.documents.evidence).length;
  if (size > MAX_EVIDENCE_CHARACTERS)
    return { candidate, reason: `${size} characters of evidence`, isUnreadable: true };
  reads.launches.set(key, judged, size);
  return judged;
}

async function judgeCandidate(
  { reads: { pair }, source, adapter, receipt }: Case,
  candidate: Candidate,
): Promise<JudgedLaunch | OpenLaunch> {
  const open = (reason: string, isUnreadable: boolean): OpenLaunch => ({ candidate, reason, isUnreadable });
  if (candidate.logs.length > MAX_VERIFIED_LOGS) return open(`${candidate.logs.length} logs of one launch`, true);
  const answers = new Map<string, SourceAnswer>();
  const reads: SourceRead[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = adapting(() => adapter.reads(source, candidate, answers));
    if ('failure' in next) return open(next.failure, true);
    if (next.value.length === 0) return judgedBy({ source, adapter, receipt }, candidate, reads, answers);
    reads.push(...next.value);
    if (reads.length > MAX_VERIFIED_READS) return open(`${reads.length} reads of one launch`, true);
    const answered = await answerReads(pair, next.value, receipt.block.hash);
    if (answered.kind === 'indeterminate') return open(answered.reason, false);
    for (const [name, answer] of answered.value) answers.set(name, answer);
  }
  return open(`the adapter of ${source.sourceVersion} asks without end`, true);
}

function judgedBy(
  { source, adapter, receipt }: Omit<Case, 'reads'>,
  candidate: Candidate,
  reads: readonly SourceRead[],
  answers: ReadonlyMap<string, SourceAnswer>,
): JudgedLaunch | OpenLaunch {
  const judged = adapting(() => ({
    candidate,
    verdict: adapter.judge(source, receipt, candidate, answers),
    documents: verificationOf({ source, receipt, candidate, reads, answers }),
  }));
  return 'failure' in judged ? { candidate, reason: judged.failure, isUnreadable: true } : judged.value;
}

/**
 * Runs an adapter on foreign input. Its failure on one launch must not block the launches after it: the failure becomes
 * that launch's reason.
 */
function adapting<T>(judge: () => T): { readonly value: T } | { readonly failure: string } {
  try {
    return { value: judge() };
  } catch (error) {
    return { failure: `the adapter failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
