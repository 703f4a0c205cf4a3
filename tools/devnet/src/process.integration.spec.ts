import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { admin, call, sendLogging, truth, until, untilState, withTemporaryDir } from '../test/devnet.harness.js';
import { toHex } from 'viem';
import type { Hex } from 'viem';
import { manifestFileIn, type DevnetDescription } from './index.js';

jest.setTimeout(180_000);

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Lets Node run the source, by resolving `.js` in an import to the `.ts` beside it. */
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

function commandFor(dir: string, ...more: string[]): string[] {
  return ['--import', sourceResolver, entry, '--dir', dir, '--finality-seconds', '2', '--json', ...more];
}

/** Lists processes whose command line names the folder: the devnet, its guards and its chains. */
async function processesOf(dir: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 1 << 24 });
  return stdout.split('\n').filter((line) => line.includes(dir));
}

async function descriptionOf(child: ChildProcess): Promise<{ description: DevnetDescription; line: string }> {
  if (child.stdout === null) throw new Error('no stdout');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the devnet ended with ${String(code)} before it was ready`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
  return { description: JSON.parse(line) as DevnetDescription, line };
}

describe('the devnet as a child process', () => {
  const children: ChildProcess[] = [];

  function start(dir: string, ...more: string[]): ChildProcess {
    const child = spawn(process.execPath, commandFor(dir, ...more), { stdio: ['ignore', 'pipe', 'inherit'] });
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

  it('leaves no process behind when a chain is killed, and reports its failure', () =>
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
      // The shell stays between the test and the devnet: "wait" keeps it from replacing itself by its last command.
      const parent = spawn('/bin/sh', ['-c', '"$@" & wait; exit', 'parent', process.execPath, ...commandFor(dir)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(parent);
      await descriptionOf(parent);
      parent.kill('SIGKILL');
      await until('every process to be gone', async () => ((await processesOf(dir)).length === 0 ? true : null));
    }));

  /**
   * Returns everything that must be the same after a restart: an old block, a receipt in it, and the state at it with its
   * proof.
   */
  async function seen(devnet: DevnetDescription, hash: Hex, block: number) {
    const rpc = devnet.rpc['4663'][0]?.url ?? '';
    const { hash: blockHash } = await call(rpc, 'eth_getBlockByNumber', toHex(block), false);
    return {
      block: await call(rpc, 'eth_getBlockByHash', blockHash, true),
      receipt: await call(rpc, 'eth_getTransactionReceipt', hash),
      proof: await call(
        rpc,
        'eth_getProof',
        devnet.contracts.poolManager.address,
        [`0x${'0'.repeat(64)}`],
        toHex(block),
      ),
      code: await call(rpc, 'eth_getCode', devnet.contracts.router.address, { blockHash }),
    };
  }

  it('keeps blocks, receipts, states and keys through a clean stop, a kill, and a kill of either chain', () =>
    withTemporaryDir(async (dir) => {
      let child = start(dir);
      const { description: before, line } = await descriptionOf(child);
      expect(before).toMatchObject({ schemaVersion: 'launch.devnet.v1', resumed: false, genesisL2Block: 50_469_364 });
      expect(line).not.toMatch(/privateKey":/);
      const hash = await sendLogging(before, before.rpc['4663'][0]?.url ?? '');
      const { inclusion } = await untilState(before, hash, 'finalized');
      if (inclusion === null) throw new Error('not included');
      const known = await seen(before, hash, inclusion.blockNumber);
      expect(known.receipt.logs).toHaveLength(1);
      const funded = '0x00000000000000000000000000000000000000aa';
      await admin(before, 'POST', '/chains/4663/fund', { address: funded, wei: '5' });

      const manifest = await readFile(manifestFileIn(dir), 'utf8');
      let devnet = before;
      for (const end of ['SIGTERM', 'SIGKILL', 'chain 1', 'chain 4663', 'SIGKILL'] as const) {
        // Seen as final: the chains must restore it, however they end now.
        const last = await sendLogging(devnet, devnet.rpc['4663'][1]?.url ?? '');
        const { inclusion: lastInclusion } = await untilState(devnet, last, 'finalized');
        if (end.startsWith('SIG')) child.kill(end as NodeJS.Signals);
        else {
          const chain = (await processesOf(dir)).find((each) =>
            new RegExp(`^\\s*\\d+ \\S*anvil .*--chain-id ${end.slice(6)} `).test(each),
          );
          process.kill(Number(chain?.trim().split(' ')[0]), 'SIGKILL');
        }
        await once(child, 'exit');
        await until('every process to be gone', async () => ((await processesOf(dir)).length === 0 ? true : null));
        // Each start writes the manifest again.
        await rm(manifestFileIn(dir));
        child = start(dir);
        ({ description: devnet } = await descriptionOf(child));
        expect(devnet).toMatchObject({
          resumed: true,
          genesis: before.genesis,
          contracts: before.contracts,
          controller: before.controller,
        });
        expect(await readFile(manifestFileIn(dir), 'utf8')).toBe(manifest);
        expect(await seen(devnet, hash, inclusion.blockNumber)).toEqual(known);
        expect((await truth(devnet, last)).inclusion).toEqual(lastInclusion);
        expect(BigInt(await call(devnet.rawRpc['4663'], 'eth_getBalance', funded, 'latest'))).toBe(5n);
      }
    }));

  it('begins new chains with new keys only on request', () =>
    withTemporaryDir(async (dir) => {
      const first = start(dir);
      const { description: before } = await descriptionOf(first);
      first.kill('SIGTERM');
      expect((await once(first, 'exit'))[0]).toBe(0);
      const { description: fresh } = await descriptionOf(start(dir, '--fresh'));
      expect(fresh.resumed).toBe(false);
      expect(fresh.genesis['1']).not.toBe(before.genesis['1']);
      expect(fresh.genesis['4663']).not.toBe(before.genesis['4663']);
      expect(fresh.controller.address).not.toBe(before.controller.address);
      expect(fresh.contracts.router.address).not.toBe(before.contracts.router.address);
    }));

  it('refuses a damaged journal and missing keys, and touches none of them', () =>
    withTemporaryDir(async (dir) => {
      const refused = async (): Promise<string> => {
        const child = spawn(process.execPath, commandFor(dir), { stdio: ['ignore', 'ignore', 'pipe'] });
        children.push(child);
        let said = '';
        child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
        expect((await once(child, 'close'))[0]).toBe(1);
        return said;
      };
      const first = start(dir);
      await descriptionOf(first);
      first.kill('SIGTERM');
      await once(first, 'exit');
      const journal = join(dir, 'journal.log');
      const whole = await readFile(journal, 'utf8');
      const damaged = whole.replace('"kind":"origin"', '"kind":"Origin"');
      await writeFile(journal, damaged);
      expect(await refused()).toMatch(/CHAINS_UNREADABLE.*damaged.*"line":2/);
      expect(await readFile(journal, 'utf8')).toBe(damaged);

      await writeFile(journal, whole);
      const key = join(dir, 'keys', 'owner.key');
      await rename(key, `${key}.lost`);
      expect(await refused()).toMatch(/CHAINS_UNREADABLE.*missing.*owner\.key/);
      await rename(`${key}.lost`, key);

      expect((await descriptionOf(start(dir))).description.resumed).toBe(true);
    }));
});
