import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployedLaunches, Ending } from '../deployed/deployed-launches.js';
import type { Kubectl } from './kubectl.js';

/** A part of the deployment that is killed: the namespace and the label of its pods. */
interface Target {
  readonly name: string;
  readonly namespace: string;
  readonly selector: string;
  /** It only acts once a launch was sent; all others are killed while it is admitted. */
  readonly afterSending: boolean;
}

const AFTER_SENDING = ['finality-worker', 'indexer', 'site'];
const SERVICES = [
  'api-gateway',
  'admission-worker',
  'permit-custody',
  'finality-worker',
  'indexer',
  'module-builder',
  'module-review',
  'review-console',
  'site',
];
const ENVIRONMENT = [
  ['postgres', 'postgres'],
  ['custody-postgres', 'custody-postgres'],
  ['temporal', 'temporal'],
  ['blobs', 'seaweedfs'],
  ['temporal', 'temporal-ui'],
] as const;
export const KILLED: readonly Target[] = [
  ...SERVICES.map((name) => ({
    name,
    namespace: 'launch',
    selector: `app.kubernetes.io/component=${name}`,
    afterSending: AFTER_SENDING.includes(name),
  })),
  ...ENVIRONMENT.map(([namespace, name]) => ({ name, namespace, selector: `app=${name}`, afterSending: false })),
];
const READY_WITHIN_MS = 600_000;

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string };
    readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  }[];
}

async function podsOf(kubectl: Kubectl, { namespace, selector }: Target): Promise<Pods['items']> {
  return (JSON.parse(await kubectl.run('-n', namespace, 'get', 'pods', '-l', selector, '-o', 'json')) as Pods).items;
}

/** Waits until as many other pods as before are ready. */
async function replaced(kubectl: Kubectl, target: Target, before: Pods['items']): Promise<void> {
  const gone = new Set(before.map(({ metadata }) => metadata.uid));
  for (const until = Date.now() + READY_WITHIN_MS; ; await sleep(500)) {
    const ready = (await podsOf(kubectl, target)).filter(
      ({ metadata, status }) =>
        !gone.has(metadata.uid) &&
        metadata.deletionTimestamp === undefined &&
        status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
    );
    if (ready.length >= before.length) return;
    if (Date.now() > until) throw new Error(`${target.name}: ${ready.length} of ${before.length} pods are back`);
  }
}

/** The end of the launches around one kill. */
export interface Killed {
  readonly name: string;
  readonly readyAfterMs: number;
  readonly endings: readonly Ending[];
}

/** Deletes all pods of a part at once and without grace, between two launches, and takes both to their ends. */
export async function killDuringLaunches(
  kubectl: Kubectl,
  launches: DeployedLaunches,
  target: Target,
): Promise<Killed> {
  const first = await launches.create(await launches.prepare());
  if (target.afterSending) await launches.send(first);
  const before = await podsOf(kubectl, target);
  const killedAt = Date.now();
  await kubectl.run('-n', target.namespace, 'delete', 'pods', '-l', target.selector, '--grace-period=0', '--force');
  // The second launch begins while the part is away.
  const second = launches.prepare().then((request) => launches.create(request));
  await replaced(kubectl, target, before);
  const readyAfterMs = Date.now() - killedAt;
  const endings = await Promise.all([
    target.afterSending ? launches.ended(first) : launches.finish(first),
    second.then((launchId) => launches.finish(launchId)),
  ]);
  return { name: target.name, readyAfterMs, endings };
}
