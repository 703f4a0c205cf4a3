import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { call, sendLogging, truth, until, untilState, withTemporaryDir } from '../test/devnet.harness.js';
import type { DevnetDescription } from './index.js';

jest.setTimeout(120_000);

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Node runs the source itself, once `.js` in an import means the `.ts` beside it. */
const sourceResolver = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (specifier, context, next) => {
    try { return next(specifier, context); }
    catch (error) {
      if (!specifier.startsWith('.')) throw error;
      return next(specifier.replace(/\\.js$/, '.ts'), context);
    }
  } });
`)}`;

function commandFor(dir: string): string[] {
  return ['--import', sourceResolver, entry, '--dir', dir, '--finality-seconds', '2', '--json'];
}

/** Processes whose command line names the folder: the devnet, its guards and its chains. */
async function processesOf(dir: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 1 << 24 });
  return stdout.split('\n').filter((line) => line.includes(dir));
}

async function descriptionOf(child: ChildProcess): Promise<{ description: DevnetDescription; line: string }> {
  if (child.stdout === null) throw new Error('no stdout');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { description: JSON.parse(line) as DevnetDescription, line };
}

describe('the devnet as a child process', () => {
  const children: ChildProcess[] = [];

  function start(dir: string): ChildProcess {
    const child = spawn(process.execPath, commandFor(dir), { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    return child;
  }

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('leaves no process behind when it is killed', () =>
    withTemporaryDir(async (dir) => {
      const child = start(dir);
      const { description } = await descriptionOf(child);
      expect(Number(await call(description.rawRpc['1'], 'eth_chainId'))).toBe(1);
      expect((await processesOf(dir)).length).toBeGreaterThanOrEqual(3);
      child.kill('SIGKILL');
      await until('every process to be gone', async () => ((await processesOf(dir)).length === 0 ? true : null));
      await expect(call(description.rawRpc['1'], 'eth_chainId')).rejects.toThrow();
    }));

  it('leaves no process behind when a chain is killed, and says that it failed', () =>
    withTemporaryDir(async (dir) => {
      const child = start(dir);
      await descriptionOf(child);
      const chain = (await processesOf(dir)).find((line) => /^\s*\d+ \S*anvil .*--chain-id 4663/.test(line));
      process.kill(Number(chain?.trim().split(' ')[0]), 'SIGKILL');
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(1);
      await until('every process to be gone', async () => ((await processesOf(dir)).length === 0 ? true : null));
    }));

  it('stops when its parent ends', () =>
    withTemporaryDir(async (dir) => {
      // The shell stays between us and the devnet: "wait" keeps it from replacing itself by its last command.
      const parent = spawn('/bin/sh', ['-c', '"$@" & wait; exit', 'parent', process.execPath, ...commandFor(dir)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(parent);
      await descriptionOf(parent);
      parent.kill('SIGKILL');
      await until('every process to be gone', async () => ((await processesOf(dir)).length === 0 ? true : null));
    }));

  it('goes on with its chains after a clean stop, and makes new ones after a kill', () =>
    withTemporaryDir(async (dir) => {
      const first = start(dir);
      const { description: before, line } = await descriptionOf(first);
      expect(before).toMatchObject({ schemaVersion: 'launch.devnet.v1', resumed: false });
      expect(line).not.toMatch(/privateKey":/);
      const hash = await sendLogging(before, before.rpc['4663'][0]?.url ?? '');
      const { inclusion } = await untilState(before, hash, 'included', 'posted', 'finalized');
      first.kill('SIGTERM');
      expect((await once(first, 'exit'))[0]).toBe(0);
      expect(await processesOf(dir)).toEqual([]);

      const second = start(dir);
      const { description: again } = await descriptionOf(second);
      expect(again).toMatchObject({
        resumed: true,
        genesis: before.genesis,
        contracts: before.contracts,
        controller: before.controller,
      });
      expect((await truth(again, hash)).inclusion).toEqual(inclusion);
      const code = await call(again.rawRpc['4663'], 'eth_getCode', again.contracts.router.address, {
        blockHash: inclusion?.blockHash,
      });
      expect(code.length).toBeGreaterThan(2);
      await untilState(again, hash, 'finalized');
      await untilState(again, await sendLogging(again, again.rpc['4663'][1]?.url ?? ''), 'finalized');
      second.kill('SIGKILL');
      await once(second, 'exit');

      const { description: fresh } = await descriptionOf(start(dir));
      expect(fresh.resumed).toBe(false);
      expect(fresh.genesis['1']).not.toBe(before.genesis['1']);
      expect(fresh.genesis['4663']).not.toBe(before.genesis['4663']);
      expect(fresh.controller.address).not.toBe(before.controller.address);
      expect(fresh.contracts.router.address).not.toBe(before.contracts.router.address);
    }));
});
