// Runs a real Kubernetes cluster of one node on this machine.
//
//   node deploy/cluster/node.mjs up --state <folder> [--cgroup-root <group>]      starts what does not run; again and again is fine
//   node deploy/cluster/node.mjs down --state <folder> [--remove-state]           stops it and leaves nothing behind
//   node deploy/cluster/node.mjs check --state <folder>                           proves that the cluster does what it should
//
// `up` leaves `<folder>/admin.kubeconfig`. Needs Linux and root; README.md says what else.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installAddons } from './addons.mjs';
import { CLIENTS, makeCertificates } from './certificates.mjs';
import { checkCluster } from './check.mjs';
import { importScratchImages, stopContainers } from './containers.mjs';
import { applyFile, kubectl, kubectlStatus } from './kubectl.mjs';
import { checkMachine, closeNetwork, makeCgroups, openNetwork, removeCgroups, unmountBelow } from './machine.mjs';
import { runningProcess, startProcess, stopProcess, waitFor } from './processes.mjs';
import { CNI_PLUGINS, NODE_PROGRAMS } from './program-list.mjs';
import { buildPrograms, missingPrograms, programPath } from './programs.mjs';
import { containerdSettings, kubeconfig, kubeletSettings, networkSettings, NODE, processArguments, proxySettings } from './settings.mjs';

/** In the order of starting; stopped in the opposite one. */
const PROCESSES = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'containerd', 'kubelet', 'kube-proxy', 'network-policies'];

function writeSettings(state, cgroupRoot) {
  const certificates = path.join(state, 'certificates');
  makeCertificates(certificates, NODE);
  mkdirSync(path.join(state, 'cni'), { recursive: true });
  for (const name of [...Object.keys(CLIENTS), 'kubelet']) {
    writeFileSync(path.join(state, `${name}.kubeconfig`), kubeconfig(certificates, name), { mode: 0o600 });
  }
  writeFileSync(path.join(state, 'containerd.toml'), containerdSettings(state, CNI_PLUGINS));
  writeFileSync(path.join(state, 'cni', '10-pods.conflist'), networkSettings(state));
  writeFileSync(path.join(state, 'kubelet.json'), kubeletSettings(state, cgroupRoot));
  writeFileSync(path.join(state, 'kube-proxy.json'), proxySettings(state));
}

/** Holds once a node serves what a process is for. */
const readiness = (state) => ({
  etcd: async () => (await fetch(`http://127.0.0.1:${NODE.etcdPort}/health`).catch(() => undefined))?.ok === true,
  'kube-apiserver': () => kubectlStatus(state, ['get', '--raw', '/readyz']) === 0,
  containerd: () => existsSync(path.join(state, 'containerd.sock')),
  kubelet: () => kubectlStatus(state, ['wait', '--for=condition=Ready', `node/${NODE.nodeName}`, '--timeout=1s']) === 0,
});

async function up(state, cgroupRoot) {
  checkMachine();
  buildPrograms(NODE_PROGRAMS);
  mkdirSync(state, { recursive: true });
  writeFileSync(path.join(state, 'cgroup-root'), cgroupRoot);
  writeSettings(state, cgroupRoot);
  openNetwork();
  makeCgroups(cgroupRoot);
  const args = processArguments(state);
  const ready = readiness(state);
  const shims = path.dirname(programPath('containerd-shim-runc-v2'));
  const missing = missingPrograms();
  for (const name of PROCESSES.filter((process) => !missing.includes(process))) {
    startProcess(state, name, programPath(name), args[name], { PATH: `${shims}:${process.env.PATH}` });
    if (ready[name] !== undefined) await waitFor(state, name, `${name} is ready`, ready[name], 180);
    if (name === 'kube-apiserver') applyFile(state, path.join(import.meta.dirname, 'manifests/access.yaml'));
    if (name === 'containerd') importScratchImages(state, missing);
  }
  kubectl(state, ['uncordon', NODE.nodeName]);
  await installAddons(state, missing);
  process.stdout.write(`the node is up: export KUBECONFIG=${path.join(state, 'admin.kubeconfig')}\n`);
  if (missing.length > 0) process.stdout.write(`not built, so absent: ${missing.join(', ')} (programs.mjs build, then up again)\n`);
}

async function down(state, removeState) {
  await stopProcess(state, 'kubelet');
  if (runningProcess(state, 'containerd') !== undefined) await stopContainers(state);
  for (const name of PROCESSES.toReversed()) await stopProcess(state, name);
  unmountBelow(state);
  closeNetwork();
  const noted = path.join(state, 'cgroup-root');
  if (existsSync(noted)) await removeCgroups(readFileSync(noted, 'utf8'));
  if (removeState) rmSync(state, { recursive: true, force: true });
}

const options = { state: { type: 'string' }, 'cgroup-root': { type: 'string', default: '/launch-node' }, 'remove-state': { type: 'boolean', default: false } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [command] = positionals;
const commands = {
  up: (state) => up(state, values['cgroup-root']),
  down: (state) => down(state, values['remove-state']),
  check: checkCluster,
};
if (values.state === undefined || positionals.length !== 1 || commands[command] === undefined) {
  process.stderr.write('usage: node deploy/cluster/node.mjs up | down | check --state <folder> [--cgroup-root <group>] [--remove-state]\n');
  process.exitCode = 2;
} else {
  await commands[command](path.resolve(values.state));
}
