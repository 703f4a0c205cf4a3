import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ObserverPair, RpcObserver } from '@launch/chain';
import type { Hex } from '@launch/contracts/primitives';
import { createChainHeads, type ChainHeads, type ChainView } from './chain-heads.js';

const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const PACE = { headMs: 1_000, finalMs: 5_000 };

let head: number;
let final: number;
let now: number;
/** The numbers of the blocks requested from one observer. */
let asked: string[];
let heads: ChainHeads;

const observer = (id: string): RpcObserver => ({
  id,
  chainId: 4663,
  originCommitment: hashOf(0),
  async request(_method, [at]) {
    if (id === 'a' && at !== 'latest') asked.push(String(at));
    const number = at === 'latest' ? head : Number(at);
    return {
      number: `0x${number.toString(16)}`,
      hash: hashOf(number),
      parentHash: hashOf(number - 1),
      timestamp: '0x1',
    };
  },
});

const headsAtPace = (pace: typeof PACE): ChainHeads => {
  const pair: ObserverPair = [observer('a'), observer('b')];
  const judgeFinal = async () =>
    ({ kind: 'final', block: { number: BigInt(final), hash: hashOf(final) }, evidence: null }) as const;
  return createChainHeads({ pair, judgeFinal, postingOf: async () => ({ kind: 'unknown' }) }, pace, () => now);
};

beforeEach(() => {
  [head, final, now, asked] = [100, 90, 0, []];
  heads = headsAtPace(PACE);
});

const view = async (): Promise<ChainView> => {
  const seen = await heads.view();
  if ('kind' in seen) throw new Error(seen.reason);
  return seen;
};
/** Reads a block under the current view. */
const ask = async (): Promise<void> => {
  await (await view()).reads.pair[0].request('eth_getBlockByNumber', ['0x32', false]);
};
const timesAsked = (): number => asked.filter((at) => at === '0x32').length;

describe('The view of a chain', () => {
  it('shares one request for a block among sources while head and final block are unchanged', async () => {
    await Promise.all([ask(), ask()]);
    now = PACE.headMs - 1;
    await ask();
    expect(timesAsked()).toBe(1);
  });

  it('repeats the request once the head was read again, even if it is unchanged', async () => {
    await ask();
    now = PACE.headMs;
    await ask();
    expect(timesAsked()).toBe(2);
  });

  it('repeats the request under an unchanged head once a new final block is known', async () => {
    heads = headsAtPace({ ...PACE, headMs: 60_000 });
    await ask();
    final = 95;
    now = PACE.finalMs;
    await ask();
    expect((await view()).final?.number).toBe(95n);
    expect(timesAsked()).toBe(2);
  });
});
