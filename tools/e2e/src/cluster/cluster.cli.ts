// The product on a Kubernetes cluster of this machine: `npm run test:cluster`. deploy/cluster/environment/README.md describes the steps and
// what they need.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { commitAnotherRelease } from '../deployed/another-release.js';
import { buildImages, cloneRelease } from '../deployed/built-images.js';
import { DeployedLaunches, type Ending } from '../deployed/deployed-launches.js';
import { OperatorFiles, type OperatedChains } from '../deployed/operator-files.js';
import { runProgram } from '../deployed/run-program.js';
import { chainsFileIn, startClusterChains } from './cluster-chains.js';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { ClusterBackup } from './cluster-backup.js';
import { collectBlobs } from './cluster-collection.js';
import { drain, kill, PARTS, withdraw } from './cluster-faults.js';
import { ClusterNode } from './cluster-node.js';
import { takePictures } from './cluster-pictures.js';
import { changeDuringLaunches } from './cluster-rollout.js';
import { giveBacklogReader, SCALED, scaleByBacklog, throughputOf } from './cluster-scaling.js';
import { stackOf, useCluster, type UsedCluster } from './cluster-use.js';
import { type Disturbance, disturbLaunches } from './disturbed-launches.js';
import { ClusterEnvironment } from './environment.js';
import { checkReach } from './compromised-pods.js';
import { Kubectl } from './kubectl.js';
import { LaunchRelease } from './launch-release.js';
import { openPublicWay } from './public-ways.js';
import { awaitDrained, brokenWorkflows, signedPermits } from './rollout-checks.js';

const FINALITY_SECONDS = 10;
/** Fixed, because the release's settings have the origins. */
const PORTS = { gateway: 18_180, site: 18_130 };
const VERSIONS = ['test-1', 'test-2'] as const;
/** Parts that are away for a minute: blobs, the permit signer with custody, and the servers that hold state. */
const AWAY = ['seaweedfs', 'permit-custody', 'postgres', 'temporal'];
const AWAY_MS = 60_000;
/** Launches by which the throughput of admission is measured. */
const MEASURED = 40;
const NAMESPACES = ['launch', 'temporal', 'postgres', 'custody-postgres', 'blobs'];

const root = path.resolve(import.meta.dirname, '../../../..');
const say = (text: string): void => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: '/tmp/launch-cluster' },
    /** The folder of the node's state. */
    state: { type: 'string', default: '/tmp/launch-cluster/node' },
    launches: { type: 'string', default: '20' },
    /** Leaves the cluster as a failed step left it, until the program is interrupted. */
    keep: { type: 'boolean', default: false },
  },
});
const { folder, state, keep } = values;

function untilAsked(): Promise<void> {
  return new Promise((resolve) => process.once('SIGTERM', () => resolve()).once('SIGINT', () => resolve()));
}

const runNode = (...args: string[]): Promise<string> =>
  runProgram([process.execPath, path.join(root, 'deploy/cluster/node.mjs'), ...args, '--state', state], {
    cwd: root,
    shown: true,
  });

async function open() {
  const node = await ClusterNode.open(state);
  const kubectl = new Kubectl(node);
  const chains = JSON.parse(await readFile(chainsFileIn(folder), 'utf8')) as OperatedChains;
  const files = new OperatorFiles(folder, chains, root);
  const origins = { gateway: `http://127.0.0.1:${PORTS.gateway}`, site: `http://127.0.0.1:${PORTS.site}` };
  const release = new LaunchRelease(kubectl, node.helm, node.kubeconfig, files, node.ingress, origins);
  return { node, kubectl, chains, files, origins, release };
}

/** Opens the ways that users, reviewers and operators have, for the time of some work. */
async function withWays(work: (used: UsedCluster) => Promise<void>): Promise<void> {
  const { node, kubectl, chains, origins } = await open();
  const ingress = new URL(node.ingress.origin);
  const console = await kubectl.forward('launch', 'launch-review-console', 8081);
  const ui = await kubectl.forward('temporal', 'temporal-ui', 8080);
  const ways = [
    await openPublicWay('api.launch.test', ingress, PORTS.gateway),
    await openPublicWay('launch.test', ingress, PORTS.site),
  ];
  const [reviewer, temporalUi] = [`http://127.0.0.1:${console.port}`, `http://127.0.0.1:${ui.port}`];
  try {
    await work({ kubectl, chains, origins, reviewer, temporalUi, folder });
  } finally {
    for (const way of [console, ui, ...ways]) await way.stop();
  }
}

const openLaunches = (used: UsedCluster, key?: string): Promise<DeployedLaunches> =>
  DeployedLaunches.open({ gateway: used.origins.gateway, stack: () => stackOf(used) }, key);

const outcome = ({ status, findings }: Ending): string => [status, ...findings].join(' ');

/** Returns how many launches had each end. */
const counted = (endings: readonly Ending[]): string =>
  [...Map.groupBy(endings, outcome)].map(([one, those]) => `${those.length} ${one}`).join(', ');

/** Every launch ends finalized, or refused with a code. */
function checkEnds(endings: readonly Ending[]): void {
  const lost = endings.filter(({ status, findings }) => status !== 'finalized' && findings.length === 0);
  if (lost.length > 0) throw new Error(`launches ended without a code: ${lost.map(outcome).join(', ')}`);
}

async function changed(what: string, change: (release: LaunchRelease) => Promise<unknown>): Promise<void> {
  await withWays(async (used) => {
    const { release } = await open();
    const stack = stackOf(used);
    const launches = await openLaunches(used);
    const scene = {
      ...used,
      launches,
      chains: new ChainFaults({ stack, dir: folder }),
      count: Number(values.launches),
    };
    const signed = await signedPermits(used.kubectl);
    const { seconds, requests, failedRequests, finish } = await changeDuringLaunches(scene, () => change(release));
    say(`${what}: ${seconds} s, ${failedRequests.length} of ${requests} requests failed`);
    const endings = await finish();
    say(`${what}: launches ${counted(endings)}`);
    const permits = (await signedPermits(used.kubectl)) - signed;
    const launchIds = endings.map(({ launchId }) => launchId);
    const broken = await brokenWorkflows(used.temporalUi, launchIds);
    say(`${what}: ${permits} permits, ${broken.length} workflows with a failure of replay`);
    const versions = (await awaitDrained(stack)).map(
      (one) => `${one.deployment} ${one.versions.map(({ buildId, status }) => `${buildId} ${status}`).join(', ')}`,
    );
    say(`${what}: ${versions.join('; ')}`);
    // A change of the release refuses no launch.
    const lost = endings.filter(({ status }) => status !== 'finalized');
    const faults = [
      ...failedRequests,
      ...lost.map((one) => `${one.launchId} ${outcome(one)}`),
      ...broken,
      ...(permits === endings.length ? [] : [`${permits} permits for ${endings.length} launches`]),
      ...(new Set(launchIds).size === scene.count ? [] : ['launches are missing']),
    ];
    if (faults.length > 0) throw new Error(`${what}: ${faults.slice(0, 20).join('\n')}`);
  });
}

/** Disturbs the deployment by each of some faults in turn, with launches around each. */
async function disturbed(faults: (kubectl: Kubectl) => readonly Disturbance[]): Promise<void> {
  await withWays(async (used) => {
    const launches = await openLaunches(used);
    for (const fault of faults(used.kubectl)) {
      const { readyAfterMs, endings } = await disturbLaunches(launches, fault);
      say(`${fault.name}: whole after ${readyAfterMs} ms, launches ${endings.map(outcome).join(' and ')}`);
      checkEnds(endings);
    }
  });
}

/** Installs everything outside the chart, with the secrets that there are. */
async function installEnvironment(): Promise<void> {
  const { kubectl, files } = await open();
  await new ClusterEnvironment(kubectl, files.file('secrets'), path.join(folder, 'environment')).install();
}

const steps = {
  /** Starts the node, with KEDA. */
  async node() {
    await runProgram([process.execPath, path.join(root, 'deploy/cluster/programs.mjs'), 'build'], {
      cwd: root,
      shown: true,
    });
    await runNode('up');
  },
  /** Runs the development chains until it is asked to stop. */
  async chains() {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const chains = await startClusterChains(folder, FINALITY_SECONDS);
    say(`observers ${JSON.stringify(chains.observers)}`);
    await untilAsked();
    await chains.stop();
  },
  /** Builds the images of the commit and of another release. */
  async build() {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const clone = path.join(folder, 'release');
    if (existsSync(clone)) await rm(clone, { recursive: true });
    await cloneRelease(root, clone);
    await buildImages(clone, VERSIONS[0]);
    await commitAnotherRelease(clone);
    await buildImages(clone, VERSIONS[1]);
  },
  async images() {
    const { node } = await open();
    await node.importImages(VERSIONS);
  },
  async environment() {
    const { files } = await open();
    await files.writeSecrets();
    await files.writeDocuments();
    await installEnvironment();
  },
  async install() {
    const { release } = await open();
    await release.writeSecrets();
    await release.writeDocuments();
    await release.upgrade(VERSIONS[0]);
    await release.test();
  },
  /** One launch, one plan and one module by the published programs, and pictures of them. */
  async use() {
    await withWays(async (used) => {
      const made = await useCluster(used, say);
      say(JSON.stringify(made));
      const { temporalUi, origins } = used;
      await takePictures({ temporalUi, site: origins.site, made, folder: path.join(folder, 'pictures') });
    });
  },
  /** Runs the collection of blobs, which removes none: all are younger than its grace period. */
  async collect() {
    const { kubectl } = await open();
    say(`blobs that a database names: ${await collectBlobs(kubectl)}`);
  },
  /** Tries what code in a compromised pod could do. */
  async reach() {
    const { kubectl } = await open();
    await checkReach(kubectl, say);
  },
  kills: () => disturbed((kubectl) => PARTS.map((part) => kill(kubectl, part))),
  outages: () =>
    disturbed((kubectl) =>
      PARTS.filter(({ name }) => AWAY.includes(name)).map((part) => withdraw(kubectl, part, AWAY_MS)),
    ),
  drain: () => disturbed((kubectl) => [drain(kubectl, 'node1')]),
  upgrade: () =>
    changed('upgrade', (release) =>
      release.upgrade(VERSIONS[1], ['--set', `release.previousVersions={${VERSIONS[0]}}`]),
    ),
  rollback: () => changed('rollback', (release) => release.rollback()),
  /** Measures one worker of admission and two, and lets KEDA scale admission by a backlog. */
  async scale() {
    await withWays(async (used) => {
      const { release } = await open();
      const launches = await openLaunches(used);
      // One is left, from which KEDA begins.
      for (const workers of [2, 1]) {
        const throughput = await throughputOf(used.kubectl, launches, workers, MEASURED);
        say(`workers of admission: ${workers}, launches a minute: ${throughput.toFixed(1)}`);
      }
      await giveBacklogReader(used.kubectl);
      await release.upgrade(VERSIONS[0], SCALED);
      const { changes, admittedAfter, endings } = await scaleByBacklog(used.kubectl, launches, Number(values.launches));
      const course = changes.map(({ seconds, workers }) => `${workers} after ${seconds.toFixed(0)} s`);
      say(
        `workers of admission: ${course.join(', ')}; ${endings.length} launches admitted after ${admittedAfter.toFixed(0)} s`,
      );
      checkEnds(endings);
      await release.upgrade(VERSIONS[0]);
    });
  },
  /** Backs up every store, destroys all of it, restores it, and compares the answers about launches. */
  async restore() {
    const ended: Ending[] = [];
    let answers: Readonly<Record<string, string>> = {};
    let waiting = '';
    let key = '';
    await withWays(async (used) => {
      const launches = await openLaunches(used);
      key = launches.apiKey;
      for (let count = 0; count < 3; count += 1)
        ended.push(await launches.finish(await launches.create(await launches.prepare())));
      checkEnds(ended);
      waiting = await launches.create(await launches.prepare());
      await new ClusterBackup(used.kubectl, folder).take();
      answers = await launches.answersAbout(ended);
    });
    await steps.uninstall();
    const { kubectl } = await open();
    await new ClusterBackup(kubectl, folder).restore();
    // The backup has the secrets and documents, which would otherwise be new ones.
    await installEnvironment();
    await steps.install();
    await withWays(async (used) => {
      const launches = await openLaunches(used, key);
      const again = await launches.answersAbout(ended);
      const changed = Object.keys(answers).filter((route) => answers[route] !== again[route]);
      if (changed.length > 0) throw new Error(`the restored cluster answers otherwise: ${changed.join(', ')}`);
      say(`${Object.keys(answers).length} answers are unchanged`);
      const endings = [
        await launches.finish(waiting),
        await launches.finish(await launches.create(await launches.prepare())),
      ];
      checkEnds(endings);
      say(`the launch that was open, and a new one: ${endings.map(outcome).join(' and ')}`);
    });
  },
  async uninstall() {
    const { release, kubectl } = await open();
    await release.uninstall();
    await kubectl.run('delete', 'namespace', ...NAMESPACES, '--ignore-not-found', '--timeout=300s');
    for (const name of ['environment', 'deploy', 'release'])
      await rm(path.join(folder, name), { recursive: true, force: true });
  },
  /** Stops the node and removes its state. */
  down: () => runNode('down', '--remove-state').then(() => undefined),
} satisfies Readonly<Record<string, () => Promise<void>>>;

/** All of it, from nothing to nothing. */
async function runAll(): Promise<void> {
  await steps.build();
  await steps.node();
  const chains = await startClusterChains(folder, FINALITY_SECONDS);
  try {
    const order = [
      'images',
      'environment',
      'install',
      'use',
      'collect',
      'reach',
      'kills',
      'outages',
      'drain',
      'upgrade',
      'rollback',
      'scale',
      'restore',
      'uninstall',
    ] as const;
    for (const name of order) {
      say(`step ${name}`);
      await steps[name]();
    }
  } catch (error) {
    if (keep) {
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      say('the cluster stays up until this program is interrupted');
      await untilAsked();
    }
    throw error;
  } finally {
    await chains.stop();
    await steps.down();
  }
}

if (positionals.length === 0) await runAll();
for (const name of positionals) {
  if (!Object.hasOwn(steps, name)) throw new TypeError(`${name} is none of the steps ${Object.keys(steps).join(', ')}`);
  say(`step ${name}`);
  await steps[name as keyof typeof steps]();
}
