import { setTimeout as delay } from 'node:timers/promises';
import type { BenchWorld } from '../bench.types.js';
import type { PairedSamples } from '../measure/sampling.js';
import { IndexServers } from './index-servers.js';
import { startOwnIndexer, type FollowingSide, type SideOptions } from './own-indexer.js';
import { installPonder, startPonder } from './ponder.peer.js';

export const POLL_MS = 1_000;
const LOOK_MS = 10;
const PATIENCE_MS = 120_000;
export const PONDER = 'Ponder 1.0.0, the same reads in its handler, the same polling, chain and PostgreSQL';

/** Polls a side's rows until they exist. @throws Error when they never do. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s`);
    await delay(LOOK_MS);
  }
}

export type Start = (servers: IndexServers, options: SideOptions) => Promise<FollowingSide>;

export async function withServers<T>(world: BenchWorld, work: (servers: IndexServers) => Promise<T>): Promise<T> {
  await installPonder((text) => world.say(text));
  const servers = await IndexServers.start();
  try {
    return await work(servers);
  } finally {
    await servers.stop();
  }
}

/** Both sides of a comparison, ours first. */
export const SIDES = [
  ['ours', startOwnIndexer],
  ['peer', startPonder],
] as const;

export const noSamples = (): PairedSamples => ({ ours: [], peer: [] });
