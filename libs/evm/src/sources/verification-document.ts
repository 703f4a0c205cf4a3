import {
  INDEX_EVIDENCE_SCHEMA,
  INDEX_VERIFICATION_SCHEMA,
  type IndexEvidence,
  type IndexSource,
  type IndexVerification,
  type SourceAnswer,
  type SourceRead,
} from '@launch/contracts/index';
import { canonicalSha256, type Sha256Digest } from '@launch/contracts/primitives';
import { adapterOf } from './adapters.js';
import { fail, fault, sourceReleaseDigest } from './judging.js';
import type { Answers, Candidate, SourceReceipt, Verdict } from './source-adapter.js';

/** The inputs of a verification. */
export interface Verified {
  readonly source: IndexSource;
  readonly receipt: SourceReceipt;
  readonly candidate: Candidate;
  /** Every read in the order in which the adapter requested it. */
  readonly reads: readonly SourceRead[];
  readonly answers: Answers;
}

/** A verification in both forms. The digest covers the canonical bytes of the short one. */
export interface VerificationDocuments {
  readonly verification: IndexVerification;
  readonly evidence: IndexEvidence;
  readonly digest: Sha256Digest;
}

/**
 * Builds the evidence that judged a launch (docs/reference/index-sources.md#verification-document). Equal evidence
 * gives equal bytes for every reader at any time.
 * @throws TypeError for a read without an answer: there is no verdict without it.
 */
export function verificationOf({ source, receipt, candidate, reads, answers }: Verified): VerificationDocuments {
  const place = {
    block: receipt.block,
    transactionHash: receipt.transactionHash,
    transactionIndex: receipt.transactionIndex,
    anchorLogIndex: candidate.anchor.logIndex,
    receiptStatus: receipt.status,
  };
  const answered = reads.map((read) => ({ read, answer: answerTo(read, answers) }));
  const verification: IndexVerification = {
    schemaVersion: INDEX_VERIFICATION_SCHEMA,
    sourceReleaseDigest: sourceReleaseDigest(source),
    ...place,
    logs: candidate.logs.map((log) => ({ logIndex: log.logIndex, sha256: canonicalSha256(log) })),
    reads: answered.map(({ read, answer }) => ({ read, answerSha256: canonicalSha256(answer) })),
  };
  const evidence: IndexEvidence = {
    schemaVersion: INDEX_EVIDENCE_SCHEMA,
    source,
    ...place,
    logs: [...candidate.logs],
    reads: answered,
  };
  return { verification, evidence, digest: canonicalSha256(verification) };
}

function answerTo(read: SourceRead, answers: Answers): SourceAnswer {
  const answer = answers.get(read.name);
  if (answer === undefined) throw new TypeError(`no answer to ${read.name}`);
  return answer;
}

/**
 * Judges an evidence document again, offline. The document must contain exactly one launch, and an answer to exactly
 * the reads that its adapter requests: fewer answers would mean a weaker verdict.
 */
export function judgeEvidence(evidence: IndexEvidence): { readonly verdict: Verdict; readonly digest: Sha256Digest } {
  const { source, block, transactionHash, transactionIndex, anchorLogIndex, receiptStatus, logs, reads } = evidence;
  const receipt: SourceReceipt = { block, transactionHash, transactionIndex, status: receiptStatus, logs };
  const answers: Answers = new Map(reads.map(({ read, answer }) => [read.name, answer]));
  const adapter = adapterOf(source.sourceVersion);
  const candidate = adapter?.candidates(source, receipt).find(({ anchor }) => anchor.logIndex === anchorLogIndex);
  if (adapter === null || candidate === undefined) {
    const digest = canonicalSha256(evidence);
    return {
      verdict: fail(fault('EVENT_MISSING', `no launch of ${source.sourceVersion} at ${anchorLogIndex}`)),
      digest,
    };
  }
  const asked = askedReads(adapter, source, candidate, answers);
  const given = reads.map(({ read }) => read);
  const { digest } = verificationOf({ source, receipt, candidate, reads: given, answers });
  if (canonicalSha256(asked) !== canonicalSha256(given) || candidate.logs.length !== logs.length)
    return {
      verdict: fail(fault('EVENT_MISMATCH', 'the document holds other reads or logs than its adapter asks for')),
      digest,
    };
  return { verdict: adapter.judge(source, receipt, candidate, answers), digest };
}

/** Returns every read of a candidate in the requested order, as far as the answers allow. */
function askedReads(
  adapter: NonNullable<ReturnType<typeof adapterOf>>,
  source: IndexSource,
  candidate: Candidate,
  answers: Answers,
): readonly SourceRead[] {
  const known = new Map<string, SourceAnswer>();
  const asked: SourceRead[] = [];
  for (;;) {
    const next = adapter.reads(source, candidate, known);
    if (next.length === 0) return asked;
    for (const read of next) {
      const answer = answers.get(read.name);
      if (answer === undefined) return [...asked, read];
      known.set(read.name, answer);
      asked.push(read);
    }
  }
}
