import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchContext, LaunchResource } from '@launch/contracts/multi-role';
import { isProcessAlive } from '@launch/platform/processes';
import { withClient } from '@launch/postgres-server';
import { createProgress, type ComponentName, stackSchema, type Stack } from '@launch/start';
import {
  freshSource,
  Launcher,
  PATIENCE_MS,
  type HandedOff,
  type PreparedRequest,
} from '../fixtures/launcher.fixture.js';
import { familyOf, stillRunning } from '../fixtures/process-family.fixture.js';
import { recordsOf } from '../fixtures/stack-records.fixture.js';
import { accessTo, startE2eStack, withOwnController, type E2eStack, type StackAccess } from '../stacks/own-stack.js';
import { crashes } from './crash.chapter.js';
import {
  launchesOfProfile40,
  launchesOfProfile40Under41,
  leaveUnderAdmission,
  plansUnderANewerContext,
} from './earlier-profile.chapter.js';
import { historicalPolicy } from './refusals.chapter.js';

/**
 * One data folder, whose stack is started three times: under profile 4.0, after a clean stop under 4.1, and after a
 * kill of every process.
 */
const ROOT = path.resolve(import.meta.dirname, '../../../..');
const TEST_MS = 2 * PATIENCE_MS;
const FINALITY_SECONDS = '5';
const COMPONENTS: ComponentName[] = [
  'postgres',
  'temporal',
  'chains',
  'permit-custody',
  'admission-worker',
  'finality-worker',
  'api-gateway',
];
/** A site of its own that all starts link to: answers name it, so it must not change. */
const SITE_URL = 'https://site.example';
/** The report of a later start once it has found all state. */
const FOUND_AGAIN = [/chains .* as they were/, /databases .* 0 migrations applied/];

let dir: string;
let stack: E2eStack | undefined;
let start: ChildProcess | undefined;
/** The owner of the launches in this suite, for all three starts. */
let controller: Stack['controller'];
let apiKey: string;
let kept: Kept;
let finished: LaunchResource;
let handedOff: HandedOff;
let interrupted: PreparedRequest;
let published: LaunchContext;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'launch-lives-'));
  stack = await startE2eStack({
    dir,
    policy: 'v2',
    profile: '4.0',
    serviceEnv: { 'api-gateway': { MODULE_SUBMISSIONS: 'false', SITE_URL } },
  });
}, TEST_MS);
afterAll(async () => {
  start?.kill('SIGTERM');
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
});

const running = (): E2eStack => {
  if (stack === undefined) throw new Error('the stack was not started');
  return stack;
};
const pidsOf = ({ services }: E2eStack): number[] => COMPONENTS.map((name) => services.pid(name) ?? 0);

/** Writes one line of progress for each step, for the test to read. */
function recorded() {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { progress: createProgress(stream), text: () => text };
}

interface Kept {
  readonly chains: string;
  readonly controller: string;
  readonly context: string;
  readonly aside: boolean;
}
/** The values that no start and no crash may change. */
const keptState = async (): Promise<Kept> => ({
  chains: await readFile(path.join(dir, 'chains.json'), 'utf8'),
  controller: await readFile(path.join(dir, 'chains', 'keys', 'controller.key'), 'utf8'),
  context: await readFile(path.join(dir, 'context.json'), 'utf8'),
  aside: existsSync(path.join(dir, 'aside')),
});

async function untilReady({ operations }: { readonly operations: string }): Promise<void> {
  const isReady = (): Promise<boolean> => fetch(`${operations}/readyz`).then(({ ok }) => ok);
  while (!(await isReady().catch(() => false))) await sleep(100);
}

async function finalizedBlock({ stack: { rpc } }: E2eStack): Promise<number> {
  const response = await fetch(rpc['4663'][0] as string, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['finalized', false] }),
  });
  return Number(((await response.json()) as { result: { number: string } }).result.number);
}

/** Returns the stack of `stack.json` for the controller of this suite's launches. */
const siteOf = (text: string): StackAccess =>
  accessTo({ ...stackSchema.parse(JSON.parse(text)), controller: controller ?? null });
/** Returns the same stack as the current start has described it. */
const describedSite = async (): Promise<StackAccess> => siteOf(await readFile(path.join(dir, 'stack.json'), 'utf8'));

/** Runs `npm start` in the same folder. @returns its description of the stack, and its output before that. */
async function npmStart(): Promise<{ readonly json: string; readonly progress: string }> {
  const child = spawn(
    process.execPath,
    [
      path.join(ROOT, 'tools/start/dist/main.js'),
      ...['--json', '--no-launch', '--policy', 'v2', '--finality-seconds', FINALITY_SECONDS],
    ],
    { env: { PATH: process.env['PATH'], LAUNCH_DATA_DIR: dir, SITE_URL }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  start = child;
  let progress = '';
  child.stderr.on('data', (data: Buffer) => (progress += data.toString()));
  const json = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.endsWith('\n')) resolve(text.trim());
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${progress}`)));
  });
  return { json, progress };
}

const listed = async (launcher: Launcher): Promise<string[]> =>
  ((await launcher.api.send('GET', '')).body as { items: LaunchResource[] }).items.map(({ launchId }) => launchId);

describe('a first start', () => {
  it(
    'writes files that describe it and that only their owner can read',
    async () => {
      const written: unknown = JSON.parse(await readFile(path.join(dir, 'stack.json'), 'utf8'));
      expect(stackSchema.parse(written)).toEqual(running().stack);
      for (const name of ['stack.json', 'temporal.sqlite'])
        expect([name, (await stat(path.join(dir, name))).mode & 0o777]).toEqual([name, 0o600]);
      kept = await keptState();
      expect(kept.context).toContain('service.multi-role-runtime-instruction-policy.v2');
      expect(kept.aside).toBe(false);
    },
    TEST_MS,
  );

  it(
    'recovers from a kill -9 of a service, of PostgreSQL, of Temporal and of its chains',
    async () => {
      const finalized = await finalizedBlock(running());
      const { services } = running();
      for (const name of ['api-gateway', 'permit-custody', 'postgres', 'temporal', 'chains'] as const) {
        const before = services.pid(name);
        await services.kill(name, 'SIGKILL');
        await services.up(name);
        expect(services.pid(name)).not.toBe(before);
      }
      await untilReady(running().stack);
      expect(await finalizedBlock(running())).toBeGreaterThanOrEqual(finalized);
      expect(await keptState()).toEqual(kept);
    },
    TEST_MS,
  );
});

historicalPolicy(running);
crashes(running);
launchesOfProfile40(running);

describe('a second start in the same folder', () => {
  it(
    'follows a clean stop with one launch finalized, one handed to its wallet, one under admission',
    async () => {
      const own = await withOwnController(running());
      ({ controller } = own.stack);
      apiKey = await own.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
      const launcher = await Launcher.withKey(own, apiKey);
      published = launcher.context;
      const sent = await launcher.authorize();
      await launcher.send(sent);
      finished = await launcher.finalized(sent.launchId);
      handedOff = await launcher.authorize();
      interrupted = await launcher.prepare({ change: freshSource });
      const launchId = await launcher.create(interrupted);
      await launcher.api.until(launchId, ({ status }) => status === 'admitting', PATIENCE_MS);
      const pids = pidsOf(running());
      await leaveUnderAdmission(running());
      await running().stop();
      stack = undefined;
      expect(pids.filter(isProcessAlive)).toEqual([]);
      await expect(stat(path.join(dir, 'stack.json'))).rejects.toMatchObject({ code: 'ENOENT' });
    },
    TEST_MS,
  );

  it(
    'finds every launch, accepts the same keys and continues where it stopped',
    async () => {
      const { json, progress } = await npmStart();
      for (const found of FOUND_AGAIN) expect(progress).toMatch(found);
      // The profile of custom launches and plans is current.
      expect(progress).toContain('the published context is another than last time');
      expect(stackSchema.parse(JSON.parse(json)).dataDir).toBe(dir);
      expect(await keptState()).toEqual(kept);
      const launcher = await Launcher.withKey(siteOf(json), apiKey);
      expect(await launcher.api.get(finished.launchId)).toEqual(finished);
      expect((await launcher.published(finished.onchainLaunchId)).body).toMatchObject({
        apiLaunchId: finished.launchId,
      });
      expect((await launcher.api.get(handedOff.launchId)).wallet).toEqual(handedOff.wallet);

      expect(launcher.context).toEqual(published);
      const replayed = await launcher.replay(interrupted);
      expect(replayed.status).toBe(200);
      const resumed = await launcher.handedOff((replayed.body as LaunchResource).launchId);
      expect(await listed(launcher)).toEqual([resumed.launchId, handedOff.launchId, finished.launchId]);
      for (const launch of [handedOff, resumed]) await launcher.send(launch);
      for (const { launchId } of [handedOff, resumed]) await launcher.finalized(launchId);
    },
    TEST_MS,
  );

  it(
    'gives each service a database role of its own',
    async () => {
      const admin = await readFile(path.join(dir, 'launch-admin.env'), 'utf8');
      const gateway = /DATABASE_URL=(.*)/.exec(admin)?.[1] ?? '';
      await withClient(gateway, (client) => client.query('SELECT 1'));
      await expect(
        withClient(gateway.replace(/launch_gateway$/, 'launch_custody'), (client) => client.query('SELECT 1')),
      ).rejects.toMatchObject({ code: '42501' });
    },
    TEST_MS,
  );

  launchesOfProfile40Under41(describedSite);

  it(
    'follows a kill -9 of npm start, which leaves no process behind, and reports the state of its launches',
    async () => {
      const child = start as ChildProcess;
      const launcher = await Launcher.withKey(await describedSite(), apiKey);
      interrupted = await launcher.prepare({ change: freshSource });
      const launchId = await launcher.create(interrupted);
      await launcher.api.until(launchId, ({ status }) => status === 'admitting', PATIENCE_MS);
      const family = await familyOf(child.pid as number);
      // Four services, PostgreSQL, Temporal, the chains, their supervisor, and the processes that they started.
      expect(family.length).toBeGreaterThanOrEqual(8);
      child.kill('SIGKILL');
      start = undefined;
      let left = family;
      for (const deadline = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < deadline; await sleep(200))
        left = await stillRunning(left);
      expect(left).toEqual([]);

      const { progress, text } = recorded();
      stack = await startE2eStack({ dir, policy: 'v2', progress, serviceEnv: { 'api-gateway': { SITE_URL } } });
      for (const found of FOUND_AGAIN) expect(text()).toMatch(found);
      expect(await keptState()).toEqual(kept);
      const again = await Launcher.withKey(siteOf(JSON.stringify(stack.stack)), apiKey);
      // The context names the running source, so a checkout that is edited during this test is another release.
      expect(again.context).toEqual(launcher.context);
      expect((await again.replay(interrupted)).status).toBe(200);
      const resumed = await again.handedOff(launchId);
      const { permitDigest } = resumed.wallet;
      expect(await recordsOf(stack, launchId)).toMatchObject({
        decisions: [{ kind: 'digest', permitDigest }],
        signatures: [{ permitDigest }],
        handoffs: [{ permitDigest }],
      });
      await again.send(resumed);
      await again.finalized(launchId);
    },
    TEST_MS,
  );

  plansUnderANewerContext(running);
});
