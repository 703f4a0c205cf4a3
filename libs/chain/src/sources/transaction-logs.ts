import type { IndexSource } from '@launch/contracts/index';
import type { SourceReceipt } from '@launch/evm/sources';
import type { Hex } from 'viem';
import { agree, indeterminate, type Indeterminate } from '../agreement/agreement.js';
import { isChainError } from '../chain.error.js';
import { getReceipt } from '../reads/get-receipt.js';
import type { RpcObserver } from '../rpc/observer.js';
import type { ChainReceipt } from '../rpc/rpc-answers.schema.js';
import { blockLogs } from './block-logs.js';
import type { BlockFilter } from './log-filter.js';
import type { RangeReads } from './range-reads.js';
import type { ChainPlace } from './range-result.js';

/** A transaction in its block. */
export interface TransactionPlace {
  readonly transactionHash: Hex;
  readonly block: ChainPlace;
}

/** A transaction whose narrowest requests all exceed the bounds. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly transactionHash: Hex;
  readonly reason: string;
}

/**
 * Reads a transaction's logs of a source's contract, as both observers return them by the block's hash. They suffice to
 * judge a launch. Logs of other contracts are never read, so they cannot obstruct a launch. If a block's answer is too
 * large, the query narrows to the contract, then to the transaction's receipt.
 */
export async function transactionLogs(
  reads: RangeReads,
  { address }: Pick<IndexSource, 'address'>,
  place: TransactionPlace,
): Promise<{ readonly kind: 'listed'; readonly receipt: SourceReceipt | null } | Indeterminate | Unreadable> {
  const { transactionHash, block } = place;
  const addresses = [...new Set([...reads.everything().addresses, address])].sort();
  const filters: readonly BlockFilter[] = [
    { addresses, topics: null },
    ...(addresses.length > 1 ? [{ addresses: [address], topics: null }] : []),
  ];
  let staysUnlisted = false;
  for (const filter of filters) {
    const answer = (await blockLogs(reads, filter, [block])).get(block.hash)!;
    if (answer.kind === 'unlisted') {
      if (!answer.asksTooMuch) return indeterminate(answer.reason);
      staysUnlisted = answer.isTooLarge;
      continue;
    }
    const own = answer.logs.filter((log) => log.transactionHash === transactionHash && log.address === address);
    return { kind: 'listed', receipt: own.length === 0 ? null : receiptOf(place, own[0]!.transactionIndex, own) };
  }
  const received = await fromReceipt(reads, address, place);
  // A query that failed for a reason other than its size may succeed the next time.
  return received.kind === 'unreadable' && !staysUnlisted ? indeterminate(received.reason) : received;
}

async function fromReceipt(
  { pair }: RangeReads,
  address: Hex,
  place: TransactionPlace,
): Promise<{ readonly kind: 'listed'; readonly receipt: SourceReceipt | null } | Indeterminate | Unreadable> {
  const { transactionHash, block } = place;
  let isTooLarge = false;
  const receipt = await agree<RpcObserver, ChainReceipt | null>(pair, 'receipt', async (observer) => {
    try {
      return await getReceipt(observer, transactionHash);
    } catch (error) {
      isTooLarge ||= isChainError(error, 'RPC_ANSWER_TOO_LARGE');
      throw error;
    }
  });
  if (receipt.kind === 'indeterminate')
    return isTooLarge ? { kind: 'unreadable', transactionHash, reason: receipt.reason } : receipt;
  if (receipt.value === null) return indeterminate('receipt: absent');
  const { blockHash, transactionIndex } = receipt.value;
  const logs = receipt.value.logs.filter((log) => log.address === address);
  if (blockHash !== block.hash) return indeterminate(`receipt: of another block than ${block.hash}`);
  return { kind: 'listed', receipt: logs.length === 0 ? null : receiptOf(place, transactionIndex, logs) };
}

/** Reads the logs from the receipt. Only a successful transaction has logs. */
const receiptOf = (
  { block, transactionHash }: TransactionPlace,
  transactionIndex: bigint,
  logs: ChainReceipt['logs'],
): SourceReceipt => ({
  block: { number: block.number.toString(), hash: block.hash, timestamp: block.timestamp.toString() },
  transactionHash,
  transactionIndex: Number(transactionIndex),
  status: 'success',
  logs: logs.map(({ address, topics, data, logIndex }) => ({ address, topics, data, logIndex: Number(logIndex) })),
});
