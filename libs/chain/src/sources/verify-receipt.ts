import type { IndexSource, SourceAnswer, SourceRead } from '@launch/contracts';
import { verificationOf, type Candidate, type SourceAdapter, type SourceReceipt } from '@launch/evm/sources';
import type { Verdict, VerificationDocuments } from '@launch/evm/sources';
import type { Hex } from 'viem';
import { indeterminate, type Indeterminate } from '../agreement/agreement.js';
import { chainIdFault } from '../agreement/chain-id.js';
import { NOT_CANONICAL, receiptInBlock, type ReceiptReads } from '../agreement/receipt-in-block.js';
import { getHeader } from '../reads/get-header.js';
import { getReceipt } from '../reads/get-receipt.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { answerReads } from './answer-reads.js';

/** A launch that a receipt claims, judged. */
export interface JudgedLaunch {
  readonly candidate: Candidate;
  readonly verdict: Verdict;
  readonly documents: VerificationDocuments;
}

export type JudgedReceipt =
  | { readonly kind: 'judged'; readonly receipt: SourceReceipt; readonly launches: readonly JudgedLaunch[] }
  | Indeterminate;

const READS: ReceiptReads<RpcObserver> = { receipt: getReceipt, header: getHeader };

/** Rounds of reads that an adapter may ask for: later ones rest on earlier answers. */
const MAX_ROUNDS = 8;

/**
 * Judges every launch that a transaction's receipt claims for a source, by both observers: the receipt, its block in the
 * chain, and all that the adapter reads at that block (spec 3, Verification procedure).
 */
export async function verifyReceipt(
  pair: ObserverPair,
  source: IndexSource,
  adapter: SourceAdapter,
  transactionHash: Hex,
): Promise<JudgedReceipt> {
  const receipt = await agreedReceipt(pair, transactionHash);
  if (receipt.kind === 'indeterminate') return receipt;
  const launches: JudgedLaunch[] = [];
  for (const candidate of adapter.candidates(source, receipt.value)) {
    const judged = await judgeCandidate(pair, source, adapter, receipt.value, candidate);
    if (judged.kind === 'indeterminate') return judged;
    launches.push(judged.value);
  }
  return { kind: 'judged', receipt: receipt.value, launches };
}

/** A receipt and its block, as both observers show them of the chain that they are configured for. */
export async function agreedReceipt(
  pair: ObserverPair,
  transactionHash: Hex,
): Promise<{ readonly kind: 'agreed'; readonly value: SourceReceipt } | Indeterminate> {
  const [elsewhere, seen] = await Promise.all([chainIdFault(pair), receiptInBlock(pair, transactionHash, READS)]);
  if (elsewhere !== null) return indeterminate(elsewhere);
  if (seen.kind === 'indeterminate') return seen;
  if (seen.kind === 'absent') return indeterminate('receipt: absent');
  if (!seen.isCanonical) return indeterminate(NOT_CANONICAL);
  const { blockNumber, blockHash, transactionIndex, status, logs } = seen.receipt;
  return {
    kind: 'agreed',
    value: {
      block: { number: blockNumber.toString(), hash: blockHash, timestamp: seen.header.timestamp.toString() },
      transactionHash,
      transactionIndex: Number(transactionIndex),
      status,
      logs: logs.map(({ address, topics, data, logIndex }) => ({ address, topics, data, logIndex: Number(logIndex) })),
    },
  };
}

async function judgeCandidate(
  pair: ObserverPair,
  source: IndexSource,
  adapter: SourceAdapter,
  receipt: SourceReceipt,
  candidate: Candidate,
): Promise<{ readonly kind: 'agreed'; readonly value: JudgedLaunch } | Indeterminate> {
  const answers = new Map<string, SourceAnswer>();
  const reads: SourceRead[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = adapter.reads(source, candidate, answers);
    if (next.length === 0) {
      const verdict = adapter.judge(source, receipt, candidate, answers);
      const documents = verificationOf({ source, receipt, candidate, reads, answers });
      return { kind: 'agreed', value: { candidate, verdict, documents } };
    }
    const answered = await answerReads(pair, next, receipt.block.hash);
    if (answered.kind === 'indeterminate') return answered;
    for (const [name, answer] of answered.value) answers.set(name, answer);
    reads.push(...next);
  }
  throw new TypeError(`the adapter of ${source.sourceVersion} asks without end`);
}
