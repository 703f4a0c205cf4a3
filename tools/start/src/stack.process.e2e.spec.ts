import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { stackSchema } from '@launch/contracts';
import { isProcessAlive } from '@launch/platform/processes';
import { withClient } from '@launch/postgres-server';
import { createProgress } from './progress.js';
import type { ComponentName, RunningStack } from './stack.js';
import { startStack } from './stack.js';

const root = path.resolve(import.meta.dirname, '../../..');
const NAMES: ComponentName[] = [
  'postgres',
  'temporal',
  'chains',
  'permit-custody',
  'admission-worker',
  'finality-worker',
  'api-gateway',
];

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'launch-stack-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const isReady = async (running: RunningStack): Promise<boolean> => (await fetch(`${running.stack.gateway}/readyz`)).ok;

async function untilReady(running: RunningStack): Promise<void> {
  while (!(await isReady(running).catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Progress whose lines can be looked at. */
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

describe('the stack', () => {
  let contextBefore: string;

  it('comes up, and comes back after a kill -9 of a service, of PostgreSQL and of Temporal', async () => {
    const running = await startStack({ dir, policy: 'v2', serviceEnv: { 'api-gateway': { RATE_LIMITS: '{}' } } });
    const pids = NAMES.map((name) => running.services.pid(name));
    try {
      const written: unknown = JSON.parse(await readFile(path.join(dir, 'stack.json'), 'utf8'));
      expect(stackSchema.parse(written)).toEqual(running.stack);
      for (const name of ['stack.json', 'temporal.sqlite'])
        expect([name, (await stat(path.join(dir, name))).mode & 0o777]).toEqual([name, 0o600]);
      contextBefore = await readFile(path.join(dir, 'context.json'), 'utf8');
      expect(contextBefore).toContain('service.multi-role-runtime-instruction-policy.v2');

      for (const name of ['api-gateway', 'permit-custody', 'postgres', 'temporal'] as const) {
        const before = running.services.pid(name);
        await running.services.kill(name, 'SIGKILL');
        await running.services.up(name);
        expect(running.services.pid(name)).not.toBe(before);
      }
      await untilReady(running);
      await running.services.restart('api-gateway', {});
      expect(await isReady(running)).toBe(true);
      pids.push(...NAMES.map((name) => running.services.pid(name)));
    } finally {
      await running.stop();
    }
    for (const pid of pids) expect(isProcessAlive(pid ?? 0)).toBe(false);
    await expect(stat(path.join(dir, 'stack.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  }, 300_000);

  it('finds its state at a second start, each service behind its own role', async () => {
    const { progress, text } = recorded();
    const running = await startStack({ dir, policy: 'v2', progress });
    try {
      expect(text()).toMatch(/chains .* as they were/);
      expect(text()).toMatch(/databases .* 0 migrations applied/);
      expect(await readFile(path.join(dir, 'context.json'), 'utf8')).toBe(contextBefore);
      const admin = await readFile(path.join(dir, 'launch-admin.env'), 'utf8');
      const gateway = /DATABASE_URL=(.*)/.exec(admin)?.[1] ?? '';
      await withClient(gateway, (client) => client.query('SELECT 1'));
      await expect(
        withClient(gateway.replace(/launch_gateway$/, 'launch_custody'), (client) => client.query('SELECT 1')),
      ).rejects.toMatchObject({ code: '42501' });
    } finally {
      await running.stop();
    }
  }, 300_000);

  it('leaves nothing behind when npm start is killed, and finds everything again after that', async () => {
    const start = spawn(
      process.execPath,
      [path.join(root, 'tools/start/dist/main.js'), '--json', '--no-launch', '--policy', 'v2'],
      {
        env: { PATH: process.env['PATH'], LAUNCH_DATA_DIR: dir },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const line = await new Promise<string>((resolve, reject) => {
      let text = '';
      start.stdout.on('data', (data: Buffer) => {
        text += data.toString();
        if (text.endsWith('\n')) resolve(text.trim());
      });
      start.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
    });
    expect(stackSchema.parse(JSON.parse(line)).dataDir).toBe(dir);
    const pidFiles = ['chains', 'permit-custody', 'admission-worker', 'finality-worker', 'api-gateway'].map((name) =>
      path.join(dir, 'run', `${name}.pid`),
    );
    const pids = await Promise.all(
      [...pidFiles, path.join(dir, 'temporal.sqlite.pid'), path.join(dir, 'postgres', 'postmaster.pid')].map(
        async (file) => Number((await readFile(file, 'utf8')).split('\n')[0]),
      ),
    );
    expect(pids.every(isProcessAlive)).toBe(true);
    start.kill('SIGKILL');
    while (pids.some(isProcessAlive)) await new Promise((resolve) => setTimeout(resolve, 100));

    const { progress, text } = recorded();
    const running = await startStack({ dir, policy: 'v2', progress });
    try {
      expect(text()).toMatch(/chains .* as they were/);
      expect(text()).toMatch(/databases .* 0 migrations applied/);
      expect(await readFile(path.join(dir, 'context.json'), 'utf8')).toBe(contextBefore);
      expect(await isReady(running)).toBe(true);
    } finally {
      await running.stop();
    }
  }, 300_000);

  it('keeps chains, databases and keys when its chains are killed: under a running stack, and with npm start itself', async () => {
    const kept = async () => ({
      chains: await readFile(path.join(dir, 'chains.json'), 'utf8'),
      controller: await readFile(path.join(dir, 'chains', 'keys', 'controller.key'), 'utf8'),
      aside: existsSync(path.join(dir, 'aside')),
      context: await readFile(path.join(dir, 'context.json'), 'utf8'),
    });
    const before = await kept();
    expect(before.aside).toBe(false);
    const { progress, text } = recorded();
    const running = await startStack({ dir, policy: 'v2', progress });
    try {
      expect(text()).toMatch(/chains .* as they were/);
      const block = async () => {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_getBlockByNumber',
          params: ['finalized', false],
        });
        const answer = await fetch(running.stack.rpc['4663'][0] ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        return ((await answer.json()) as { result: { number: string; hash: string } }).result;
      };
      const finalized = await block();
      await running.services.kill('chains', 'SIGKILL');
      await running.services.up('chains');
      expect(Number((await block()).number)).toBeGreaterThanOrEqual(Number(finalized.number));
      expect(text()).toMatch(/chains runs again/);
      await untilReady(running);
    } finally {
      await running.stop();
    }
    expect(await kept()).toEqual(before);
  }, 300_000);
});
