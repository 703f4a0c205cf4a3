import type { EvidenceExchange } from '@launch/contracts/launch';
import {
  decodeReceipt,
  decodeSignedTransaction,
  encodeReceipt,
  encodeTransaction,
  hashBlockHeader,
  type Hex,
  type SignedTransaction,
} from '@launch/evm';
import { z } from 'zod';
import type { Checks } from '../checks.js';
import type { AnyEvidence } from './evidence.types.js';
import { reasonOf } from '../checks.js';

/** The fault of one answer alone, without the other observer's; null if it holds. */
type Fault = string | null;

/**
 * Checks that every block and transaction in the bundle matches its hash, from either observer, and that every receipt and log
 * of a proven transaction equals the one in its block's trie.
 */
export function checkAnswers(checks: Checks, evidence: AnyEvidence): void {
  const { exchanges, proofs, conclusion } = evidence;
  const proven: Readonly<Record<EvidenceExchange['chainId'], Proven | null>> = {
    4663: provenReceipt(proofs?.inclusion, conclusion.transactionHash),
    1: provenReceipt(proofs?.posting, conclusion.posting?.batchTransactionHash),
  };
  const faults = { headers: [] as string[], transactions: [] as string[], receipts: [] as string[] };
  const seen = { headers: 0, transactions: 0, receipts: 0 };
  const gasUsed = new Map<string, unknown>();
  exchanges.forEach(({ chainId, method, params, answer, observer }, index) => {
    if (!('result' in answer) || answer.result === null) return;
    const { result } = answer;
    const tell = (list: keyof typeof faults, fault: Fault): void => {
      seen[list] += 1;
      if (fault !== null) faults[list].push(`exchange ${index} of ${observer}: ${fault}`);
    };
    const receipt = proven[chainId];
    if (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash')
      tell('headers', headerFault(method, params[0], result));
    if (method === 'eth_getTransactionByHash') tell('transactions', transactionFault(params[0], result));
    if (method === 'eth_getTransactionReceipt' && receipt !== null && params[0] === receipt.hash)
      tell('receipts', receiptFault(receipt, evidence, result) ?? gasFault(gasUsed, receipt.hash, result));
    if (method === 'eth_getLogs' && receipt !== null) tell('receipts', logsFault(receipt, result));
  });
  checks.holds('answers.headers', `${seen.headers} headers hash to what they say`, faults.headers[0] ?? null);
  checks.holds(
    'answers.transactions',
    `${seen.transactions} transactions hash to what they say and are signed by their sender`,
    faults.transactions[0] ?? null,
  );
  checks.holds(
    'answers.receipts',
    `${seen.receipts} receipts and lists of logs are of the proven receipts`,
    faults.receipts[0] ?? null,
  );
}

/** The consensus bytes of a proven receipt, its place in its block, and its logs as texts. */
interface Proven {
  readonly hash: string;
  readonly index: number;
  readonly bytes: string;
  readonly logs: ReadonlySet<string>;
  /** Sender and receiver of its transaction. */
  readonly sent: Pick<SignedTransaction, 'from' | 'to'>;
}

/** A receipt's consensus bytes hold the block's cumulative gas only: the observers' answers about its own gas must agree. */
function gasFault(known: Map<string, unknown>, hash: string, receipt: unknown): Fault {
  const { gasUsed } = receipt as { readonly gasUsed?: unknown };
  if (!known.has(hash)) known.set(hash, gasUsed);
  return known.get(hash) === gasUsed ? null : 'its gasUsed differs from that of another answer';
}

/** Reads the proven receipt; null without a proof, or with one that the checks of proofs refuse. */
function provenReceipt(
  proof: NonNullable<AnyEvidence['proofs']>['inclusion'] | undefined,
  hash: string | null | undefined,
): Proven | null {
  if (proof?.kind !== 'proof' || hash == null) return null;
  try {
    const { logs } = decodeReceipt(proof.receipt as Hex);
    const sent = decodeSignedTransaction(proof.transaction as Hex);
    return { hash, index: proof.transactionIndex, bytes: proof.receipt, logs: new Set(logs.map(logText)), sent };
  } catch (error) {
    reasonOf(error);
    return null;
  }
}

const logText = ({
  address,
  topics,
  data,
}: {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}): string => [address, ...topics, data].join(' ').toLowerCase();

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

function headerFault(method: string, asked: unknown, block: unknown): Fault {
  const { hash, number } = block as { readonly hash?: unknown; readonly number?: unknown };
  try {
    if (hashBlockHeader(block) !== hash) return 'its fields do not hash to its hash';
  } catch (error) {
    return reasonOf(error);
  }
  const named = typeof asked === 'string' ? asked : '';
  const other =
    method === 'eth_getBlockByHash'
      ? named !== hash
      : QUANTITY.test(named)
        ? BigInt(named) !== BigInt(number as string)
        : !TAGS.has(named);
  return other ? 'another block than asked for' : null;
}

const TAGS = new Set(['latest', 'safe', 'finalized']);

function transactionFault(asked: unknown, transaction: unknown): Fault {
  try {
    const signed = decodeSignedTransaction(encodeTransaction(transaction));
    const { hash, from } = transaction as { readonly hash?: unknown; readonly from?: unknown };
    if (signed.hash !== hash || signed.hash !== asked) return 'its fields do not hash to its hash';
    return signed.from === String(from).toLowerCase() ? null : 'not signed by its sender';
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Compares a receipt with its proven bytes. Compares the other members with the proven transaction and the conclusion, which
 * other checks compare with the proof.
 */
function receiptFault({ bytes, index, sent }: Proven, { conclusion }: AnyEvidence, receipt: unknown): Fault {
  try {
    if (encodeReceipt(receipt) !== bytes) return 'not the receipt that its block holds';
  } catch (error) {
    return reasonOf(error);
  }
  const { transactionIndex, blockNumber, from, to } = receipt as Readonly<Record<string, unknown>>;
  if (numberOf(transactionIndex) !== String(index) || numberOf(blockNumber) !== conclusion.inclusion?.blockNumber)
    return 'at another place in its block';
  return String(from).toLowerCase() === sent.from && String(to).toLowerCase() === String(sent.to)
    ? null
    : 'of another transaction';
}

const numberOf = (quantity: unknown): string | null =>
  typeof quantity === 'string' && QUANTITY.test(quantity) ? BigInt(quantity).toString() : null;

const logsSchema = z.array(
  z.looseObject({ address: z.string(), topics: z.array(z.string()), data: z.string(), transactionHash: z.string() }),
);

function logsFault({ hash, logs }: Proven, answer: unknown): Fault {
  const found = logsSchema.safeParse(answer);
  if (!found.success) return 'no logs';
  return found.data.every((log) => log.transactionHash !== hash || logs.has(logText(log)))
    ? null
    : 'not a log of the receipt that its block holds';
}
