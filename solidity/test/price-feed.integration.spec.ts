/** The development chains' price feed: every answer that a reader of an AggregatorV3 feed must be able to refuse. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import { Chain } from './support/chain.js';
import { encodeCall, inSnapshot, startTimeout } from './support/world.js';

const contract = 'devnet/PriceFeed';
const price = 2_500n * 10n ** 8n;
let chain: Chain;
let owner: Address;
let stranger: Address;
let feed: Address;
let madeAt: bigint;
beforeAll(async () => {
  chain = await Chain.start();
  [owner, stranger] = await chain.rpc<[Address, Address]>('eth_accounts');
  feed = await chain.deploy(owner, artifact(contract), [owner, 8, 'ETH / USD', price]);
  madeAt = await chain.time();
}, startTimeout);
afterAll(() => chain?.close());

const read = <T>(name: string, ...args: unknown[]) => chain.read<T>(feed, contract, name, args);
const write = (name: string, ...args: unknown[]) =>
  chain.send({ from: owner, to: feed, data: encodeCall(contract, name, args) });

describe('the price feed of the development chains', () => {
  it('has a complete round from its first block on, in its configured decimals', async () => {
    const now = await chain.time();
    expect(await read('latestRoundData')).toEqual([1n, price, madeAt, now, 1n]);
    expect(await read('getRoundData', 1n)).toEqual([1n, price, madeAt, now, 1n]);
    expect([await read('decimals'), await read('description'), await read('version')]).toEqual([8, 'ETH / USD', 4n]);
  });

  it.each([0n, -1n, price * 2n])('answers %d when it is set to it', (answer) =>
    inSnapshot(chain, async () => {
      await write('setAnswer', answer);
      const now = await chain.time();
      expect(await read('latestRoundData')).toEqual([2n, answer, now, now, 2n]);
      expect(await read('getRoundData', 1n)).toEqual([1n, price, madeAt, now, 1n]);
      await chain.rpc('evm_mine', { timestamp: Number(now) + 86_400 });
      expect(await read('latestRoundData')).toEqual([2n, answer, now, now + 86_400n, 2n]);
      expect(await read('getRoundData', 1n)).toEqual([1n, price, madeAt, now, 1n]);
    }),
  );

  it.each([-86_400n, 86_400n])('differs by %d seconds when it is set to that, and keeps the difference', (seconds) =>
    inSnapshot(chain, async () => {
      await write('setAnswerAt', price, madeAt + seconds);
      await chain.rpc('evm_mine', { timestamp: Number(await chain.time()) + 60 });
      expect(await read('latestRoundData')).toEqual([2n, price, madeAt + seconds, madeAt + seconds, 2n]);
    }),
  );

  it('leaves a round open on request, with the previous answer', () =>
    inSnapshot(chain, async () => {
      await write('openRound');
      expect(await read('latestRoundData')).toEqual([2n, price, await chain.time(), 0n, 1n]);
    }));

  it('obeys its owner only, and has no other rounds', async () => {
    for (const [name, ...args] of [['setAnswer', 1n], ['setAnswerAt', 1n, 1n], ['openRound']] as const)
      expect(await chain.refusal({ from: stranger, to: feed, data: encodeCall(contract, name, [...args]) })).toEqual([
        'NotOwner',
      ]);
    for (const round of [0n, 2n])
      expect(
        await chain.refusal({ from: stranger, to: feed, data: encodeCall(contract, 'getRoundData', [round]) }),
      ).toEqual(['NoSuchRound']);
  });
});
