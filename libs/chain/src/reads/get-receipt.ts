import type { Hex } from 'viem';
import { ask, rpcReceiptSchema, type ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';
import { getLogs } from './get-logs.js';
import { getInclusion } from './get-transaction.js';

const nullable = rpcReceiptSchema.nullable();

/** A receipt that is longer is not read whole: how many logs of other contracts it has is in its sender's hands. */
const RECEIPT_BYTES = 1024 * 1024;

/** A transaction's receipt, null while it has none. @throws ChainError, RPC_ANSWER_TOO_LARGE for a long one */
export const getReceipt = (observer: RpcObserver, transactionHash: string): Promise<ChainReceipt | null> =>
  ask(observer, 'eth_getTransactionReceipt', [transactionHash], nullable, RECEIPT_BYTES);

/**
 * A long receipt with the logs of one contract alone, put together from the transaction and the contract's logs in its block.
 * Only a successful transaction has logs, and so a long receipt.
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
