import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';

const PROGRAM = path.join(import.meta.dirname, 'in-idle-time.mjs');

/** Runs `script` in a session of its own, and resolves with what it said and its exit code. */
async function ran(script: string): Promise<{ said: string; code: number }> {
  const child = spawn(process.execPath, [PROGRAM, '-e', script], {
    detached: true,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number]>]);
  return { said, code };
}

it('a script that runs in idle time has the lowest priority, and its threads have it too', async () => {
  const { said } = await ran(`
    const say = 'console.log(require("node:os").getPriority())';
    eval(say);
    new (require('node:worker_threads').Worker)(say, { eval: true });
  `);
  expect(said.trim().split('\n').map(Number)).toEqual([
    constants.priority.PRIORITY_LOW,
    constants.priority.PRIORITY_LOW,
  ]);
});

const groups = existsSync('/proc/self/autogroup') ? it : it.skip;
groups('a session that runs in idle time weighs as little as its processes', async () => {
  const { said } = await ran(`process.stdout.write(require('node:fs').readFileSync('/proc/self/autogroup', 'utf8'))`);
  expect(said).toMatch(/ nice 19\n$/);
});

it('a script that fails in idle time fails with its own exit code', async () => {
  expect(await ran('process.exit(3)')).toEqual({ said: '', code: 3 });
});
