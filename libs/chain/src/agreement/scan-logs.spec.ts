import { describe, expect, it } from '@jest/globals';
import { addressOf, pairOf, wordOf, type ScriptedChain } from '../sources/fixtures/scripted-chain.fixture.js';
import { commonHead } from './common-head.js';
import { scanLogs } from './scan-logs.js';

const [ROUTER, FACTORY, FOREIGN] = [addressOf(0x5f), addressOf(0x60), addressOf(0x99)];
const [STAMPED, LAUNCHED, OTHER] = [wordOf(0xaa), wordOf(0xbb), wordOf(0xcc)];
const LIMITS = { rangeBlocks: 40n, queries: 20, found: 20_000 };

/** Returns the second topics of the logs found on a chain, from its second block on. */
async function found(chain: ScriptedChain, limits = LIMITS) {
  const pair = pairOf(chain);
  const head = await commonHead(pair, 'finalized');
  if (head.kind === 'indeterminate') throw new Error(head.reason);
  const filter = { addresses: [ROUTER, FACTORY], topics: [STAMPED, LAUNCHED] };
  const search = { what: 'launches', filter, from: BigInt(chain.first), checkpoint: null, head: head.value };
  const result = await scanLogs(
    pair,
    { ...search, decode: (logs) => logs.flatMap(({ topics }) => topics.slice(1)) },
    limits,
  );
  return { ...result, asked: pair.map(({ asked }) => asked.get('eth_getLogs')) };
}

describe('a search of logs', () => {
  it('finds logs of several contracts and events, decoded by the caller', async () => {
    const blocks = Array.from({ length: 100 }, (_, index) => {
      if (index === 7) return [{ address: ROUTER, topics: [STAMPED, wordOf(1)] }];
      if (index === 60)
        return [
          { address: FOREIGN, topics: [STAMPED, wordOf(9)] },
          { address: ROUTER, topics: [OTHER, wordOf(8)] },
          { address: FACTORY, topics: [LAUNCHED, wordOf(2)] },
        ];
      return [];
    });
    const { found: said, through, reason } = await found({ first: 100, blocks });
    expect([said, through?.number, reason]).toEqual([[wordOf(1), wordOf(2)], 199n, null]);
  });

  it('treats an answer at the endpoint’s log limit as truncated and requests fewer blocks', async () => {
    const crowd = Array.from({ length: 100 }, () => ({ address: ROUTER, topics: [STAMPED, wordOf(3)] }));
    const chain = { first: 100, blocks: Array.from({ length: 100 }, () => crowd) };
    const { found: said, reason, asked } = await found(chain, { ...LIMITS, rangeBlocks: 100n });
    expect([said.length, reason]).toEqual([10_000, null]);
    // The first query covers all blocks and reaches the node's limit; each later query covers a quarter of the blocks.
    expect(asked).toEqual([5, 5]);
  });
});
