import { ask, rpcReceiptSchema, type ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';

const nullable = rpcReceiptSchema.nullable();

/** A transaction's receipt, null while it has none. @throws ChainError */
export const getReceipt = (observer: RpcObserver, transactionHash: string): Promise<ChainReceipt | null> =>
  ask(observer, 'eth_getTransactionReceipt', [transactionHash], nullable);
