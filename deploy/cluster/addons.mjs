// Installs what a cluster has besides Kubernetes: volumes, names of Services, the ingress controller, metrics and KEDA.
import path from 'node:path';
import { applyFile, kubectl } from './kubectl.mjs';
import { moduleFolder } from './programs.mjs';
import { makeVolumes } from './volumes.mjs';

const manifest = (name) => path.join(import.meta.dirname, 'manifests', `${name}.yaml`);

/** Parts that run in pods: their programs, namespace and workloads, and the wrapper that has their resource definitions. */
const ADDONS = [
  { manifest: 'coredns', programs: ['coredns'], namespace: 'kube-system', workloads: ['daemonset/coredns'] },
  { manifest: 'ingress', programs: ['traefik'], namespace: 'ingress', workloads: ['daemonset/traefik'] },
  { manifest: 'metrics-server', programs: ['metrics-server'], namespace: 'kube-system', workloads: ['daemonset/metrics-server'] },
  {
    manifest: 'keda',
    programs: ['keda-operator', 'keda-adapter'],
    namespace: 'keda',
    workloads: ['daemonset/keda-operator', 'daemonset/keda-metrics-apiserver'],
    definitions: 'keda',
  },
];

/** Installs what is built and waits until it is ready. */
export function installAddons(state, missing) {
  makeVolumes(state);
  const present = ADDONS.filter(({ programs }) => programs.every((program) => !missing.includes(program)));
  for (const addon of present) {
    if (addon.definitions !== undefined) applyFile(state, moduleFolder(addon.definitions));
    applyFile(state, manifest(addon.manifest));
  }
  for (const { namespace, workloads } of present) {
    for (const workload of workloads) kubectl(state, ['rollout', 'status', workload, `--namespace=${namespace}`, '--timeout=300s']);
  }
}
