import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployedLaunches, Ending } from '../deployed/deployed-launches.js';
import { severalAtOnce } from '../deployed/several-at-once.js';
import type { Kubectl } from './kubectl.js';

const NAMESPACE = 'launch';
const ADMISSION = 'app.kubernetes.io/component=admission-worker';
const READY = '--timeout=300s';
/** The TriggerAuthentication that the values name. */
const AUTHENTICATION = 'temporal';
const SAMPLE_MS = 2_000;
const SCALED_DOWN_WITHIN_MS = 600_000;
/** Launches that one test takes forward at once: more would make its own polls a load. */
const AT_ONCE = 8;

/** Options of Helm by which KEDA scales workers, with a cooldown that a test can wait for. */
export const SCALED = [
  'autoscaling.enabled=true',
  `autoscaling.authenticationRef=${AUTHENTICATION}`,
  'autoscaling.cooldownSeconds=30',
].flatMap((setting) => ['--set', setting]);

/** Gives KEDA the credentials of the autoscaler, as docs/guides/deploying.md does. */
export async function giveBacklogReader(kubectl: Kubectl): Promise<void> {
  const from = (parameter: string, name: string, key: string): object => ({ parameter, name, key });
  const spec = {
    secretTargetRef: [
      from('ca', 'temporal-ca', 'ca.crt'),
      from('cert', 'temporal-client-autoscaler', 'tls.crt'),
      from('key', 'temporal-client-autoscaler', 'tls.key'),
      from('apiKey', 'temporal-token-autoscaler', 'api-key'),
    ],
  };
  const metadata = { name: AUTHENTICATION, namespace: NAMESPACE };
  await kubectl.apply(
    JSON.stringify({ apiVersion: 'keda.sh/v1alpha1', kind: 'TriggerAuthentication', metadata, spec }),
  );
}

/** Returns the number of ready pods of admission. */
async function readyWorkers(kubectl: Kubectl): Promise<number> {
  const path = 'jsonpath={range .items[*]}{.status.readyReplicas}{"\\n"}{end}';
  const counts = await kubectl.run('-n', NAMESPACE, 'get', 'deployments', '-l', ADMISSION, '-o', path);
  return counts.split('\n').reduce((sum, count) => sum + Number(count || 0), 0);
}

/** Creates launches, several at once. The time begins with the first create: requests are packed before. */
async function createAll(launches: DeployedLaunches, count: number): Promise<{ ids: string[]; begun: number }> {
  const requests = [];
  for (let index = 0; index < count; index += 1) requests.push(await launches.prepare());
  const begun = Date.now();
  const ids = await severalAtOnce(requests, AT_ONCE, (request) => launches.create(request));
  return { ids, begun };
}

/** The course of a backlog: the number of workers over time, and the ends of its launches. */
export interface Scaled {
  /** Seconds from the first create, whenever the number of ready workers changed. */
  readonly changes: readonly { readonly seconds: number; readonly workers: number }[];
  /** Seconds until the last launch was admitted or refused. */
  readonly admittedAfter: number;
  readonly endings: readonly Ending[];
}

/** Makes a backlog and watches the workers until one is left. @throws Error if more than one is left after some minutes. */
export async function scaleByBacklog(kubectl: Kubectl, launches: DeployedLaunches, count: number): Promise<Scaled> {
  const changes: { seconds: number; workers: number }[] = [];
  let watched = true;
  let begun = Date.now();
  const since = (): number => (Date.now() - begun) / 1_000;
  const watching = (async () => {
    for (; watched; await sleep(SAMPLE_MS)) {
      const workers = await readyWorkers(kubectl);
      if (changes.at(-1)?.workers !== workers) changes.push({ seconds: since(), workers });
    }
  })();
  try {
    const created = await createAll(launches, count);
    begun = created.begun;
    for (const launchId of created.ids) await launches.admitted(launchId);
    const admittedAfter = since();
    const endings = await severalAtOnce(created.ids, AT_ONCE, (launchId) => launches.finish(launchId));
    for (const until = Date.now() + SCALED_DOWN_WITHIN_MS; changes.at(-1)?.workers !== 1; await sleep(SAMPLE_MS))
      if (Date.now() > until) throw new Error(`${changes.at(-1)?.workers} workers are left`);
    return { changes, admittedAfter, endings };
  } finally {
    watched = false;
    await watching;
  }
}

/** Returns the launches a minute that a number of workers admits. KEDA must not scale them. */
export async function throughputOf(
  kubectl: Kubectl,
  launches: DeployedLaunches,
  workers: number,
  count: number,
): Promise<number> {
  await kubectl.run('-n', NAMESPACE, 'scale', 'deployment', '-l', ADMISSION, `--replicas=${workers}`);
  await kubectl.run('-n', NAMESPACE, 'rollout', 'status', 'deployment', '-l', ADMISSION, READY);
  const { ids, begun } = await createAll(launches, count);
  for (const launchId of ids) await launches.admitted(launchId);
  const seconds = (Date.now() - begun) / 1_000;
  await severalAtOnce(ids, AT_ONCE, (launchId) => launches.finish(launchId));
  return (60 * count) / seconds;
}
