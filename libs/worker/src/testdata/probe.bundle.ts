import { condition, defineQuery, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '@launch/contracts/orchestration';

const { echo } = proxyActivities<{ echo(value: string): Promise<string> }>({ startToCloseTimeout: '10s', retry: { maximumAttempts: 3, initialInterval: '50ms' } });

export const released = defineSignal('release');
export const attributeName = defineQuery<string>('attributeName');

/** Runs one activity and returns its result. */
export async function probe(value: string): Promise<string> {
  return echo(value);
}

/** Waits for a signal; a query returns a value imported from a workspace package. */
export async function waiting(): Promise<string> {
  let done = false;
  setHandler(released, () => void (done = true));
  setHandler(attributeName, () => SEARCH_ATTRIBUTES.launchId);
  await condition(() => done);
  await sleep(1);
  return 'released';
}
