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

/** Says whether a pod gets an answer from a Service. The static busybox has no resolver in its clients, so nslookup asks first. */
function reaches(state, pod, service) {
  const [, address] = /Name:.*\nAddress: (\S+)/.exec(inPod(state, pod, 'nslookup', `${service}.${CHECKED}.svc.cluster.local`)) ?? [];
  if (address === undefined) return false;
  const request = `echo 'GET / HTTP/1.0' | /busybox nc -w 3 ${address} 8080 | /busybox grep -q HTTP && echo yes || echo no`;
  return inPod(state, pod, 'sh', '-c', request).trim() === 'yes';
}

const waitForPods = (state) => kubectl(state, namespaced('wait', '--for=condition=Ready', 'pod', '--all', '--timeout=180s'));

async function checkNetwork(state) {
  await eventually('a Service is reached by its name', () => reaches(state, 'client', 'server'));
  await eventually('a second client reaches it too', () => reaches(state, 'other', 'server'));
  applyObjects(state, [checkObjects().policy]);
  await eventually('a NetworkPolicy blocks the client that it does not name', () => !reaches(state, 'other', 'server'));
  if (!reaches(state, 'client', 'server')) throw new Error('the NetworkPolicy blocks the client that it names');
  say('and not the one that it names');
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
  const { policy: _later, ...objects } = rest;
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
    await checkIngress(state);
    await checkVolume(state);
    await checkDrain(state);
  } finally {
    kubectl(state, ['uncordon', NODE.nodeName]);
    kubectl(state, ['delete', 'namespace', CHECKED, '--ignore-not-found', '--timeout=120s']);
  }
}
