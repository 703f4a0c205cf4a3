import { setTimeout as sleep } from 'node:timers/promises';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { DeployedLaunches, Ending } from '../deployed/deployed-launches.js';
import { severalAtOnce } from '../deployed/several-at-once.js';
import type { ChainFaults } from '../fixtures/chain-faults.fixture.js';

/** A change of the release, as clients saw it. */
export interface Rollout {
  readonly seconds: number;
  readonly reads: number;
  /** Answers other than 200, and connections that failed. */
  readonly failedReads: readonly string[];
  readonly endings: readonly Ending[];
}

/** A deployment, the chains that it observes, and the number of launches that are open during a change. */
export interface RolloutScene {
  readonly gateway: string;
  readonly launches: DeployedLaunches;
  readonly chains: ChainFaults;
  readonly count: number;
}

const READ_EVERY_MS = 50;
/** Launches that are taken to their ends at once: more would make the polls of this program a load. */
const AT_ONCE = 8;

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

/**
 * Changes the release while launches are open, and takes all to their ends. When the change begins, half of them are
 * sent but not posted, most of the others are under admission, and no launch can become final before it is over.
 */
export async function changeDuringLaunches(
  { gateway, launches, chains, count }: RolloutScene,
  change: () => Promise<unknown>,
): Promise<Rollout> {
  const create = async (): Promise<string> => launches.create(await launches.prepare());
  const half: string[] = [];
  while (half.length < Math.floor(count / 2)) half.push(await create());
  // Posting is held as briefly as possible: the development chains serve the states of old blocks slowly.
  for (const launchId of half) await launches.admitted(launchId);
  await chains.holdPosting();
  for (const launchId of half) await launches.send(launchId);
  const rest: string[] = [];
  while (rest.length < count - half.length) rest.push(await create());
  const reader = readWhile(gateway);
  const begun = Date.now();
  const sent = severalAtOnce(rest, AT_ONCE, (launchId) => launches.send(launchId));
  // It may fail before the change is over; the failure is thrown below.
  sent.catch(() => undefined);
  try {
    await change();
  } finally {
    await chains.resumePosting();
  }
  const seconds = (Date.now() - begun) / 1_000;
  const { reads, failed } = await reader.stop();
  await sent;
  const endings = await severalAtOnce([...half, ...rest], AT_ONCE, (launchId) => launches.ended(launchId));
  return { seconds, reads, failedReads: failed, endings };
}
