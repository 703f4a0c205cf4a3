import { setTimeout as sleep } from 'node:timers/promises';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { DeployedLaunches, Ending } from '../deployed/deployed-launches.js';

/** A change of the release, as clients saw it. */
export interface Rollout {
  readonly seconds: number;
  readonly reads: number;
  /** Answers other than 200, and connections that failed. */
  readonly failedReads: readonly string[];
  readonly endings: readonly Ending[];
}

const READ_EVERY_MS = 50;

/** Reads the capabilities until it is stopped, one request after the other. */
function readWhile(gateway: string): { stop(): Promise<{ reads: number; failed: string[] }> } {
  let stopped = false;
  const seen = { reads: 0, failed: [] as string[] };
  const reading = (async () => {
    for (; !stopped; await sleep(READ_EVERY_MS)) {
      seen.reads += 1;
      try {
        const response = await fetch(`${gateway}${MULTI_ROLE_BASE_PATH}/capabilities`);
        await response.arrayBuffer();
        if (!response.ok) seen.failed.push(String(response.status));
      } catch (error) {
        seen.failed.push(error instanceof Error ? String(error.cause ?? error.message) : 'unknown');
      }
    }
  })();
  return {
    async stop() {
      stopped = true;
      await reading;
      return seen;
    },
  };
}

/** Changes the release while launches are open, half of them sent, and takes all to their ends. */
export async function changeDuringLaunches(
  gateway: string,
  launches: DeployedLaunches,
  count: number,
  change: () => Promise<unknown>,
): Promise<Rollout> {
  const open: string[] = [];
  for (let index = 0; index < count; index += 1) open.push(await launches.create(await launches.prepare()));
  const half = open.slice(0, Math.floor(count / 2));
  for (const launchId of half) await launches.send(launchId);
  const reader = readWhile(gateway);
  const begun = Date.now();
  const others = Promise.all(open.slice(half.length).map((launchId) => launches.finish(launchId)));
  await change();
  const seconds = (Date.now() - begun) / 1_000;
  const { reads, failed } = await reader.stop();
  const endings = [...(await Promise.all(half.map((launchId) => launches.ended(launchId)))), ...(await others)];
  return { seconds, reads, failedReads: failed, endings };
}
