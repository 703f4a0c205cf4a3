import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isProcessAlive } from './child-guard.js';
import { descendantsOf, killTree } from './kill-tree.js';

const sourceHooks = path.resolve(import.meta.dirname, '../../../../tools/source-hooks.mjs');
const deaf = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000);";
/** A child in its own process group, with a child in another; both ignore signals. */
const family = `const { spawn } = require('node:child_process'); spawn(process.execPath, ['--eval', ${JSON.stringify(deaf)}], { stdio: 'ignore', detached: true }); console.log('up'); ${deaf}`;

/** Reports whether a process has ended. A killed orphan remains a process until init reaps it. */
const hasEnded = (pid: number): boolean => {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return !isProcessAlive(pid);
  }
};

const gone = async (pids: readonly number[]): Promise<void> => {
  while (pids.some(isProcessAlive)) await new Promise((resolve) => setTimeout(resolve, 20));
};

it('A process is killed with all of its descendants in any process group.', async () => {
  const child = spawn(process.execPath, ['--eval', family], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const pid = child.pid ?? 0;
  const below = await descendantsOf([pid]);
  expect(below).toHaveLength(1);
  await killTree(pid);
  await gone([pid, ...below]);
});

it('All started and guarded processes are gone once the kill resolves.', async () => {
  const source = `
    import { guardProcess, killAll, spawnGuarded } from './processes.entry.js';
    const [guarded] = process.argv.slice(1).map(Number);
    guardProcess(guarded);
    const child = spawnGuarded(process.execPath, ['--eval', ${JSON.stringify(family)}], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    console.log('up');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    await killAll();
    console.log('killed');
    process.exit(0);`;
  const another = spawn(process.execPath, ['--eval', deaf], { stdio: 'ignore', detached: true });
  const parent = spawn(
    process.execPath,
    [
      '--conditions=@launch/source',
      '--import',
      sourceHooks,
      '--input-type=module',
      '--eval',
      source,
      String(another.pid),
    ],
    {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const says = (): Promise<string> =>
    new Promise((resolve) => parent.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())));
  expect(await says()).toBe('up');
  const below = await descendantsOf([parent.pid ?? 0]);
  // The child, its own child, and the reaper.
  expect(below).toHaveLength(3);
  parent.stdin.write('go');
  expect(await says()).toBe('killed');
  expect([...below, another.pid ?? 0].filter((pid) => !hasEnded(pid))).toEqual([]);
});
