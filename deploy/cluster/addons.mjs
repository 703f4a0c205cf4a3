// Installs what a cluster has besides Kubernetes: volumes, names of Services and the ingress controller.
import path from 'node:path';
import { applyFile, kubectl } from './kubectl.mjs';
import { makeVolumes } from './volumes.mjs';

const manifest = (name) => path.join(import.meta.dirname, 'manifests', `${name}.yaml`);

/** Parts that run in pods: their program, namespace and workload. */
const ADDONS = [
  { manifest: 'coredns', program: 'coredns', namespace: 'kube-system', workload: 'daemonset/coredns' },
  { manifest: 'ingress', program: 'traefik', namespace: 'ingress', workload: 'daemonset/traefik' },
];

/** Installs what is built and waits until it is ready. */
export function installAddons(state, missing) {
  makeVolumes(state);
  const present = ADDONS.filter(({ program }) => !missing.includes(program));
  for (const addon of present) applyFile(state, manifest(addon.manifest));
  for (const { namespace, workload } of present) kubectl(state, ['rollout', 'status', workload, `--namespace=${namespace}`, '--timeout=300s']);
}
