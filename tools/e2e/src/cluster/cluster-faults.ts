import { setTimeout as sleep } from 'node:timers/promises';
import type { Disturbance } from './disturbed-launches.js';
import type { Kubectl } from './kubectl.js';

/** A part of the deployment that fails: the namespace and the label of its pods. */
export interface Target {
  readonly name: string;
  readonly namespace: string;
  readonly selector: string;
  /** It only acts once a launch was sent; all others fail while it is admitted. */
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
export const PARTS: readonly Target[] = [
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
async function replaced(kubectl: Kubectl, target: Target, before: Pods['items'], count = before.length): Promise<void> {
  const gone = new Set(before.map(({ metadata }) => metadata.uid));
  for (const until = Date.now() + READY_WITHIN_MS; ; await sleep(500)) {
    const ready = (await podsOf(kubectl, target)).filter(
      ({ metadata, status }) =>
        !gone.has(metadata.uid) &&
        metadata.deletionTimestamp === undefined &&
        status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
    );
    if (ready.length >= count) return;
    if (Date.now() > until) throw new Error(`${target.name}: ${ready.length} of ${count} pods are back`);
  }
}

/** Deletes all pods of a part at once and without grace. */
export function kill(kubectl: Kubectl, target: Target): Disturbance {
  const { name, namespace, selector, afterSending } = target;
  let before: Pods['items'] = [];
  return {
    name: `killed ${name}`,
    afterSending,
    async begin() {
      before = await podsOf(kubectl, target);
      await kubectl.run('-n', namespace, 'delete', 'pods', '-l', selector, '--grace-period=0', '--force');
    },
    end: () => replaced(kubectl, target, before),
  };
}

/** Takes a part away for a time. @param milliseconds from the order to end its pods to the order to start them. */
export function withdraw(kubectl: Kubectl, target: Target, milliseconds: number): Disturbance {
  const { name, namespace, selector, afterSending } = target;
  const scale = (replicas: number): Promise<string> =>
    kubectl.run('-n', namespace, 'scale', 'deployment', '-l', selector, `--replicas=${replicas}`);
  let before: Pods['items'] = [];
  return {
    name: `no ${name} for ${milliseconds / 1_000} s`,
    afterSending,
    async begin() {
      before = await podsOf(kubectl, target);
      await scale(0);
    },
    async end() {
      await sleep(milliseconds);
      await scale(before.length);
      await replaced(kubectl, target, before);
    },
  };
}

/** Drains the only node. Its pods are deleted, not evicted, because a replacement has no other node to start on. */
export function drain(kubectl: Kubectl, node: string): Disturbance {
  const nothing: Pods['items'] = [];
  const counts = new Map<Target, number>();
  return {
    name: `drained ${node}`,
    afterSending: false,
    async begin() {
      for (const part of PARTS) counts.set(part, (await podsOf(kubectl, part)).length);
      const options = ['--ignore-daemonsets', '--delete-emptydir-data', '--disable-eviction', '--timeout=300s'];
      await kubectl.run('drain', node, ...options);
    },
    async end() {
      await kubectl.run('uncordon', node);
      for (const [part, count] of counts) await replaced(kubectl, part, nothing, count);
    },
  };
}
