import { z } from 'zod';
import { ChainError } from '../chain.error.js';
import { ask, rpcLogSchema, rpcReceiptSchema, type ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';

const nullable = rpcReceiptSchema.nullable();
const withForeignLogs = rpcReceiptSchema.extend({ logs: z.array(z.looseObject({ address: z.string() })) }).nullable();
const ownLogs = z.array(rpcLogSchema);

/**
 * A transaction's receipt, null while it has none.
 * @param contracts whose logs are wanted, lowercase: the logs of others are dropped before they are read. All, where none are named.
 * @throws ChainError
 */
export async function getReceipt(
  observer: RpcObserver,
  transactionHash: string,
  contracts?: readonly string[],
): Promise<ChainReceipt | null> {
  if (contracts === undefined) return ask(observer, METHOD, [transactionHash], nullable);
  const receipt = await ask(observer, METHOD, [transactionHash], withForeignLogs);
  if (receipt === null) return null;
  const logs = ownLogs.safeParse(receipt.logs.filter(({ address }) => contracts.includes(address.toLowerCase())));
  if (logs.success) return { ...receipt, logs: logs.data };
  throw new ChainError('RPC_ANSWER_INVALID', { observer: observer.id, method: METHOD, problem: 'logs: invalid' });
}

const METHOD = 'eth_getTransactionReceipt';
