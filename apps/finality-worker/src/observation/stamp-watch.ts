import { ChainError, recentStamps, type ObserverPair, type RpcObserver } from '@launch/chain';
import type { Hex } from '@launch/contracts/primitives';
import type { CheckpointRepository } from '../recovery/checkpoint.repository.js';
import type { UnsentRepository, WatchedRouter } from './unsent.repository.js';

/**
 * One look at a router's newest stamps for all launches of which no transaction is known. It only says where to look: a
 * launch whose stamp one observer shows is woken by its transaction's hash, as a client's hint wakes it.
 */
export interface StampWatch {
  /** Looks once at every router that has such a launch. */
  look(): Promise<void>;
  /** Whether a launch of this router would be woken: its stamps were read to the head a moment ago. */
  covers(router: string): boolean;
}

export interface StampWatchDependencies {
  readonly l2: ObserverPair;
  readonly unsent: UnsentRepository;
  readonly checkpoints: Pick<CheckpointRepository, 'find'>;
  /** Tells the launch's observation of a transaction. @throws while Temporal cannot be reached. */
  readonly wake: (launchId: string, transactionHash: string) => Promise<void>;
  /** Blocks in one log query. */
  readonly rangeBlocks: bigint;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Blocks that are read again: one that replaced another may hold a stamp that the other did not. */
const OVERLAP = 64n;
const FRESH_MS = 10_000;

export function createStampWatch(deps: StampWatchDependencies): StampWatch {
  const { l2, unsent, checkpoints, wake, rangeBlocks, now } = deps;
  /**
   * The last block that was read, by router and observer. The next worker reads the blocks that one which ended has
   * missed.
   */
  const read = new Map<string, bigint>();
  const caughtUpAt = new Map<string, number>();

  async function lookThrough(observer: RpcObserver, router: Hex, start: bigint): Promise<void> {
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

  async function lookAt({ router, searchFrom }: WatchedRouter): Promise<void> {
    const checkpoint = await checkpoints.find(router);
    // Up to its checkpoint the recovery has looked already.
    const recovered = checkpoint === null ? 0n : BigInt(checkpoint.blockNumber) + 1n;
    const start = recovered > searchFrom ? recovered : searchFrom;
    // One observer is enough to wake a launch; the other is not waited for to say so.
    const looks = await Promise.allSettled(l2.map((observer) => lookThrough(observer, router, start)));
    for (const look of looks)
      if (look.status === 'rejected' && !(look.reason instanceof ChainError)) throw look.reason as Error;
  }

  return {
    async look() {
      await Promise.all((await unsent.routers()).map(lookAt));
    },
    covers: (router) => now() - (caughtUpAt.get(router) ?? Number.NEGATIVE_INFINITY) <= FRESH_MS,
  };
}
