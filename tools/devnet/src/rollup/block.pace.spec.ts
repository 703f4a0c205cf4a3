import { describe, expect, it } from '@jest/globals';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { BatchPoster } from './batch.poster.js';
import { BlockPace } from './block.pace.js';
import { FinalityView } from './finality.view.js';
import { GENESIS_L2_BLOCK } from './rollup.abi.js';

const BATCH = '0xbatch';
const timing = { l1BlockMs: 1000, l2BlockMs: 250, idleBlockMs: 10_000, postEveryMs: 2000, l1FinalityDepth: 8 };

interface Chains {
  pending?: number;
  l1Head?: number;
  /** Newest block on disk. */
  durable?: { '1'?: number; '4663'?: number };
  /** Blocks with transactions on L2, counted from the genesis block, and on L1. */
  l2Filled?: number;
  l1Filled?: { number: number; hash: string };
  batches?: { l1Block: number; lastL2Block: number }[];
  idleBlockMs?: number;
}

/** Returns a pace, and the final blocks, over chains that rest. */
function over({
  pending = 0,
  l1Head = 100,
  durable = {},
  l2Filled = 0,
  l1Filled,
  batches = [{ l1Block: 90, lastL2Block: 50 }],
  idleBlockMs = 10_000,
}: Chains) {
  const client = (head: number) =>
    ({
      head: async () => head,
      call: async () => ({ pending: `0x${pending.toString(16)}`, queued: '0x0' }),
    }) as unknown as JsonRpcClient;
  const recorder = (recorded: number, limit: number | undefined, filled: number, hash: string) =>
    ({
      recorded,
      durable: limit ?? recorded,
      hasTransactionAbove: (number: number, counts: (hash: string) => boolean = () => true) =>
        filled > number && counts(hash),
    }) as unknown as ChainRecorder;
  const l2Head = GENESIS_L2_BLOCK + 60;
  const recorders = {
    '1': recorder(l1Head, durable['1'], l1Filled?.number ?? 0, l1Filled?.hash ?? ''),
    '4663': recorder(
      l2Head,
      durable['4663'] === undefined ? undefined : GENESIS_L2_BLOCK + durable['4663'],
      GENESIS_L2_BLOCK + l2Filled,
      '',
    ),
  };
  const clients = { '1': client(l1Head), '4663': client(l2Head) };
  const last = batches.at(-1)?.lastL2Block ?? 0;
  const poster = {
    lastL2BlockPostedBy: (block: number) =>
      GENESIS_L2_BLOCK + (batches.findLast((batch) => batch.l1Block <= block)?.lastL2Block ?? 0),
    isBatch: (hash: string) => hash === BATCH,
    lastPostedL2Block: GENESIS_L2_BLOCK + last,
  } as unknown as BatchPoster;
  const view = new FinalityView({ clients, recorders, poster, l1FinalityDepth: timing.l1FinalityDepth });
  const pace = new BlockPace({ timing: { ...timing, idleBlockMs }, clients, recorders, poster, view });
  return { pace, view };
}

describe('the pace of blocks', () => {
  it('slows to a block every ten seconds and a batch per minute while everything is final', async () => {
    const { pace } = over({ l2Filled: 50, l1Filled: { number: 99, hash: BATCH } });
    expect(pace.isBusy()).toBe(false);
    for (const [chain, tick] of [
      ['1', 1000],
      ['4663', 250],
    ] as const) {
      expect(await pace.isBlockDue(chain, 10_000 - tick)).toBe(false);
      expect(await pace.isBlockDue(chain, 10_000)).toBe(true);
    }
    expect(pace.postEveryMs()).toBe(60_000);
  });

  it('puts a waiting transaction into a block at the next check', async () => {
    expect(await over({ l2Filled: 50, pending: 1 }).pace.isBlockDue('4663', 0)).toBe(true);
  });

  it.each<[string, Chains]>([
    ['is not posted yet', { l2Filled: 55 }],
    [
      'is in a batch that is not final yet',
      {
        l2Filled: 45,
        batches: [
          { l1Block: 90, lastL2Block: 40 },
          { l1Block: 95, lastL2Block: 50 },
        ],
      },
    ],
    ['is in a block of L1 that is not final yet', { l2Filled: 50, l1Filled: { number: 93, hash: '0xother' } }],
    ['is in a final batch, but not on disk', { l2Filled: 50, durable: { '4663': 49 } }],
  ])('stays normal while a transaction %s', async (_how, chains) => {
    const { pace } = over(chains);
    expect(pace.isBusy()).toBe(true);
    expect(await pace.isBlockDue('1', 1000)).toBe(true);
    expect(await pace.isBlockDue('4663', 1000)).toBe(true);
    expect(await pace.isBlockDue('4663', 250)).toBe(false);
  });

  it('posts a block with a transaction at once, and empty blocks with the next batch', () => {
    expect(over({ l2Filled: 55 }).pace.postEveryMs()).toBe(2000);
    expect(over({ l2Filled: 45, batches: [{ l1Block: 95, lastL2Block: 50 }] }).pace.postEveryMs()).toBe(60_000);
  });

  it('stays normal for chains that are never idle', async () => {
    const { pace } = over({ l2Filled: 50, idleBlockMs: 0 });
    expect(await pace.isBlockDue('4663', 0)).toBe(true);
    expect(pace.postEveryMs()).toBe(2000);
  });
});

describe('the final block', () => {
  it('never exceeds the newest block on disk, on either chain', async () => {
    const batches = [
      { l1Block: 80, lastL2Block: 30 },
      { l1Block: 90, lastL2Block: 50 },
    ];
    const of = async (durable: Chains['durable']) => {
      const { view } = over({ batches, durable });
      return [(await view.of('1')).finalized, (await view.of('4663')).finalized - GENESIS_L2_BLOCK];
    };
    expect(await of({})).toEqual([92, 50]);
    expect(await of({ '4663': 44 })).toEqual([92, 44]);
    expect(await of({ '1': 91 })).toEqual([91, 50]);
    // The batch of the newest blocks is not on disk, so a kill removes it.
    expect(await of({ '1': 89 })).toEqual([89, 30]);
    expect(await of({ '1': 70, '4663': 20 })).toEqual([70, 0]);
  });
});
