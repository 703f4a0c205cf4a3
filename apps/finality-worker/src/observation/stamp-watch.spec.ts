import type { RecoveryBlock } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { describe, expect, it } from '@jest/globals';
import { ChainError, type ObserverPair, type RpcObserver } from '@launch/chain';
import { ROUTER_V2_ABI } from '@launch/evm';
import { encodeEventTopics } from 'viem';
import { createStampWatch } from './stamp-watch.js';
import type { UnsentLaunch } from './unsent.repository.js';

const ROUTER = `0x${'a'.repeat(40)}` as const;
const LAUNCH_STAMPED = encodeEventTopics({ abi: ROUTER_V2_ABI, eventName: 'MultiRoleLaunchStampedV2' })[0];
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const;
const hex = (value: number) => `0x${value.toString(16)}`;

interface Stamp {
  readonly block: number;
  readonly launch: number;
  readonly transaction: number;
}

/** Two observers of one chain, each with its own head and stamps; the world records their requests. */
class World {
  readonly asked: string[] = [];
  readonly woken: string[] = [];
  readonly heads: [number | null, number | null] = [100, 100];
  readonly stamps: [Stamp[], Stamp[]] = [[], []];
  readonly launches = new Map<string, UnsentLaunch>();
  checkpoint: RecoveryBlock | null = null;
  isTemporalAway = false;
  time = 0;
  readonly watch = createStampWatch({
    l2: [this.observer(0), this.observer(1)] as ObserverPair,
    unsent: {
      add: async (launch) => void this.launches.set(launch.launchId, launch),
      remove: async (launchId) => void this.launches.delete(launchId),
      routers: async () => (this.launches.size === 0 ? [] : [{ router: ROUTER, searchFrom: 90n }]),
      ofStamps: async (_router, ids) => [...this.launches.values()].filter((one) => ids.includes(one.onchainLaunchId)),
    },
    checkpoints: { find: async () => this.checkpoint },
    wake: async (launchId, hash) => {
      if (this.isTemporalAway) throw new Error('no Temporal');
      this.woken.push(`${launchId} ${Number(hash)}`);
    },
    rangeBlocks: 10_000n,
    now: () => this.time,
  });

  add(launch: number): void {
    this.launches.set(`launch ${launch}`, {
      launchId: `launch ${launch}`,
      router: ROUTER,
      onchainLaunchId: word(launch),
      searchFrom: 90n,
    });
  }

  private observer(index: 0 | 1): RpcObserver {
    return {
      id: `l2-${index}`,
      chainId: 4663,
      originCommitment: word(0) as Hex,
      request: async (method, params) => {
        const head = this.heads[index];
        if (head === null) throw new ChainError('RPC_TIMEOUT', { observer: `l2-${index}`, method });
        if (method === 'eth_getBlockByNumber')
          return { number: hex(head), hash: word(head), parentHash: word(head - 1), timestamp: hex(head) };
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
        const [from, to] = [Number(fromBlock), Number(toBlock)];
        this.asked.push(`l2-${index} ${from}-${to}`);
        return this.stamps[index]
          .filter(({ block }) => block >= from && block <= to)
          .map(({ block, launch, transaction }) => ({
            address: ROUTER,
            topics: [LAUNCH_STAMPED, word(launch)],
            data: '0x',
            blockNumber: hex(block),
            blockHash: word(block),
            transactionHash: word(transaction),
            logIndex: '0x0',
          }));
      },
    };
  }
}

describe('The watch of unsent launches', () => {
  it('sends one request to each observer per poll, for any number of launches', async () => {
    const world = new World();
    for (let launch = 1; launch <= 500; launch += 1) world.add(launch);
    await world.watch.poll();
    expect(world.asked).toEqual(['l2-0 90-100', 'l2-1 90-100']);
    expect(world.watch.covers(ROUTER)).toBe(true);
  });

  it('sends no request without a launch', async () => {
    const world = new World();
    await world.watch.poll();
    expect([world.asked, world.watch.covers(ROUTER)]).toEqual([[], false]);
  });

  it('wakes a launch once, by the stamp of one observer', async () => {
    const world = new World();
    world.add(7);
    world.add(8);
    world.heads[0] = null;
    world.stamps[1].push({ block: 95, launch: 7, transaction: 70 }, { block: 96, launch: 9, transaction: 90 });
    await world.watch.poll();
    await world.watch.poll();
    expect(world.woken).toEqual(['launch 7 70']);
    expect([...world.launches.keys()]).toEqual(['launch 8']);
    expect(world.watch.covers(ROUTER)).toBe(true);
  });

  it('continues after the last block it read, and repeats blocks that a reorganisation may have replaced', async () => {
    const world = new World();
    world.add(7);
    await world.watch.poll();
    world.heads[0] = world.heads[1] = 300;
    await world.watch.poll();
    world.stamps[0].push({ block: 280, launch: 7, transaction: 70 });
    await world.watch.poll();
    expect(world.asked.filter((asked) => asked.startsWith('l2-0'))).toEqual([
      'l2-0 90-100',
      'l2-0 90-300',
      'l2-0 237-300',
    ]);
    expect(world.woken).toEqual(['launch 7 70']);
  });

  it('begins after the recovery’s checkpoint', async () => {
    const world = new World();
    world.add(7);
    world.checkpoint = { blockNumber: '97', blockHash: word(97) };
    await world.watch.poll();
    expect(world.asked[0]).toBe('l2-0 98-100');
  });

  it('retries a failed wake-up, and covers no launch meanwhile', async () => {
    const world = new World();
    world.add(7);
    world.stamps[0].push({ block: 95, launch: 7, transaction: 70 });
    world.stamps[1].push({ block: 95, launch: 7, transaction: 70 });
    world.isTemporalAway = true;
    await expect(world.watch.poll()).rejects.toThrow('no Temporal');
    expect([world.launches.size, world.watch.covers(ROUTER)]).toEqual([1, false]);
    world.isTemporalAway = false;
    await world.watch.poll();
    expect([...new Set(world.woken)]).toEqual(['launch 7 70']);
  });

  it('covers no launch after both observers were unavailable for a while', async () => {
    const world = new World();
    world.add(7);
    await world.watch.poll();
    world.heads[0] = world.heads[1] = null;
    world.time = 10_001;
    await world.watch.poll();
    expect(world.watch.covers(ROUTER)).toBe(false);
  });
});
