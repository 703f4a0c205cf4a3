import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { descendantsOf, isProcessAlive } from '@launch/platform/processes';

const root = path.resolve(import.meta.dirname, '../../..');
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

/** `npm start`, without npm, in a folder; its output is read as it comes. */
function begin(dir: string) {
  const start = spawn(process.execPath, [path.join(root, 'tools/start/dist/main.js'), '--no-launch'], {
    env: { PATH: process.env['PATH'], LAUNCH_DATA_DIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  start.stdout.on('data', (data: Buffer) => (text += data.toString()));
  const ended = new Promise<number | null>((resolve) => start.once('close', resolve));
  let isOver = false;
  void ended.then(() => (isOver = true));
  return {
    ended,
    text: () => text,
    press: () => void start.kill('SIGINT'),
    below: () => descendantsOf([start.pid ?? 0]),
    /** @throws Error when it ends without having said it. */
    async says(words: RegExp): Promise<void> {
      while (!words.test(text)) {
        if (isOver) throw new Error(`ended without saying ${String(words)}:\n${text}`);
        await tick();
      }
    },
  };
}

const gone = async (pids: readonly number[]): Promise<void> => {
  while (pids.some(isProcessAlive)) await tick();
};

describe('Ctrl-C while the stack starts', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'launch-stopping-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it.each([
    ['while the chains start', /launch: state in/],
    ['while PostgreSQL and Temporal start', /✔ chains/],
    ['while the services start', /✔ databases[^]*✔ Temporal|✔ Temporal[^]*✔ databases/],
  ])(
    'ends the start %s and leaves no process',
    async (_moment, reached) => {
      const start = begin(dir);
      await start.says(reached);
      const below = await start.below();
      start.press();
      expect(await start.ended).toBe(0);
      expect(start.text()).toMatch(/stopping \(SIGINT\)[^]*\nstopped\n$/);
      expect(start.text()).not.toMatch(/✔ api-gateway|ready after/);
      expect((await readdir(dir)).filter((name) => name === 'start.pid' || name === 'stack.json')).toEqual([]);
      await gone(below);
    },
    180_000,
  );

  it('reports the process that delays the stop, and ends it too when it is pressed again', async () => {
    const start = begin(dir);
    await start.says(/✔ databases/);
    const [postmaster] = (await readFile(path.join(dir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n').map(Number);
    process.kill(postmaster ?? 0, 'SIGSTOP');
    const below = await start.below();
    expect(below).toContain(postmaster);
    start.press();
    await start.says(/… waiting for (?!.*(chains|api-gateway)).*postgres.* to end/);
    start.press();
    expect(await start.ended).toBe(1);
    expect(start.text()).toContain('ending everything at once');
    await gone(below);
  }, 180_000);
});
