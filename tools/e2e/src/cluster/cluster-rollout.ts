import { setTimeout as sleep } from 'node:timers/promises';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { DeployedLaunches, Ending } from '../deployed/deployed-launches.js';
import { severalAtOnce } from '../deployed/several-at-once.js';
import type { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import type { PublicOrigins } from './launch-release.js';

/** A change of the release, as clients saw it. */
export interface Rollout {
  readonly seconds: number;
  readonly requests: number;
  /** Answers other than success, and connections that failed. */
  readonly failedRequests: readonly string[];
  /** Takes the launches that were open to their ends. */
  readonly finish: () => Promise<readonly Ending[]>;
}

/** A deployment, the chains that it observes, and the number of launches that are open during a change. */
export interface RolloutScene {
  readonly origins: PublicOrigins;
  readonly launches: DeployedLaunches;
  readonly chains: ChainFaults;
  readonly count: number;
}

const READ_EVERY_MS = 50;
const CREATE_EVERY_MS = 2_000;
/** Launches that are taken to their ends at once: more would make the polls of this program a load. */
const AT_ONCE = 16;

/** The requests of clients during a change, none of which is repeated. */
class Requests {
  count = 0;
  readonly failed: string[] = [];

  /** Counts a request that may fail. */
  async attempt<T>(name: string, request: () => Promise<T>): Promise<T | undefined> {
    this.count += 1;
    try {
      return await request();
    } catch (error) {
      const { message, cause } = error instanceof Error ? error : new Error(String(error));
      this.failed.push(`${name}: ${cause === undefined ? message : String(cause)}`);
      return undefined;
    }
  }
}

async function read(url: string, apiKey: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

/**
 * Changes the release while launches are open. When the change begins, a tenth of them is sent but not posted, four
 * tenths wait for their wallets, and a quarter is under admission; the others are created during the change. No launch
 * can become final before the change is over.
 */
export async function changeDuringLaunches(
  { origins, launches, chains, count }: RolloutScene,
  change: () => Promise<unknown>,
): Promise<Rollout> {
  const admitted: string[] = [];
  while (admitted.length < Math.ceil(count / 2)) admitted.push(await launches.create(await launches.prepareKnown()));
  for (const launchId of admitted) await launches.admitted(launchId);
  const late = [];
  while (late.length < Math.floor(count / 4)) late.push(await launches.prepare());
  // The development chains serve the states of old blocks slowly, so few launches are observed while posting is held.
  await chains.holdPosting();
  const sent = admitted.splice(0, Math.ceil(count / 10));
  for (const launchId of sent) await launches.send(launchId);
  const unsent = admitted;
  while (sent.length + unsent.length + late.length < count)
    unsent.push(await launches.create(await launches.prepare()));

  const requests = new Requests();
  let changing = true;
  const reading = (async () => {
    const reads = [
      ['capabilities', `${origins.gateway}${MULTI_ROLE_BASE_PATH}/capabilities`],
      ['launch', `${origins.gateway}${MULTI_ROLE_BASE_PATH}/${sent[0]}`],
      ['records', `${origins.gateway}${MULTI_ROLE_BASE_PATH}/finalized`],
      ['site', origins.site],
    ] as const;
    while (changing)
      for (const [name, url] of reads) {
        await requests.attempt(name, () => read(url, launches.apiKey));
        await sleep(READ_EVERY_MS);
      }
  })();
  const creating = (async () => {
    for (const request of late) {
      const once = await requests.attempt('create', () => launches.createOnce(request));
      unsent.push(once ?? (await launches.create(request)));
      await sleep(CREATE_EVERY_MS);
    }
  })();
  // It may fail before the change is over; the failure is thrown below.
  creating.catch(() => undefined);
  const begun = Date.now();
  try {
    await change();
  } finally {
    await chains.resumePosting();
  }
  const seconds = (Date.now() - begun) / 1_000;
  await creating;
  changing = false;
  await reading;
  const finish = async (): Promise<Ending[]> => [
    ...(await severalAtOnce(unsent, AT_ONCE, (launchId) => launches.finish(launchId))),
    ...(await severalAtOnce(sent, AT_ONCE, (launchId) => launches.ended(launchId))),
  ];
  return { seconds, requests: requests.count, failedRequests: requests.failed, finish };
}
