import { expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { letYield } from './let-yield.mjs';

const sleeper = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' });

it('gives the lowest priority to a process, and to its session where sessions share a processor', () => {
  const child = sleeper();
  const pid = child.pid as number;
  try {
    letYield(pid);
    expect(getPriority(pid)).toBe(19);
    const session = `/proc/${pid}/autogroup`;
    // A group of its own, so that no other process yields with it.
    const said = existsSync(session) ? readFileSync(session, 'utf8').trim() : 'none';
    expect(said).toMatch(/^(none|\/autogroup-\d+ nice 19)$/);
  } finally {
    child.kill('SIGKILL');
  }
});

it('leaves a process be that has ended', async () => {
  const child = sleeper();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(() => letYield(child.pid)).not.toThrow();
  expect(() => letYield(undefined)).not.toThrow();
});
