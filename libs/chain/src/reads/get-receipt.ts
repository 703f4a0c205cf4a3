import type { Hex } from 'viem';
import { ask, rpcReceiptSchema, type ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';
import { getLogs } from './get-logs.js';
import { getInclusion } from './get-transaction.js';

const nullable = rpcReceiptSchema.nullable();

/**
 * The limit above which a receipt is not read whole, because its sender controls the number of other contracts' logs.
 */
const RECEIPT_BYTES = 1024 * 1024;

/**
 * Returns a transaction's receipt, or null while it has none. @throws ChainError, RPC_ANSWER_TOO_LARGE for a long one
 */
export const getReceipt = (observer: RpcObserver, transactionHash: string): Promise<ChainReceipt | null> =>
  ask(observer, 'eth_getTransactionReceipt', [transactionHash], nullable, RECEIPT_BYTES);

/**
 * Assembles a long receipt with the logs of one contract, from the transaction and the contract's logs in its block. A
 * long receipt implies success, because only a successful transaction has logs.
 * @param contract lowercase.
 * @throws ChainError
 */
export async function getLongReceipt(
  observer: RpcObserver,
  transactionHash: Hex,
  contract: Hex,
): Promise<ChainReceipt | null> {
  const included = await getInclusion(observer, transactionHash);
  if (included === null) return null;
  const logs = await getLogs(observer, { address: contract, topics: [], blocks: { hash: included.blockHash } });
  return {
    ...included,
    transactionHash,
    status: 'success',
    logs: logs.filter((log) => log.transactionHash === transactionHash),
  };
}
