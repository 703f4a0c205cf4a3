// The product in containers, as deploy/README.md deploys it: `npm run test:compose`. Needs root, a Docker engine with Compose 2, and the
// images of `deploy/local-images` or a registry. COMPOSE_TEST_IMAGES names base images, as lines of `deploy/.env`; COMPOSE_TEST_SOURCE
// another clone to deploy, in which launch-deploy is built.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { runReferenceLaunch } from '@launch/start';
import { ComposeDeployment } from './compose-deployment.js';
import { commitAnotherRelease } from '../deployed/another-release.js';
import { LOCAL_IMAGES } from '../deployed/built-images.js';
import { DeployedLaunches, type Ending } from '../deployed/deployed-launches.js';
import { startExposedChains, type ExposedChains } from './exposed-chains.js';
import { commandsOf } from './runbook.js';
import { downloadPrograms } from '../deployed/published-programs.js';
import { runProgram } from '../deployed/run-program.js';

const HOUR_MS = 3_600_000;
const MINUTES_MS = 900_000;
const FINALITY_SECONDS = 10;
/** Services that only act once a launch was sent; all others are killed while it is admitted. */
const AFTER_SENDING = new Set(['finality-worker', 'indexer', 'site']);
const SERVICES = [
  'api-gateway',
  'admission-worker',
  'permit-custody',
  'finality-worker',
  'indexer',
  'postgres',
  'custody-postgres',
  'temporal',
  'module-builder',
  'module-review',
  'review-console',
  'site',
  'temporal-ui',
  'temporal-ui-proxy',
] as const;

let folder: string;
let chains: ExposedChains;
let deployment: ComposeDeployment;
let launches: DeployedLaunches;
const ended: Ending[] = [];
const say = (text: string): void => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** Every launch ends finalized, or refused with a code. */
function expectEnd(ending: Ending): void {
  if (ending.status === 'finalized') ended.push(ending);
  else expect(ending.findings).not.toEqual([]);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(process.env['COMPOSE_TEST_DIR'] ?? tmpdir(), 'launch-compose-'));
  chains = await startExposedChains(path.join(folder, 'chains'), FINALITY_SECONDS);
  deployment = await ComposeDeployment.prepare(folder, chains, process.env['COMPOSE_TEST_IMAGES'] ?? LOCAL_IMAGES);
  await deployment.up();
}, HOUR_MS);

afterAll(async () => {
  if (deployment !== undefined) await deployment.destroy();
  await chains?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
}, MINUTES_MS);

it('runs every service healthy, on a limit of memory each, with nothing restarted', async () => {
  const containers = await deployment.containers();
  const running = containers.filter(({ pid }) => pid !== 0);
  expect(running.map(({ service }) => service).sort()).toEqual([...SERVICES].sort());
  for (const { service, memoryBytes, restarts, health } of running)
    expect([service, memoryBytes > 0, restarts, ['healthy', 'running'].includes(health)]).toEqual([
      service,
      true,
      0,
      true,
    ]);
});

it(
  'takes a launch from the published programs to its record, which the site shows',
  async () => {
    const bundles = path.join(folder, 'downloaded');
    await downloadPrograms(deployment.gateway, bundles);
    const { launchId, record } = await runReferenceLaunch({
      stack: deployment.stack(),
      referenceCase: 'buy',
      bundles,
      workDir: path.join(folder, 'reference'),
      timeoutMs: MINUTES_MS,
      onStage: (stage, milliseconds, detail) => say(`${stage} after ${milliseconds} ms ${detail ?? ''}`),
    });
    expect(record.apiLaunchId).toBe(launchId);
    const { token } = record.market;
    const until = Date.now() + 120_000;
    const shown = (): Promise<Response> => fetch(`${deployment.site}/coins/4663/${token}`);
    let page = await shown();
    for (; page.status !== 200 && Date.now() < until; page = await shown()) await sleep(1_000);
    expect([page.status, (await page.text()).toLowerCase().includes(token.toLowerCase())]).toEqual([200, true]);
    launches = await DeployedLaunches.open(deployment);
  },
  MINUTES_MS,
);

describe('a container that is killed during a launch', () => {
  it.each(SERVICES)(
    'is restarted, and no launch is lost: %s',
    async (service) => {
      const first = await launches.create(await launches.prepare());
      if (AFTER_SENDING.has(service)) await launches.send(first);
      const before = await deployment.container(service);
      const killedAt = Date.now();
      await deployment.crash(service);
      // The second launch begins while the service is away.
      const second = launches.prepare().then((request) => launches.create(request));
      await deployment.restarted(service, before);
      const healthyAfter = Date.now() - killedAt;
      const endings = await Promise.all([
        AFTER_SENDING.has(service) ? launches.ended(first) : launches.finish(first),
        second.then((launchId) => launches.finish(launchId)),
      ]);
      for (const ending of endings) expectEnd(ending);
      const outcomes = endings.map(({ status, findings }) => [status, ...findings].join(' '));
      say(
        `killed ${service}: healthy after ${healthyAfter} ms, launches ${outcomes.join(' and ')} after ${Date.now() - killedAt} ms`,
      );
    },
    MINUTES_MS,
  );
});

it(
  'collects blobs by its own container, which finds those that databases name and removes none',
  async () => {
    const counted = await deployment.compose(['run', '--rm', '--no-deps', 'blob-collector']);
    const { counts } = JSON.parse(counted.split('\n').find((line) => line.includes('"kept"')) ?? '{}') as {
      counts: Readonly<Record<string, number>>;
    };
    expect(counts).toMatchObject({ unreferenced: 0, aside: 0 });
    expect(counts['referenced']).toBeGreaterThan(ended.length);
    const remove = ['node', 'apps/blob-collector/dist/main.js', '--remove'];
    expect(await deployment.compose(['run', '--rm', '--no-deps', 'blob-collector', ...remove])).toContain('collected');
  },
  MINUTES_MS,
);

it(
  'continues open launches under a new release, and answers as before about those that ended',
  async () => {
    const answers = await launches.answersAbout(ended);
    const open = await launches.create(await launches.prepare());
    const before = await deployment.commit();
    await commitAnotherRelease(deployment.release);
    await deployment.set({ LAUNCH_VERSION: 'test-2' });
    await deployment.up();
    expect(await deployment.commit()).not.toBe(before);
    const ending = await launches.finish(open);
    expectEnd(ending);
    expect(await launches.answersAbout(ended.filter((one) => one !== ending))).toEqual(
      // The feed has the launch that ended meanwhile.
      { ...answers, [`${MULTI_ROLE_BASE_PATH}/finalized`]: expect.any(String) },
    );
    expectEnd(await launches.finish(await launches.create(await launches.prepare())));
  },
  HOUR_MS,
);

it(
  'is restored from its backup after all volumes are destroyed, and answers as before',
  async () => {
    const answers = await launches.answersAbout(ended);
    expect(Object.keys(answers).length).toBeGreaterThan(10);
    const runbook = path.join(deployment.release, 'docs/runbooks/backup.md');
    const script = async (section: string): Promise<string> =>
      runProgram(['/bin/sh', '-euxc', await commandsOf(runbook, section)], {
        cwd: deployment.release,
        env: await deployment.environment(),
        shown: true,
      });
    await mkdir(path.join(deployment.release, 'backup'), { mode: 0o700 });
    await script('Back up');
    // The runbook's first command of a restoration removes all volumes.
    await script('Restore');
    expect(await launches.answersAbout(ended)).toEqual(answers);
    expectEnd(await launches.finish(await launches.create(await launches.prepare())));
  },
  HOUR_MS,
);

it(
  'builds the same layers of the same commit again',
  async () => {
    await deployment.set({ LAUNCH_VERSION: 'test-again' });
    await deployment.buildAnew();
    const again = await deployment.layers('test-again');
    expect(Object.keys(again).length).toBeGreaterThan(10);
    expect(again).toEqual(await deployment.layers('test-2'));
  },
  2 * HOUR_MS,
);
