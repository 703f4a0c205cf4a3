import { ChainError, recentStamps, type ObserverPair, type RpcObserver } from '@launch/chain';
import type { Hex } from '@launch/contracts/primitives';
import type { CheckpointRepository } from '../recovery/checkpoint.repository.js';
import type { UnsentRepository, WatchedRouter } from './unsent.repository.js';

/**
 * Polls a router's newest stamps for all launches without a known transaction. The result only directs the search: a
 * launch whose stamp one observer has is woken with its transaction's hash, like by a client's hint.
 */
export interface StampWatch {
  /** Polls once every router that has such a launch. */
  poll(): Promise<void>;
  /** Returns whether a launch of this router would be woken: its stamps were recently read to the head. */
  covers(router: string): boolean;
}

export interface StampWatchDependencies {
  readonly l2: ObserverPair;
  readonly unsent: UnsentRepository;
  readonly checkpoints: Pick<CheckpointRepository, 'find'>;
  /** Signals a transaction to the launch's observation. @throws while Temporal is unreachable. */
  readonly wake: (launchId: string, transactionHash: string) => Promise<void>;
  /** Blocks in one log query. */
  readonly rangeBlocks: bigint;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Blocks that are read again: a replacement block may hold a stamp that the replaced one lacked. */
const OVERLAP = 64n;
const FRESH_MS = 10_000;

export function createStampWatch(deps: StampWatchDependencies): StampWatch {
  const { l2, unsent, checkpoints, wake, rangeBlocks, now } = deps;
  /** The last block read, by router and observer. The next worker reads the blocks that a stopped worker missed. */
  const read = new Map<string, bigint>();
  const caughtUpAt = new Map<string, number>();

  async function readStamps(observer: RpcObserver, router: Hex, start: bigint): Promise<void> {
    const place = `${router} ${observer.id}`;
    const before = read.get(place);
    const again = before === undefined ? start : before + 1n - OVERLAP;
    const recent = await recentStamps(observer, router, again > start ? again : start, rangeBlocks);
    const hashes = new Map(recent.stamps.map((stamp) => [stamp.onchainLaunchId as string, stamp.transactionHash]));
    const found = hashes.size === 0 ? [] : await unsent.ofStamps(router, [...hashes.keys()]);
    for (const { launchId, onchainLaunchId } of found) {
      await wake(launchId, hashes.get(onchainLaunchId) ?? '');
      await unsent.remove(launchId);
    }
    read.set(place, recent.through);
    if (recent.isCaughtUp) caughtUpAt.set(router, now());
  }

  async function pollRouter({ router, searchFrom }: WatchedRouter): Promise<void> {
    const checkpoint = await checkpoints.find(router);
    // The recovery has searched up to its checkpoint.
    const recovered = checkpoint === null ? 0n : BigInt(checkpoint.blockNumber) + 1n;
    const start = recovered > searchFrom ? recovered : searchFrom;
    // One observer suffices to wake a launch; the other need not confirm it.
    const polls = await Promise.allSettled(l2.map((observer) => readStamps(observer, router, start)));
    for (const poll of polls)
      if (poll.status === 'rejected' && !(poll.reason instanceof ChainError)) throw poll.reason as Error;
  }

  return {
    async poll() {
      await Promise.all((await unsent.routers()).map(pollRouter));
    },
    covers: (router) => now() - (caughtUpAt.get(router) ?? Number.NEGATIVE_INFINITY) <= FRESH_MS,
  };
}
