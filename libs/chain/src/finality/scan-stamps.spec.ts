import { describe, expect, it } from '@jest/globals';
import { encodeEventTopics, keccak256, toHex, type Hex } from 'viem';
import { ROUTER_V1_ABI, ROUTER_V2_ABI } from '@launch/evm';
import { ChainError } from '../chain.error.js';
import { quantity, type ObserverPair, type RpcObserver } from '../rpc/observer.js';
import { finalizedHead, scanStamps, type PinnedBlock, type StampSearch } from './scan-stamps.js';

const ROUTER: Hex = `0x${'2'.repeat(40)}`;
const STAMPED = encodeEventTopics({ abi: ROUTER_V2_ABI, eventName: 'MultiRoleLaunchStampedV2' })[0] as Hex;
const STAMPED_V1 = encodeEventTopics({ abi: ROUTER_V1_ABI, eventName: 'ServiceLaunchStampedV1' })[0] as Hex;
const word = (text: string): Hex => keccak256(toHex(text));
const block = (number: bigint, chain = 'a'): PinnedBlock => ({ number, hash: word(`${chain} ${number}`) });

interface Node {
  readonly finalized: bigint;
  /** Blocks with a launch of this name. */
  readonly stamps: Readonly<Record<string, bigint>>;
  readonly chain?: string;
  /** Blocks a log query may span. */
  readonly accepts?: bigint;
  readonly silent?: boolean;
  /** The event that its router emits; router V2's stamp by default. */
  readonly event?: Hex;
}

const asked: [bigint, bigint][] = [];

function observer(
  id: string,
  { finalized, stamps, chain = 'a', accepts = 1_000_000n, silent = false, event = STAMPED }: Node,
): RpcObserver {
  return {
    id,
    chainId: 4663,
    originCommitment: '0x',
    async request(method, [first]) {
      if (method === 'eth_getBlockByNumber') {
        const number = first === 'finalized' ? finalized : BigInt(first as string);
        return {
          number: quantity(number),
          hash: block(number, chain).hash,
          parentHash: block(number - 1n, chain).hash,
          timestamp: '0x1',
        };
      }
      const { fromBlock, toBlock, topics } = first as { fromBlock: string; toBlock: string; topics: Hex[][] };
      if (topics[0]?.includes(event) === false) return [];
      const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
      asked.push([from, to]);
      if (silent) throw new ChainError('RPC_TIMEOUT', { observer: id, method });
      if (to - from + 1n > accepts)
        throw new ChainError('RPC_REFUSED', { observer: id, method, rpcCode: -32005, rpcMessage: 'range' });
      return Object.entries(stamps)
        .filter(([, at]) => at >= from && at <= to)
        .map(([name, at]) => ({
          address: ROUTER,
          topics: [event, word(name)],
          data: '0x',
          blockNumber: quantity(at),
          blockHash: block(at, chain).hash,
          transactionHash: word(`sent ${name}`),
          logIndex: '0x0',
        }));
    },
  };
}

const pair = (first: Node, second: Node = first): ObserverPair => [observer('a', first), observer('b', second)];
const search = (more: Partial<StampSearch>): StampSearch => ({
  router: ROUTER,
  from: null,
  checkpoint: null,
  head: block(100n),
  ...more,
});
const names = (result: { stamps: readonly { onchainLaunchId: Hex }[] }): Hex[] =>
  result.stamps.map(({ onchainLaunchId }) => onchainLaunchId);
const LIMITS = { rangeBlocks: 40n, queries: 20, stamps: 256 };

describe('the search of stamps', () => {
  const node: Node = { finalized: 100n, stamps: { early: 3n, late: 70n, last: 100n, future: 101n } };

  it('takes the lower of both finalized blocks as its head', async () => {
    expect(await finalizedHead(pair(node, { ...node, finalized: 90n }))).toMatchObject({
      kind: 'agreed',
      value: block(90n),
    });
  });

  it('finds the stamps of router V1 and of router V2, and no other event of either', async () => {
    const found = await scanStamps(pair({ ...node, event: STAMPED_V1 }), search({ from: 2n }), LIMITS);
    expect(names(found)).toEqual([word('early'), word('late'), word('last')]);
    expect(names(await scanStamps(pair({ ...node, event: word('x') }), search({ from: 2n }), LIMITS))).toEqual([]);
  });

  it('searches from the first relevant block to the head, in ranges', async () => {
    asked.length = 0;
    const result = await scanStamps(pair(node), search({ from: 2n }), LIMITS);
    expect(result).toMatchObject({ through: block(100n), reason: null });
    expect(names(result)).toEqual(['early', 'late', 'last'].map(word));
    expect(result.stamps[0]?.transactionHash).toBe(word('sent early'));
    expect(asked.filter((_, index) => index % 2 === 0)).toEqual([
      [2n, 41n],
      [42n, 81n],
      [82n, 100n],
    ]);
  });

  it.each([
    ['continues after its checkpoint', { from: 2n, checkpoint: block(70n) }, ['last'], 100n],
    ['skips irrelevant blocks', { from: 80n, checkpoint: block(5n) }, ['last'], 100n],
    ['only advances if no launch is unfinished', { checkpoint: block(5n) }, [], 100n],
    ['begins at the head without any launch', {}, [], 100n],
    ['finds no new block', { from: 2n, checkpoint: block(100n) }, [], 100n],
    ['waits for launches after the head', { from: 150n }, [], 100n],
    [
      'restarts if the endpoints serve another chain',
      { from: 2n, checkpoint: block(70n, 'other') },
      ['early', 'late', 'last'],
      100n,
    ],
  ] as const)('%s', async (_what, more, found, through) => {
    const result = await scanStamps(pair(node), search(more), LIMITS);
    expect(names(result)).toEqual(found.map(word));
    expect(result).toMatchObject({ through: block(through), reason: null });
  });

  it.each([
    ['one observer hides a stamp', { ...node, stamps: { early: 3n } }, /stamps: a and b disagree/],
    ["one names another transaction's block", { ...node, stamps: { ...node.stamps, late: 71n } }, /disagree/],
    ['one observer is silent', { ...node, silent: true }, /b RPC_TIMEOUT/],
  ])('makes no statement if %s, and keeps the agreed results below', async (_what, second, reason) => {
    const result = await scanStamps(pair(node, second), search({ from: 2n, checkpoint: block(10n) }), LIMITS);
    expect(result.reason).toMatch(reason);
    expect(result.through?.number).toBeLessThan(70n);
    expect(names(result)).toEqual([]);
  });

  it('does not move to a head below its checkpoint', async () => {
    expect(await scanStamps(pair(node), search({ from: 2n, checkpoint: block(120n) }), LIMITS)).toEqual({
      stamps: [],
      through: block(120n),
      reason: expect.stringContaining('below the checkpoint'),
    });
  });

  it('narrows the range if an endpoint refuses or its log limit is reached', async () => {
    const refusing = await scanStamps(pair({ ...node, accepts: 10n }), search({ from: 2n }), {
      ...LIMITS,
      queries: 40,
    });
    expect(names(refusing)).toEqual(['early', 'late', 'last'].map(word));
    const crowd = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`crowd ${index}`, BigInt(index + 2)]));
    const first = await scanStamps(pair({ finalized: 100n, stamps: crowd }), search({ from: 2n }), {
      ...LIMITS,
      stamps: 10,
    });
    expect(first.stamps.length).toBe(10);
    expect(first.through).toEqual(block(11n));
  });
});
