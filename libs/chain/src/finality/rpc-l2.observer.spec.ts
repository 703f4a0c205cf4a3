import { describe, expect, it } from '@jest/globals';
import { keccak256, toHex, type Hex } from 'viem';
import { ChainError, type ChainErrorCode } from '../chain.error.js';
import { quantity, type RpcObserver } from '../rpc/observer.js';
import { rpcL2Observer } from './rpc-l2.observer.js';
import { launchFixture } from './simulation/fixtures/launch.fixture.js';

const HEAD = 500_000n;
const FROM = 100_000n;
const target = launchFixture({ validAfter: 1n, deadline: 2n }, FROM);
const word = (text: string): Hex => keccak256(toHex(text));

function endpoint({
  stampedAt,
  accepts = 1_000_000n,
  refuses = 'RPC_REFUSED' as ChainErrorCode,
}: {
  stampedAt: bigint;
  accepts?: bigint;
  refuses?: ChainErrorCode;
}) {
  const queries: [bigint, bigint][] = [];
  const rpc: RpcObserver = {
    id: 'l2-a',
    chainId: 4663,
    originCommitment: '0x',
    async request(method, [first]) {
      if (method === 'eth_getBlockByNumber')
        return { number: quantity(HEAD), hash: word('head'), parentHash: word('before'), timestamp: '0x1' };
      const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
      const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
      queries.push([from, to]);
      if (to - from + 1n > accepts)
        throw new ChainError(refuses, {
          observer: 'l2-a',
          method,
          rpcCode: -32005,
          rpcMessage: 'range',
          limit: 1,
          problem: 'range',
          httpStatus: null,
        } as never);
      if (stampedAt < from || stampedAt > to) return [];
      // A stamp is several logs of one transaction.
      return [0, 1, 2].map((index) => ({
        address: target.router,
        topics: [word('event'), target.stamp.launchId],
        data: '0x',
        blockNumber: quantity(stampedAt),
        blockHash: word('block'),
        transactionHash: word('sent'),
        logIndex: quantity(BigInt(index)),
      }));
    },
  };
  return { observer: rpcL2Observer(rpc, { rangeBlocks: 10_000n, searchBlocks: 200_000n }), queries };
}

describe('the search for a launch by its stamp', () => {
  it.each([
    ['soon after its simulation', FROM, 1],
    ['at the end of an observation’s search range', FROM + 200_000n, 21],
  ])('finds one %s', async (_when, stampedAt, queries) => {
    const { observer, queries: asked } = endpoint({ stampedAt });
    expect(await observer.stampTransactions(target)).toEqual([word('sent')]);
    expect(asked).toHaveLength(queries);
  });

  it('leaves a later one to recovery', async () => {
    expect(await endpoint({ stampedAt: FROM + 200_001n }).observer.stampTransactions(target)).toEqual([]);
  });

  it.each(['RPC_REFUSED', 'RPC_ANSWER_TOO_LARGE', 'RPC_TIMEOUT'] as const)(
    'narrows the range after %s and reads no block twice',
    async (refuses) => {
      const { observer, queries } = endpoint({ stampedAt: FROM + 700n, accepts: 10n, refuses });
      expect(await observer.stampTransactions(target)).toEqual([word('sent')]);
      const answered = queries.filter(([from, to]) => to - from < 10n);
      answered.forEach(([from], index) => expect(from).toBe(index === 0 ? FROM : answered[index - 1]![1] + 1n));
    },
  );

  it('bounds the queries of one poll, and does not retry an unreachable endpoint', async () => {
    const { observer, queries } = endpoint({ stampedAt: HEAD, accepts: 10n });
    expect(await observer.stampTransactions(target)).toEqual([]);
    expect(queries).toHaveLength(100);
    const away = endpoint({ stampedAt: FROM, accepts: 0n, refuses: 'RPC_UNREACHABLE' });
    await expect(away.observer.stampTransactions(target)).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' });
    expect(away.queries).toHaveLength(1);
  });
});
