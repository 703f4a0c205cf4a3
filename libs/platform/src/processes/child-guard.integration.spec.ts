import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { isProcessAlive, spawnGuarded, stopChild } from './child-guard.js';

const sourceHooks = path.resolve(import.meta.dirname, '../../../../tools/source-hooks.mjs');

async function gone(pid: number): Promise<void> {
  while (isProcessAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Starts a parent that starts a guarded `child`, prints the ids of the child and of the child's own child, and keeps
 * running.
 */
function startParent(childSource: string, graceMs: number) {
  const parentSource = `
    import { spawnGuarded } from './processes.entry.js';
    const child = spawnGuarded(process.execPath, ['--eval', ${JSON.stringify(childSource)}], { stdio: ['ignore', 'pipe', 'ignore'], stop: { graceMs: ${graceMs} } });
    child.stdout.once('data', (data) => console.log(child.pid + ' ' + data));
    setInterval(() => {}, 1000);`;
  const parent = spawn(
    process.execPath,
    ['--conditions=@launch/source', '--import', sourceHooks, '--input-type=module', '--eval', parentSource],
    {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const pids = new Promise<number[]>((resolve, reject) => {
    parent.stdout.once('data', (data: Buffer) => resolve(data.toString().trim().split(' ').map(Number)));
    parent.once('exit', (code) => reject(new Error(`the parent ended early: ${code}`)));
  });
  return { parent, pids };
}

const stubborn = `
  process.on('SIGTERM', () => {});
  const inner = require('node:child_process').spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  console.log(inner.pid);
  setInterval(() => {}, 1000);`;

describe('guarded children', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'end with their own children when the parent ends by %s, even if they ignore requests',
    async (signal) => {
      const { parent, pids } = startParent(stubborn, 300);
      const [child, inner] = (await pids) as [number, number];
      expect([isProcessAlive(child), isProcessAlive(inner)]).toEqual([true, true]);
      parent.kill(signal);
      await Promise.all([gone(child), gone(inner)]);
    },
    20_000,
  );

  it('are stopped by request, and killed if they ignore it', async () => {
    const polite = spawnGuarded(
      process.execPath,
      ['--eval', 'process.on("SIGTERM", () => process.exit(7)); console.log(1); setInterval(() => {}, 1000)'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    await new Promise((resolve) => polite.stdout?.once('data', resolve));
    await stopChild(polite);
    expect(polite.exitCode).toBe(7);
    const deaf = spawnGuarded(
      process.execPath,
      ['--eval', 'process.on("SIGTERM", () => {}); console.log(1); setInterval(() => {}, 1000)'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    await new Promise((resolve) => deaf.stdout?.once('data', resolve));
    await stopChild(deaf, { graceMs: 100 });
    expect(deaf.signalCode).toBe('SIGKILL');
  });
});
