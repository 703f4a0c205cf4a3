import { decodeFunctionData, encodeEventTopics, type Hex } from 'viem';
import { ChainError, isChainError } from '../chain.error.js';
import { getHeader } from '../reads/get-header.js';
import { getLogs } from '../reads/get-logs.js';
import { getTransaction } from '../reads/get-transaction.js';
import { isTooMuch, narrower, SMALLEST_RANGE } from '../reads/log-range.js';
import { readContract } from '../reads/read-contract.js';
import type { RpcObserver } from '../rpc/observer.js';
import type { ChainLog } from '../rpc/rpc-answers.schema.js';
import { BATCH_CALLS_ABI, BATCH_DELIVERED_ABI, BRIDGE_ABI } from './inbox.abi.js';
import type { BatchBounds, BatchDelivery, L1FinalityObserver, RollupPlace } from './ports.types.js';

/** Blocks in one log query, until the endpoint refuses. */
const LOG_RANGE = 10_000n;
/** Queries in one poll: nine months of L1 blocks, or days if an endpoint accepts a few hundred at once. */
const LOG_QUERIES = 200;

/** Adapts a JSON-RPC endpoint of Ethereum to the finality rule. */
export function rpcL1Observer(rpc: RpcObserver): L1FinalityObserver {
  return {
    id: rpc.id,
    header: (at) => getHeader(rpc, at),
    batchDeliveries: (rollup, batchNumber, expectedAt) => batchDeliveries(rpc, rollup, batchNumber, expectedAt),
    batchBounds: (rollup, transactionHash) => batchBounds(rpc, rollup, transactionHash),
    accumulator: (rollup, batchNumber, blockHash) => accumulator(rpc, rollup, batchNumber, blockHash),
  };
}

async function batchDeliveries(
  rpc: RpcObserver,
  rollup: RollupPlace,
  batchNumber: bigint,
  expectedAt: bigint | null,
): Promise<BatchDelivery[]> {
  const topics = encodeEventTopics({ abi: [BATCH_DELIVERED_ABI], args: { batchSequenceNumber: batchNumber } }).slice(
    0,
    2,
  ) as Hex[];
  const find = async (from: bigint, to: bigint): Promise<BatchDelivery[]> =>
    (await getLogs(rpc, { address: rollup.sequencerInbox, topics, blocks: { from, to } })).map((log) =>
      delivery(log, batchNumber),
    );

  const head = await getHeader(rpc, 'latest');
  if (head === null)
    throw new ChainError('RPC_ANSWER_INVALID', {
      observer: rpc.id,
      method: 'eth_getBlockByNumber',
      problem: 'no latest block',
    });
  if (expectedAt !== null && expectedAt <= head.number) {
    const found = await find(expectedAt, expectedAt);
    if (found.length > 0) return found;
  }
  let to = head.number;
  let range = LOG_RANGE;
  for (let query = 0; query < LOG_QUERIES; query++) {
    const from = to >= range ? to - range + 1n : 0n;
    try {
      const found = await find(from, to);
      if (found.length > 0 || from === 0n || (await isBeforeWindow(rpc, rollup, from))) return found;
      to = from - 1n;
    } catch (error) {
      if (range <= SMALLEST_RANGE || !(error instanceof ChainError) || !isTooMuch(error.code)) throw error;
      range = narrower(range);
    }
  }
  throw new ChainError('RPC_ANSWER_INVALID', {
    observer: rpc.id,
    method: 'eth_getLogs',
    problem: 'not searched back to the permit window',
  });
}

/**
 * Checks whether a block is older than the permit's window. A batch that holds the launch is posted later than its
 * start.
 */
async function isBeforeWindow(rpc: RpcObserver, { window }: RollupPlace, block: bigint): Promise<boolean> {
  const header = await getHeader(rpc, block);
  return header !== null && header.timestamp < window.validAfter;
}

const delivery = (log: ChainLog, batchNumber: bigint): BatchDelivery => ({
  batchNumber,
  afterAcc: log.topics[3] ?? '0x',
  blockNumber: log.blockNumber,
  blockHash: log.blockHash,
  transactionHash: log.transactionHash,
  logIndex: log.logIndex,
});

async function batchBounds(rpc: RpcObserver, rollup: RollupPlace, transactionHash: Hex): Promise<BatchBounds | null> {
  const transaction = await getTransaction(rpc, transactionHash);
  if (transaction === null || transaction.to !== rollup.sequencerInbox) return null;
  return decodeBatchCall(transaction.input);
}

/** Decodes the number and message counts of a call that posts a batch; null for any other call. */
export function decodeBatchCall(input: Hex): BatchBounds | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: BATCH_CALLS_ABI, data: input });
    const withData =
      functionName !== 'addSequencerL2BatchFromBlobs' && functionName !== 'addSequencerL2BatchFromBlobsDelayProof';
    const [prevMessageCount, newMessageCount] = args.slice(withData ? 4 : 3) as [bigint, bigint];
    return { sequenceNumber: args[0], prevMessageCount, newMessageCount };
  } catch {
    return null;
  }
}

async function accumulator(
  rpc: RpcObserver,
  rollup: RollupPlace,
  batchNumber: bigint,
  blockHash: Hex,
): Promise<Hex | null> {
  try {
    return await readContract(rpc, { address: rollup.bridge, abi: BRIDGE_ABI }, 'sequencerInboxAccs', [batchNumber], {
      hash: blockHash,
    });
  } catch (error) {
    if (isChainError(error, 'RPC_REVERTED')) return null;
    throw error;
  }
}
