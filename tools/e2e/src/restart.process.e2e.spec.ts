import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stackSchema, type LaunchContext, type LaunchResource } from '@launch/contracts';
import {
  freshSource,
  Launcher,
  PATIENCE_MS,
  type HandedOff,
  type LaunchSite,
  type PreparedRequest,
} from './fixtures/launcher.fixture.js';
import { recordsOf } from './fixtures/stack-records.fixture.js';
import { startE2eStack, type E2eStack } from './stacks/own-stack.js';

/** The state of launches across starts in one data folder: after a clean stop, and after a kill of everything. */
const ROOT = path.resolve(import.meta.dirname, '../../..');
const TEST_MS = 2 * PATIENCE_MS;

let dir: string;
let apiKey: string;
let finished: LaunchResource;
let handedOff: HandedOff;
let interrupted: PreparedRequest;
let published: LaunchContext;
let start: ChildProcess | undefined;
let stack: E2eStack | undefined;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'launch-restart-'));
});
afterAll(async () => {
  start?.kill('SIGTERM');
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
}, 60_000);

/** `npm start` in the same folder; resolves when it says that all is there. */
async function npmStart(): Promise<LaunchSite> {
  const child = spawn(
    process.execPath,
    [path.join(ROOT, 'tools/start/dist/main.js'), '--json', '--finality-seconds', '5'],
    {
      env: { PATH: process.env['PATH'], LAUNCH_DATA_DIR: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  start = child;
  let progress = '';
  child.stderr.on('data', (data: Buffer) => (progress += data.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.endsWith('\n')) resolve(text.trim());
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${progress}`)));
  });
  return siteOf(line);
}

/** A stack as `stack.json` describes it. */
function siteOf(text: string): LaunchSite {
  const running = stackSchema.parse(JSON.parse(text));
  return { stack: running, gateway: running.gateway, controller: running.controller?.address ?? '' };
}

const listed = async (launcher: Launcher): Promise<string[]> =>
  ((await launcher.api.send('GET', '')).body as { items: LaunchResource[] }).items.map(({ launchId }) => launchId);

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
}

/** Every process that a process has started, and what those have. */
function descendantsOf(pid: number, all: readonly ProcessLine[]): readonly ProcessLine[] {
  const children = all.filter(({ parent }) => parent === pid);
  return [...children, ...children.flatMap((child) => descendantsOf(child.pid, all))];
}

async function processes(): Promise<readonly ProcessLine[]> {
  const { stdout } = spawn('ps', ['-eo', 'pid=,ppid=,lstart=,stat='], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of stdout) text += String(chunk);
  return text.split('\n').flatMap((line) => {
    const [pid, parent, ...rest] = line.trim().split(/\s+/);
    const state = rest.pop() ?? '';
    // A zombie has ended; it waits for somebody to ask how.
    return pid === undefined || parent === undefined || state.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), startedAt: rest.join(' ') }];
  });
}

describe('a second start in the same folder', () => {
  it(
    'follows a clean stop with one launch finalized, one handed to its wallet, one under admission',
    async () => {
      stack = await startE2eStack({ dir });
      apiKey = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
      const launcher = await Launcher.withKey(stack, apiKey);
      published = launcher.context;
      const sent = await launcher.authorize();
      await launcher.send(sent);
      finished = await launcher.finalized(sent.launchId);
      handedOff = await launcher.authorize();
      interrupted = await launcher.prepare({ change: freshSource });
      const launchId = await launcher.create(interrupted);
      await launcher.api.until(launchId, ({ status }) => status === 'admitting', PATIENCE_MS);
      await stack.stop();
      stack = undefined;
    },
    TEST_MS,
  );

  it(
    'finds every launch, takes the same keys and goes on where it was',
    async () => {
      const site = await npmStart();
      const launcher = await Launcher.withKey(site, apiKey);
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
      for (const launch of [handedOff, resumed]) {
        await launcher.send(launch);
        await launcher.finalized(launch.launchId);
      }
    },
    TEST_MS,
  );

  it(
    'follows a kill -9 of npm start, which leaves no process behind, and says what became of its launches',
    async () => {
      const child = start as ChildProcess;
      const launcher = await Launcher.withKey(siteOf(await readFile(path.join(dir, 'stack.json'), 'utf8')), apiKey);
      interrupted = await launcher.prepare({ change: freshSource });
      const launchId = await launcher.create(interrupted);
      await launcher.api.until(launchId, ({ status }) => status === 'admitting', PATIENCE_MS);
      const family = descendantsOf(child.pid as number, await processes());
      // Four services, PostgreSQL, Temporal, the chains and whoever watches over them; then what these have started.
      expect(family.length).toBeGreaterThanOrEqual(8);
      child.kill('SIGKILL');
      start = undefined;
      const isLeft = ({ pid, startedAt }: ProcessLine, now: readonly ProcessLine[]) =>
        now.some((one) => one.pid === pid && one.startedAt === startedAt);
      let left = family;
      for (const deadline = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < deadline; await sleep(200)) {
        const now = await processes();
        left = left.filter((one) => isLeft(one, now));
      }
      expect(left).toEqual([]);

      let said = '';
      stack = await startE2eStack({
        dir,
        progress: { line: (text) => void (said += `${text}\n`), step: (_name, work) => work(() => undefined) },
      });
      const again = await Launcher.withKey(stack, apiKey);
      if (said.includes('were moved to')) {
        // Chains that could not save themselves are gone, and with them everything that was known about them.
        expect((await again.api.send('GET', launchId)).status).toBe(401);
        return;
      }
      // The context names the source that runs: a checkout that is edited during this test is another release.
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
});
