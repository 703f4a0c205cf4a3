import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from './observer.js';
import { sharingObserver } from './sharing.observer.js';

const COMMITMENT = `0x${'0'.repeat(64)}` as const;

/** An observer that numbers its answers and fails a configured number of times. */
function counting() {
  const asked: string[] = [];
  let failures = 0;
  const answer = (question: string): number => {
    asked.push(question);
    if (failures > 0) {
      failures -= 1;
      throw new ChainError('RPC_TIMEOUT', { observer: 'a', method: 'eth_chainId' });
    }
    return asked.length;
  };
  const observer: RpcObserver = {
    id: 'a',
    chainId: 4663,
    originCommitment: COMMITMENT,
    request: async (method, params) => answer(`${method} ${JSON.stringify(params)}`),
    requestMany: async (method, questions) => [answer(`${method} ${questions.length} at once`)],
  };
  return { observer, asked, fail: (times: number) => (failures = times) };
}
const blocks = (count: number): readonly (readonly unknown[])[] =>
  Array.from({ length: count }, (_, number) => [number, false]);

describe('a shared observer', () => {
  it('requests a block by number, and the chain ID, once for concurrent and for later callers', async () => {
    const { observer, asked } = counting();
    const shared = sharingObserver(observer);
    const block = () => shared.request('eth_getBlockByNumber', ['0x1', false]);
    expect(await Promise.all([block(), block(), shared.request('eth_chainId', [])])).toEqual([1, 1, 2]);
    expect(await block()).toBe(1);
    expect(await shared.request('eth_getBlockByNumber', ['0x2', false])).toBe(3);
    expect(asked).toHaveLength(3);
  });

  it('requests the same batch of blocks once, and a long batch each time', async () => {
    const { observer, asked } = counting();
    const shared = sharingObserver(observer);
    const many = (count: number) => shared.requestMany!('eth_getBlockByNumber', blocks(count));
    expect(await Promise.all([many(8), many(8), many(9)])).toEqual([[1], [1], [2]]);
    await Promise.all([many(65), many(65)]);
    expect(asked).toHaveLength(4);
  });

  it.each(['eth_getLogs', 'eth_getTransactionReceipt', 'eth_getBlockByHash', 'eth_call'])(
    'sends each request of %s',
    async (method) => {
      const { observer, asked } = counting();
      const shared = sharingObserver(observer);
      await Promise.all([shared.request(method, []), shared.request(method, []), shared.requestMany!(method, [[]])]);
      expect(asked).toHaveLength(3);
    },
  );

  it('repeats a failed request', async () => {
    const { observer, fail } = counting();
    const shared = sharingObserver(observer);
    fail(1);
    await expect(shared.request('eth_chainId', [])).rejects.toMatchObject({ code: 'RPC_TIMEOUT' });
    expect(await shared.request('eth_chainId', [])).toBe(2);
  });

  it('repeats a batch with one failed request', async () => {
    const { observer } = counting();
    const failure = new ChainError('RPC_TIMEOUT', { observer: 'a', method: 'eth_getBlockByNumber' });
    let times = 0;
    const requestMany: RpcObserver['requestMany'] = async () => [(times += 1) === 1 ? failure : times];
    const shared = sharingObserver({ ...observer, requestMany });
    expect(await shared.requestMany!('eth_getBlockByNumber', blocks(1))).toEqual([failure]);
    expect(await shared.requestMany!('eth_getBlockByNumber', blocks(1))).toEqual([2]);
    expect(await shared.requestMany!('eth_getBlockByNumber', blocks(1))).toEqual([2]);
  });

  it('keeps 4 MiB of answers, and evicts the least recently used one first', async () => {
    const { observer, asked } = counting();
    const shared = sharingObserver(observer);
    const block = (number: number) => shared.request('eth_getBlockByNumber', [number, false]);
    for (let number = 0; number < 600; number++) {
      await block(number);
      await block(0);
    }
    expect(asked).toHaveLength(600);
    await block(599);
    expect(asked).toHaveLength(600);
    await block(1);
    expect(asked).toHaveLength(601);
  });

  it('does not batch if the observer does not', () => {
    const { observer } = counting();
    const { requestMany: _none, ...single } = observer;
    expect(sharingObserver(single).requestMany).toBeUndefined();
  });
});
