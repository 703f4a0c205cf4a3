import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, encodeEventTopics, keccak256, toHex, type Hex } from 'viem';
import { ChainError, type ChainErrorCode } from '../chain.error.js';
import { quantity, type RpcObserver } from '../rpc/observer.js';
import { BATCH_DELIVERED_ABI } from './inbox.abi.js';
import { rpcL1Observer } from './rpc-l1.observer.js';
import { launchFixture } from './simulation/fixtures/launch.fixture.js';

const SLOT = 12n;
const HEAD = 900_000n;
const DAY = 86_400n / SLOT;
const word = (text: string): Hex => keccak256(toHex(text));
const timeOf = (block: bigint): bigint => 1_000_000_000n + block * SLOT;
/** A launch whose permit became valid at a block's time. */
const launchedAt = (block: bigint) => launchFixture({ validAfter: timeOf(block), deadline: timeOf(block) + 3_600n });
const [delivered] = encodeEventTopics({ abi: [BATCH_DELIVERED_ABI], eventName: 'SequencerBatchDelivered' });

interface Endpoint {
  /** The block that holds batch 7; absent if none does. */
  readonly batchAt?: bigint;
  /** The blocks that a query may span, and the error for a longer one. */
  readonly accepts?: bigint;
  readonly refuses?: ChainErrorCode;
}

function endpoint({ batchAt, accepts = 1_000_000n, refuses = 'RPC_REFUSED' }: Endpoint) {
  const queries: [bigint, bigint][] = [];
  const target = launchedAt(HEAD - 1n);
  const rpc: RpcObserver = {
    id: 'l1-a',
    chainId: 1,
    originCommitment: '0x',
    async request(method, [first]) {
      if (method === 'eth_getBlockByNumber') {
        const number = first === 'latest' ? HEAD : BigInt(first as string);
        return {
          number: quantity(number),
          hash: word(`block ${number}`),
          parentHash: word(`block ${number - 1n}`),
          timestamp: quantity(timeOf(number)),
        };
      }
      const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
      const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
      queries.push([from, to]);
      if (to - from + 1n > accepts)
        throw new ChainError(refuses, {
          observer: 'l1-a',
          method,
          rpcCode: -32005,
          rpcMessage: 'range',
          limit: 1,
          problem: 'range',
          httpStatus: null,
        } as never);
      if (batchAt === undefined || batchAt < from || batchAt > to) return [];
      const data = encodeAbiParameters(
        BATCH_DELIVERED_ABI.inputs.filter(({ indexed }) => !indexed),
        [word('delayed'), 1n, { minTimestamp: 0n, maxTimestamp: 1n, minBlockNumber: 0n, maxBlockNumber: 1n }, 3],
      );
      return [
        {
          address: target.sequencerInbox,
          topics: [delivered, quantityWord(7n), word('before'), word('after')],
          data,
          blockNumber: quantity(batchAt),
          blockHash: word(`block ${batchAt}`),
          transactionHash: word('batch'),
          logIndex: '0x0',
        },
      ];
    },
  };
  return { observer: rpcL1Observer(rpc), queries };
}
const quantityWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

describe('the search for a batch on Ethereum', () => {
  it.each([
    ['just now', 2n, 1],
    ['last week', 7n * DAY, 6],
    ['before an outage of three months', 90n * DAY, 65],
  ])('finds one that was posted %s', async (_when, ago, queries) => {
    const { observer, queries: asked } = endpoint({ batchAt: HEAD - ago });
    expect(await observer.batchDeliveries(launchedAt(HEAD - ago - 100n), 7n, null)).toMatchObject([
      { batchNumber: 7n, blockNumber: HEAD - ago, afterAcc: word('after') },
    ]);
    expect(asked).toHaveLength(queries);
  });

  it.each([
    ['today', 10n, 1],
    ['two weeks ago', 14n * DAY, 11],
  ])('ends at the oldest possible batch of a launch of %s', async (_when, ago, queries) => {
    const { observer, queries: asked } = endpoint({});
    expect(await observer.batchDeliveries(launchedAt(HEAD - ago), 7n, null)).toEqual([]);
    expect(asked).toHaveLength(queries);
  });

  it.each(['RPC_REFUSED', 'RPC_ANSWER_TOO_LARGE', 'RPC_ANSWER_INVALID', 'RPC_TIMEOUT'] as const)(
    'narrows the range after %s and reads each block once',
    async (refuses) => {
      const { observer, queries } = endpoint({ batchAt: HEAD - 1_500n, accepts: 500n, refuses });
      expect(await observer.batchDeliveries(launchedAt(HEAD - 2_000n), 7n, null)).toHaveLength(1);
      const answered = queries.filter(([from, to]) => to - from < 500n);
      answered.forEach(([, to], index) => expect(to).toBe(index === 0 ? HEAD : answered[index - 1]![0] - 1n));
    },
  );

  it('starts at the expected block', async () => {
    const { observer, queries } = endpoint({ batchAt: HEAD - 30_000n });
    await observer.batchDeliveries(launchedAt(HEAD - 40_000n), 7n, HEAD - 30_000n);
    expect(queries).toEqual([[HEAD - 30_000n, HEAD - 30_000n]]);
  });

  it.each([
    ['refuses every query', { accepts: 0n }, 'RPC_REFUSED'],
    ['is away', { accepts: 0n, refuses: 'RPC_UNREACHABLE' }, 'RPC_UNREACHABLE'],
    ['accepts too few blocks for the search to arrive', { accepts: 10n }, 'RPC_ANSWER_INVALID'],
  ] as const)('makes no statement if an endpoint %s', async (_what, more, code) => {
    await expect(endpoint(more).observer.batchDeliveries(launchedAt(HEAD - 10_000n), 7n, null)).rejects.toMatchObject({
      code,
    });
  });
});
