import { describe, expect, it } from '@jest/globals';
import { ChainError } from '@launch/chain';
import {
  addressOf,
  pairOf,
  wordOf,
  type Fault,
  type ScriptedChain,
} from '../../../../libs/chain/src/sources/fixtures/scripted-chain.fixture.js';
import { wholeRange } from './whole-range.js';

const [SOURCE, LAUNCHED] = [addressOf(7), wordOf(8)];
const log = { address: SOURCE, topics: [LAUNCHED] };
/** Seventeen blocks; every third has a launch, one has two. */
const chain: ScriptedChain = {
  first: 100,
  blocks: Array.from({ length: 17 }, (_, at) => (at % 3 === 0 ? [log, ...(at === 9 ? [log] : [])] : [])),
};
const read = (a?: Fault, b?: Fault) =>
  wholeRange(pairOf(chain, a, b), { addresses: [SOURCE], topics: [LAUNCHED] }, 100n, 116n);
const blocksOf = ([{ fromBlock, toBlock, blockHash }]: readonly any[]): number =>
  blockHash === undefined ? Number(toBlock) - Number(fromBlock) + 1 : 1;
const refusing =
  (most: number, code: ConstructorParameters<typeof ChainError>[0] = 'RPC_ANSWER_TOO_LARGE'): Fault =>
  (method, params) =>
    method === 'eth_getLogs' && blocksOf(params) > most
      ? new ChainError(code, { observer: 'a', method: 'eth_getLogs' })
      : undefined;

describe('a range of blocks', () => {
  it.each([1, 2, 5, 16])('is the same when an endpoint serves %s blocks at once', async (most) => {
    const whole = await read();
    if (whole.kind !== 'complete') throw new Error(whole.reason);
    expect(whole.logs).toHaveLength(7);
    for (const faults of [[refusing(most)], [undefined, refusing(most)], [refusing(most), refusing(most)]]) {
      const halved = await read(...faults);
      expect(halved).toMatchObject({ kind: 'complete', logs: whole.logs });
      if (halved.kind === 'complete')
        expect([halved.first.hash, halved.last.hash]).toEqual([whole.first.hash, whole.last.hash]);
    }
  });

  it('stays open when an endpoint refuses a single block, or does not answer', async () => {
    expect(await read(refusing(0))).toEqual({ kind: 'indeterminate', reason: expect.any(String) });
    expect(await read(refusing(0, 'RPC_UNREACHABLE'))).toEqual({ kind: 'indeterminate', reason: expect.any(String) });
  });

  it('stays open when the upper half belongs to another fork than the lower', async () => {
    const [one, other] = [pairOf(chain), pairOf({ ...chain, forkedFrom: 105 })];
    let asked = 0;
    // Replaces the chain after the lower half was read.
    const moved = [0, 1].map((place) => ({
      ...one[place]!,
      request: (method: string, params: readonly any[]) => {
        if (method === 'eth_getLogs' && Number(params[0].fromBlock) > 108) asked += 1;
        return (asked > 0 ? other : one)[place]!.request(method, params);
      },
      requestMany: (method: string, questions: readonly (readonly any[])[]) =>
        (asked > 0 ? other : one)[place]!.requestMany!(method, questions),
    })) as unknown as Parameters<typeof wholeRange>[0];
    const limited = moved.map((observer) => ({
      ...observer,
      request: async (method: string, params: readonly any[]) => {
        const refused = refusing(9)(method, params, () => undefined);
        if (refused instanceof ChainError) throw refused;
        return observer.request(method, params);
      },
    })) as unknown as Parameters<typeof wholeRange>[0];
    expect(await wholeRange(limited, { addresses: [SOURCE], topics: [LAUNCHED] }, 100n, 116n)).toEqual({
      kind: 'indeterminate',
      reason: 'block 109 was replaced while its range was read',
    });
  });
});
