// Proves on a running node what tests of the product rely on: restricted pods, names of Services, NetworkPolicies that block, volumes
// that outlive their pods, the ingress controller, and a drain. Removes what it made.
import { setTimeout as sleep } from 'node:timers/promises';
import { CHECKED, checkObjects, INGRESS_HOST } from './check-objects.mjs';
import { applyObjects, kubectl, kubectlStatus } from './kubectl.mjs';
import { NODE } from './settings.mjs';

const INGRESS = 'http://127.0.0.1:8088/';
const namespaced = (...args) => [`--namespace=${CHECKED}`, ...args];

/** Repeats until it succeeds: what a node enforces follows what is applied by seconds. */
async function eventually(what, holds, seconds = 60) {
  const limit = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > limit) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(1000);
  }
  process.stdout.write(`ok  ${what}\n`);
}

const say = (what) => process.stdout.write(`ok  ${what}\n`);

const inPod = (state, pod, ...command) => kubectl(state, namespaced('exec', pod, '--', '/busybox', ...command));

/** The address of a Service as a pod learns it. The clients of a static busybox have no resolver, so nslookup asks. */
function addressOf(state, pod, service) {
  return /Name:.*\nAddress: (\S+)/.exec(inPod(state, pod, 'nslookup', `${service}.${CHECKED}.svc.cluster.local`))?.[1];
}

/** Says whether a pod gets an answer from an address. */
function reaches(state, pod, address, port) {
  const request = `echo 'GET / HTTP/1.0' | /busybox nc -w 3 ${address} ${port} | /busybox grep -q HTTP && echo yes || echo no`;
  return inPod(state, pod, 'sh', '-c', request).trim() === 'yes';
}

function reachesServer(state, pod) {
  const address = addressOf(state, pod, 'server');
  return address !== undefined && reaches(state, pod, address, 8080);
}

const waitForPods = (state) => kubectl(state, namespaced('wait', '--for=condition=Ready', 'pod', '--all', '--timeout=180s'));

async function checkNetwork(state) {
  await eventually('a Service is reached by its name', () => reachesServer(state, 'client'));
  await eventually('a second client reaches it too', () => reachesServer(state, 'other'));
  applyObjects(state, [checkObjects().policy]);
  await eventually('a NetworkPolicy blocks the client that it does not name', () => !reachesServer(state, 'other'));
  if (!reachesServer(state, 'client')) throw new Error('the NetworkPolicy blocks the client that it names');
  say('and not the one that it names');
}

/** Checks what a pod may send to. The kubelet's port of the node is outside the cluster. */
async function checkEgress(state) {
  const reachesNode = () => reaches(state, 'client', NODE.nodeAddress, 10_250);
  await eventually('a pod reaches the node', reachesNode);
  applyObjects(state, [checkObjects().egress]);
  await eventually('a NetworkPolicy of egress blocks the node', () => !reachesNode());
  const address = addressOf(state, 'client', 'server');
  if (address === undefined) throw new Error('the NetworkPolicy of egress blocks DNS, which it names');
  if (reaches(state, 'client', address, 8080)) throw new Error('the NetworkPolicy of egress lets through to a pod that it does not name');
  say('and a pod that it does not name, and not DNS');
}

async function checkIngress(state) {
  kubectl(state, namespaced('delete', 'networkpolicy', '--all'));
  // fetch sets the host itself.
  const { get } = await import('node:http');
  const status = () =>
    new Promise((resolve) => {
      get(INGRESS, { headers: { host: INGRESS_HOST } }, (response) => resolve(response.resume().statusCode)).on('error', () => resolve(undefined));
    });
  await eventually(`the ingress controller serves ${INGRESS_HOST} on ${INGRESS}`, async () => (await status()) === 200);
}

async function checkVolume(state) {
  inPod(state, 'writer', 'sh', '-c', 'echo kept > /data/file');
  kubectl(state, namespaced('delete', 'pod', 'writer', '--grace-period=1'));
  applyObjects(state, [checkObjects().writer]);
  waitForPods(state);
  if (inPod(state, 'writer', 'cat', '/data/file').trim() !== 'kept') throw new Error('the volume lost its data');
  say('a volume keeps its data when its pod is deleted');
}

async function checkDrain(state) {
  kubectl(state, ['drain', NODE.nodeName, '--ignore-daemonsets', '--delete-emptydir-data', '--force', `--pod-selector=check=${CHECKED}`, '--timeout=120s']);
  const left = kubectl(state, namespaced('get', 'pods', '--output=name')).trim();
  if (left !== '') throw new Error(`pods after the drain: ${left}`);
  kubectl(state, ['uncordon', NODE.nodeName]);
  say('the node drains, and takes pods again');
}

/** Runs every check on the node of a state folder. @throws Error with the first that fails. */
export async function checkCluster(state) {
  const { namespace, refused, writer, ...rest } = checkObjects();
  const { policy: _policy, egress: _egress, ...objects } = rest;
  kubectl(state, ['delete', 'namespace', CHECKED, '--ignore-not-found', '--timeout=120s']);
  try {
    applyObjects(state, [namespace]);
    await eventually('the namespace has its service account', () => kubectlStatus(state, namespaced('get', 'serviceaccount', 'default')) === 0);
    applyObjects(state, [writer, ...Object.values(objects)]);
    waitForPods(state);
    say('pods of the restricted Pod Security level run');
    let refusal;
    try {
      applyObjects(state, [refused]);
    } catch (error) {
      refusal = error;
    }
    if (!refusal?.message.includes('violates PodSecurity')) throw new Error('a pod that runs as root is not refused');
    say('a pod that asks for more is refused');
    await checkNetwork(state);
    await checkEgress(state);
    await checkIngress(state);
    await checkVolume(state);
    await checkDrain(state);
  } finally {
    kubectl(state, ['uncordon', NODE.nodeName]);
    kubectl(state, ['delete', 'namespace', CHECKED, '--ignore-not-found', '--timeout=120s']);
  }
}
