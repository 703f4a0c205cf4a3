import { type EvidenceExchange } from '@launch/contracts';
import { decodeSignedTransaction, encodeTransaction, hashBlockHeader } from '@launch/evm';
import type { Checks } from '../checks.js';
import { reasonOf } from '../checks.js';

/** What one answer fails by itself, without the other observer's; null when it holds. */
type Fault = string | null;

/** Every block and every transaction in the bundle must be what its own hash says, whoever answered it. */
export function checkAnswers(checks: Checks, exchanges: readonly EvidenceExchange[]): void {
  const faults = { headers: [] as string[], transactions: [] as string[] };
  let [headers, transactions] = [0, 0];
  exchanges.forEach(({ method, params, answer, observer }, index) => {
    if (!('result' in answer) || answer.result === null) return;
    const tell = (list: string[], fault: Fault): void => void (fault === null || list.push(`exchange ${index} of ${observer}: ${fault}`));
    if (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash') {
      headers += 1;
      tell(faults.headers, headerFault(method, params[0], answer.result));
    }
    if (method === 'eth_getTransactionByHash') {
      transactions += 1;
      tell(faults.transactions, transactionFault(params[0], answer.result));
    }
  });
  checks.holds('answers.headers', `${headers} headers hash to what they say`, faults.headers[0] ?? null);
  checks.holds('answers.transactions', `${transactions} transactions hash to what they say and are signed by their sender`, faults.transactions[0] ?? null);
}

function headerFault(method: string, asked: unknown, block: unknown): Fault {
  const { hash, number } = block as { readonly hash?: unknown; readonly number?: unknown };
  try {
    if (hashBlockHeader(block) !== hash) return 'its fields do not hash to its hash';
  } catch (error) {
    return reasonOf(error);
  }
  if (method === 'eth_getBlockByHash') return asked === hash ? null : 'another block than asked for';
  return typeof asked === 'string' && asked.startsWith('0x') && BigInt(asked) !== BigInt(String(number)) ? 'another block than asked for' : null;
}

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
