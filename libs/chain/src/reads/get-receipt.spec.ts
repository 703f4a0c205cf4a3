import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from '../rpc/observer.js';
import { addressOf, scriptedObserver, transactionHashOf, wordOf } from '../sources/fixtures/scripted-chain.fixture.js';
import { getLongReceipt, getReceipt } from './get-receipt.js';

const [ROUTER, STRANGER] = [addressOf(0x5f), addressOf(0x99)];

/**
 * A transaction with two logs of the router among logs of another contract. The observer refuses its receipt if it
 * exceeds the requested bound.
 */
function crowded(foreign: number): RpcObserver & { readonly asked: ReadonlyMap<string, number> } {
  const noise = Array.from({ length: foreign }, (_, at) => ({
    address: STRANGER,
    topics: [wordOf(at), wordOf(1), wordOf(2), wordOf(3)],
    transaction: 0,
  }));
  const own = [7, 8].map((id) => ({ address: ROUTER, topics: [wordOf(id)], transaction: 0 }));
  const other = { address: ROUTER, topics: [wordOf(9)], transaction: 1 };
  const scripted = scriptedObserver('a', { first: 10, blocks: [[...noise, ...own, other]] });
  return {
    ...scripted,
    async request(method, params, answerBytes = Number.POSITIVE_INFINITY) {
      const answer = await scripted.request(method, params);
      if (JSON.stringify(answer).length <= answerBytes) return answer;
      throw new ChainError('RPC_ANSWER_TOO_LARGE', { observer: 'a', method, limit: answerBytes });
    },
  };
}

describe('a receipt', () => {
  it('is read whole with 1,100 logs of other contracts, and refused if it is long', async () => {
    const receipt = await getReceipt(crowded(1_100), transactionHashOf(10, 0));
    expect(receipt?.logs).toHaveLength(1_102);
    await expect(getReceipt(crowded(60_000), transactionHashOf(10, 0))).rejects.toMatchObject({
      code: 'RPC_ANSWER_TOO_LARGE',
    });
  });

  it('has the same logs of one contract among 60,000 others as among three', async () => {
    const [short, long] = await Promise.all(
      [3, 60_000].map((foreign) => getLongReceipt(crowded(foreign), transactionHashOf(10, 0), ROUTER)),
    );
    const topics = (receipt: typeof short) => receipt?.logs.map(({ topics: [topic] }) => topic);
    expect([topics(short), topics(long)]).toEqual([
      [wordOf(7), wordOf(8)],
      [wordOf(7), wordOf(8)],
    ]);
    expect(long).toMatchObject({ status: 'success', transactionIndex: 0n, blockHash: short?.blockHash });
  });

  it('is null while the transaction has none', async () => {
    expect(await getReceipt(crowded(3), wordOf(1))).toBeNull();
    expect(await getLongReceipt(crowded(3), wordOf(1), ROUTER)).toBeNull();
  });
});
