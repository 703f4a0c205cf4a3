import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import type { PinnedCompiler } from './compiler.versions.js';
import { SolcProcess } from './solc.process.js';
import { SolcPool, type PoolJob, type PoolOptions, type PoolOutcome } from './solc.pool.js';

jest.setTimeout(180_000);

/** Memory of a job that never ends, far more than that of a waiting process. */
const BUSY_MIB = 256;
/** A program in place of the compiler. It returns its input unchanged, unless that is one of its commands. */
const ECHO = `
  var jobs = 0, memory = new Uint8Array(4 * 1024 * 1024), input = 1024;
  Module.HEAPU8 = memory;
  var place = function (at, text) { for (var i = 0; i < text.length; i++) memory[at + i] = text.charCodeAt(i); memory[at + text.length] = 0; return at; };
  var told = function (text) { return JSON.stringify({ errors: [{ severity: 'error', type: text }] }); };
  Module._solidity_version = function () { return place(8, 'echo'); };
  Module._solidity_alloc = function () { return input; };
  Module._solidity_compile = function () {
    jobs += 1;
    for (var end = input; memory[end] !== 0;) end += 1;
    var text = ''; for (var i = input; i < end; i++) text += String.fromCharCode(memory[i]);
    if (text === 'count') return place(input, told('job ' + jobs));
    if (text === 'good when fresh') return place(input, jobs === 1 ? told('job 1') : '{"sources":{"a.sol":{"ast":{"nodeType":"VariableDeclaration","mutability":"immutable"}}}}');
    if (text === 'wait for ever') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (text === 'for ever') { var held = new Uint8Array(${BUSY_MIB} * 1024 * 1024).fill(1); while (held[0] === 1); }
    return input;
  };
  Module._solidity_reset = function () {};`;

const OPTIONS: PoolOptions = {
  memoryPages: 1_024,
  maxOutputBytes: 8 * 1024 * 1024,
  jobsPerProcess: 32,
  concurrency: 1,
  maxProcesses: 2,
  maxQueued: 1,
  idleMs: 60_000,
};

let dir: string;
let compiler: PinnedCompiler;
let pool: SolcPool;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'pool-'));
  await writeFile(path.join(dir, 'soljson.js'), ECHO);
  compiler = {
    version: 'echo',
    commit: '00000000',
    longVersion: 'echo',
    packageName: dir,
    sha256: createHash('sha256').update(ECHO).digest('hex'),
  };
  pool = new SolcPool(OPTIONS);
});
afterEach(async () => {
  await pool.close();
  await rm(dir, { recursive: true, force: true });
});

const run = (text: string, more: Partial<PoolJob> = {}): Promise<PoolOutcome> =>
  pool.run({ compiler, input: new TextEncoder().encode(text), cpuMs: 60_000, process: 'shared', ...more });
const jobOfProcess = async (text = 'count', more: Partial<PoolJob> = {}): Promise<unknown> => {
  const outcome = await run(text, more);
  return outcome.kind === 'errors' ? outcome.errors[0]!.type : outcome;
};

const contract = (evm: object, abi: unknown = []): object => ({ contracts: { 'a.sol': { A: { abi, evm } } } });
const code = (object: string, more = {}): object => ({ object, linkReferences: {}, ...more });
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

describe('An invalid answer', () => {
  it.each<[string, string]>([
    ['code that is not hex', JSON.stringify(contract({ bytecode: code('60zz'), deployedBytecode: code('') }))],
    [
      'a place before the code',
      JSON.stringify(
        contract({
          bytecode: code(''),
          deployedBytecode: code('00', { immutableReferences: { 3: [{ start: -1, length: 32 }] } }),
        }),
      ),
    ],
    [
      'an immutable without a name',
      JSON.stringify({
        sources: { 'a.sol': { ast: { nodeType: 'VariableDeclaration', mutability: 'immutable', id: 3 } } },
      }),
    ],
  ])(
    '(%s) that repeats in a fresh process is a defect, which no retry fixes and which ends no sound process',
    async (_title, answer) => {
      expect(await jobOfProcess()).toBe('job 1');
      await expect(run(answer)).rejects.toMatchObject({ code: 'COMPILER_DEFECT', retryable: false });
      expect(compilers()).toHaveLength(2);
      expect(await jobOfProcess()).toBe('job 2');
    },
  );

  it.each<[string, string]>([
    ['is not JSON', 'Segmentation fault'],
    [
      'is too deep for JSON',
      JSON.stringify(contract({ bytecode: code(''), deployedBytecode: code('') })).replace('"abi":[]', `"abi":${deep}`),
    ],
  ])('that %s is a defect, and its process is not used again', async (_title, answer) => {
    expect(await jobOfProcess()).toBe('job 1');
    await expect(run(answer)).rejects.toMatchObject({ code: 'COMPILER_DEFECT', retryable: false });
    expect(await jobOfProcess()).toBe('job 1');
  });

  it('An invalid answer from a used process has no effect on the result, which comes from a fresh process.', async () => {
    expect(await jobOfProcess()).toBe('job 1');
    expect(await jobOfProcess('good when fresh')).toBe('job 1');
  });
});

it('A process that is killed from outside twice says nothing about its input.', async () => {
  let settled = false;
  const crashed = expect(run('for ever').finally(() => (settled = true))).rejects.toMatchObject({
    code: 'COMPILER_CRASHED',
    retryable: true,
    data: { signal: 'SIGKILL' },
  });
  const killed = new Set<number>();
  while (!settled) {
    for (const pid of compilers().filter((one) => !killed.has(one) && busy(one))) {
      process.kill(pid, 'SIGKILL');
      killed.add(pid);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await crashed;
  expect(killed.size).toBe(2);
});

describe('processes', () => {
  const aborted = { code: 'COMPILER_ABORTED' };

  it('A version has as many processes as may run at once, and one more job waits.', async () => {
    pool = new SolcPool({ ...OPTIONS, concurrency: 2 });
    const stops = [new AbortController(), new AbortController()];
    const endless = stops.map(({ signal }) => expect(run('for ever', { signal })).rejects.toMatchObject(aborted));
    while (compilers().filter(busy).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const third = jobOfProcess();
    expect(await Promise.race([third, Promise.resolve('waits')])).toBe('waits');
    stops[0]!.abort();
    expect(await third).toBe('job 1');
    expect(compilers().filter(busy)).toHaveLength(1);
    stops[1]!.abort();
    await Promise.all(endless);
  });

  it('are gone after the pool closes, including one whose job was just stopped', async () => {
    const stop = new AbortController();
    const stopped = expect(run('for ever', { signal: stop.signal })).rejects.toMatchObject(aborted);
    while (compilers().filter(busy).length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    const [pid] = compilers();
    stop.abort();
    await stopped;
    await pool.close();
    // Synchronously, so no process has ended by itself in between.
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('stay warm for the next job', async () => {
    pool = new SolcPool({ ...OPTIONS, concurrency: 2 });
    expect(await Promise.all([jobOfProcess(), jobOfProcess()])).toEqual(['job 1', 'job 1']);
    expect(await Promise.all([jobOfProcess(), jobOfProcess()])).toEqual(['job 2', 'job 2']);
    expect(compilers()).toHaveLength(2);
  });

  it('Processes that serve one job each are replaced by one loaded ahead.', async () => {
    const own = { process: 'own-with-spare' } as const;
    const stop = new AbortController();
    const endless = expect(run('for ever', { ...own, signal: stop.signal })).rejects.toMatchObject(aborted);
    while (compilers().filter(busy).length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    const [used] = compilers();
    stop.abort();
    await endless;
    const spares = (): number[] => compilers().filter((pid) => pid !== used);
    while (spares().length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    expect([await jobOfProcess('count', own), await jobOfProcess('count', own)]).toEqual(['job 1', 'job 1']);
  });

  it('Processes that other jobs used do not serve a job that needs its own.', async () => {
    expect([await jobOfProcess(), await jobOfProcess()]).toEqual(['job 1', 'job 2']);
    expect(await jobOfProcess('count', { process: 'own' })).toBe('job 1');
    expect(await jobOfProcess()).toBe('job 3');
  });

  it('Processes that are loaded ahead respect the bound of all processes.', async () => {
    pool = new SolcPool({ ...OPTIONS, maxProcesses: 1 });
    const stop = new AbortController();
    expect(await jobOfProcess('count', { process: 'own-with-spare' })).toBe('job 1');
    const endless = expect(run('for ever', { process: 'own', signal: stop.signal })).rejects.toMatchObject(aborted);
    while (compilers().filter(busy).length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    while (compilers().length > 1) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    await endless;
  });

  /** Gives a process a job that never ends, and waits until `isDue` is true for it. */
  async function endless(more: Partial<PoolJob>, isDue: (pid: number) => boolean): Promise<void> {
    const stop = new AbortController();
    const ended = expect(run('for ever', { ...more, signal: stop.signal })).rejects.toMatchObject(aborted);
    while (!compilers().some((pid) => busy(pid) && isDue(pid))) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    await ended;
  }

  it('Processes with one job yield the processor in steps as they use it, and the next one begins at full priority.', async () => {
    const seen = new Set<number>();
    await endless({ process: 'own-with-spare' }, (pid) => seen.add(getPriority(pid)).has(15));
    expect([...seen]).toEqual([0, 3, 6, 10, 15].filter((step) => seen.has(step)));
    expect([...seen]).toEqual(expect.arrayContaining([0, 15]));
    await endless({ process: 'own' }, (pid) => getPriority(pid) === 0);
  });

  it('The process of a request with much earlier use yields immediately.', async () => {
    await endless({ process: 'own', spentMs: 120_000 }, (pid) => {
      expect(getPriority(pid)).toBe(15);
      return true;
    });
  });

  it('Processes that jobs share keep their priority, which the next job would inherit.', async () => {
    await endless({ process: 'shared', spentMs: 120_000 }, (pid) => {
      expect(getPriority(pid)).toBe(0);
      return true;
    });
  });

  it('A job that hangs without processor time stalls, although the guard of its process uses some.', async () => {
    const hanging = await SolcProcess.start(compiler, OPTIONS);
    const input = new TextEncoder().encode('wait for ever');
    expect(await hanging.run(input, { cpuMs: 60_000, stallMs: 2_000 })).toEqual({ kind: 'stalled' });
    await hanging.ended();
  });

  it('report the processor time of a job, and end it at its own bound', async () => {
    expect((await run('count')).cpuMs).toBeLessThan(1_000);
    expect(await run('for ever', { cpuMs: 300 })).toEqual({ kind: 'limit', limit: 'time', cpuMs: 300 });
  });

  it('Processes of a version without recent jobs are replaced, so that the bound is never exceeded.', async () => {
    const asVersion = (version: string): Promise<unknown> =>
      jobOfProcess('count', { compiler: { ...compiler, version } });
    for (const version of ['a', 'b', 'a', 'c']) await asVersion(version);
    while (compilers().length > 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await asVersion('a')).toBe('job 3');
    expect(await asVersion('b')).toBe('job 1');
  });
});

/** Children of this process that run this test's compiler. */
function compilers(): number[] {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .flatMap((line) => (line.includes(path.join(dir, 'soljson.js')) ? [Number.parseInt(line, 10)] : []));
}

/** Returns whether it runs the endless job, by its memory. */
function busy(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout) >= BUSY_MIB * 1024;
}
