import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { constants, createContext, runInContext } from 'node:vm';
import { findPinnedCompiler, soljsonPath } from './compiler.versions.js';
import { confinementFlags, SolcProcess } from './solc.process.js';

jest.setTimeout(180_000);

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'confinement-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Runs a program under exactly the flags and the environment of the compiler's process. */
async function probe(body: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const program = path.join(dir, 'probe.cjs');
  await writeFile(program, body);
  return spawnSync(process.execPath, [...confinementFlags([program], 8_192), program, dir], {
    env: {},
    cwd: '/',
    encoding: 'utf8',
  });
}

describe('The process of the compiler', () => {
  const denied: readonly [string, string][] = [
    ['write a file', `require('fs').writeFileSync(process.argv[2] + '/written', 'x')`],
    ['make a folder', `require('fs').mkdirSync(process.argv[2] + '/made')`],
    ['read a secret', `require('fs').readFileSync('/etc/passwd')`],
    ['read its own environment from the kernel', `require('fs').readFileSync('/proc/self/environ')`],
    ['list a folder', `require('fs').readdirSync(process.argv[2])`],
    ['start a process', `require('child_process').execFileSync('/bin/true')`],
    ['open an inspector', `require('inspector').open(0)`],
  ];
  it.each(denied)('cannot %s', async (_name, attempt) => {
    const { status, stdout } = await probe(
      `try { ${attempt}; console.log('allowed') } catch (error) { console.log(error.code) }`,
    );
    expect({ status, stdout: stdout.trim() }).toEqual({ status: 0, stdout: 'ERR_ACCESS_DENIED' });
    expect(await readdir(dir)).toEqual(['probe.cjs']);
  });

  it('has an empty environment, no code from strings and no more WebAssembly memory than the limit', async () => {
    const { stdout } = await probe(`
      const refused = (step) => { try { step(); return false } catch { return true } };
      console.log(JSON.stringify({
        env: Object.keys(process.env),
        evalRefused: refused(() => (0, eval)('1')),
        withinLimit: refused(() => new WebAssembly.Memory({ initial: 8192 })),
        pastLimit: refused(() => { const m = new WebAssembly.Memory({ initial: 8192, maximum: 65536 }); m.grow(1); }),
      }))`);
    expect(JSON.parse(stdout)).toEqual({ env: [], evalRefused: true, withinLimit: false, pastLimit: true });
  });

  it('does not run an altered compiler', async () => {
    const pinned = findPinnedCompiler('0.8.26')!;
    const limits = { memoryPages: 8_192, maxOutputBytes: 1_024 };
    await expect(SolcProcess.start({ ...pinned, sha256: '0'.repeat(64) }, limits)).rejects.toMatchObject({
      code: 'COMPILER_UNAVAILABLE',
    });
    await expect(SolcProcess.start({ ...pinned, longVersion: '0.8.26' }, limits)).rejects.toMatchObject({
      code: 'COMPILER_UNAVAILABLE',
    });
  });

  const endless = new TextEncoder().encode(
    JSON.stringify({
      language: 'Solidity',
      sources: {
        'a.sol': {
          content: `contract C {${Array.from({ length: 6_000 }, (_, i) => `function f${i}(uint[] memory c) public pure returns (uint z) { for (uint i; i < c.length; i++) { z += c[i] * ${i}; } }`).join('')}}`,
        },
      },
      settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
    }),
  );
  const bounds = { memoryPages: 8_192, maxOutputBytes: 1_024 };
  const cpuMs = 3_600_000;

  it('reports a kill from outside differently from a limit', async () => {
    const running = await SolcProcess.start(findPinnedCompiler('0.8.26')!, bounds);
    const end = running.run(endless, { cpuMs, stallMs: 60_000 });
    process.kill(running.pid!, 'SIGKILL');
    expect(await end).toEqual({ kind: 'died', exitCode: null, signal: 'SIGKILL' });
  });

  it('is ended as stalled without a verdict when it gets no processor time', async () => {
    const running = await SolcProcess.start(findPinnedCompiler('0.8.26')!, bounds);
    process.kill(running.pid!, 'SIGSTOP');
    expect(await running.run(endless, { cpuMs, stallMs: 100 })).toEqual({ kind: 'stalled' });
    await running.ended();
    expect(isRunning(running.pid!)).toBe(false);
  });

  it('does not outlive a parent that is killed during a compilation', async () => {
    // The middle process is the parent: it starts the compiler, gives it a job that takes far longer than this test may, and is killed.
    const child = fileURLToPath(new URL('./solc.child.ts', import.meta.url));
    const pinned = findPinnedCompiler('0.8.26')!;
    const soljson = soljsonPath(pinned);
    const args = [...confinementFlags([child, soljson], 8_192), child, soljson, pinned.sha256];
    const source = `contract C {${Array.from({ length: 6_000 }, (_, i) => `function f${i}(uint[] memory c) public pure returns (uint z) { for (uint i; i < c.length; i++) { z += c[i] * ${i}; } }`).join('')}}`;
    const job = JSON.stringify({
      language: 'Solidity',
      sources: { 'a.sol': { content: source } },
      settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
    });
    const program = path.join(dir, 'parent.mjs');
    await writeFile(
      program,
      `import { spawn } from 'node:child_process';
       const compiler = spawn(process.execPath, ${JSON.stringify(args)}, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore', 'pipe'] });
       compiler.stdout.once('data', () => {
         const job = Buffer.from(${JSON.stringify(job)});
         const header = Buffer.alloc(8);
         header.writeUInt32BE(job.length);
         header.writeUInt32BE(3600000, 4);
         compiler.stdin.write(header);
         compiler.stdin.write(job, () => console.log(compiler.pid));
       });
       setInterval(() => undefined, 1000);`,
    );
    const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString()))),
    );
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    // Ends when the orphan is gone; otherwise the suite's time limit fails the test.
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isRunning(pid)).toBe(false);
  });
});

/**
 * A program in place of the compiler. It searches for a way out of the realm and returns its results as the compiler's
 * version, and later as the type of an error.
 */
const CLIMBER = `
  var found = {};
  var look = function (name, step) { try { found[name] = String(step()); } catch (error) { found[name] = error.name; } };
  found.globals = (function () { return Object.getOwnPropertyNames(this); })();
  look('the sloppy this', function () { return (function () { return typeof this.process; })(); });
  look('eval', function () { return (0, eval)('1'); });
  look('a function from a string', function () { return Module.print.constructor('return this')(); });
  look('an asynchronous function from a string', function () { return (async function () {}).constructor('return this')(); });
  look('every caller', function () {
    for (var one = arguments.callee, seen = 0; one !== null; one = one.caller, seen++) if (!(one instanceof Function)) return 'a stranger';
    return seen;
  });
  look('functions and receivers on the stack', function () {
    Error.prepareStackTrace = function (error, frames) { return frames; };
    var outer = new Error().stack.filter(function (frame) { return frame.getFileName() !== 'soljson.js'; });
    return outer.length > 0 && outer.every(function (frame) { return frame.getFunction() === undefined && frame.getThis() === undefined; });
  });
  look('the realm of the list of frames', function () { return new Error().stack.constructor === Array; });
  look('a wider memory', function () { return new WebAssembly.Memory({ initial: 8193 }); });
  var imported = 'nothing';
  try { import('node:net').then(function () { imported = 'the network'; }, function () {}); } catch (error) {}
  look('what it is given', function () { return Module instanceof Object && Module.print instanceof Function && Object.getOwnPropertyNames(Module).sort().join(); });
  var place = function (text) {
    var memory = new Uint8Array(65536);
    for (var i = 0; i < text.length; i++) memory[i + 8] = text.charCodeAt(i);
    Module.HEAPU8 = memory;
    return 8;
  };
  Module._solidity_version = function () { return place(JSON.stringify(found)); };
  Module._solidity_alloc = function () { place(''); return 8; };
  Module._solidity_compile = function () { return place(JSON.stringify({ errors: [{ severity: 'error', type: imported + ', arguments of type ' + Array.prototype.map.call(arguments, function (one) { return typeof one; }).join() }] })); };
  Module._solidity_reset = function () {};`;

describe('The realm of the compiler', () => {
  it('has JavaScript and WebAssembly, nothing of Node, and no way out', async () => {
    const child = fileURLToPath(new URL('./solc.child.ts', import.meta.url));
    const climber = path.join(dir, 'climber.js');
    await writeFile(climber, CLIMBER);
    const sha256 = createHash('sha256').update(CLIMBER).digest('hex');
    const args = [...confinementFlags([child, climber], 8_192), child, climber, sha256];
    const running = spawn(process.execPath, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
    try {
      const { version } = (await nextFrame(running.stdout!)) as { version: string };
      const { globals, ...found } = JSON.parse(version) as { globals: string[] };
      const bare = runInContext(
        'Object.getOwnPropertyNames(globalThis)',
        createContext(constants.DONT_CONTEXTIFY),
      ) as string[];
      expect(globals.filter((name) => !bare.includes(name)).sort()).toEqual([
        'Module',
        'found',
        'imported',
        'look',
        'place',
      ]);
      expect(
        bare.filter((name) =>
          /^(process|require|module|global|fetch|WebSocket|EventSource|Worker|Buffer|set[TI]\w+|Message\w+|navigator)$/.test(
            name,
          ),
        ),
      ).toEqual([]);
      expect(found).toEqual({
        'the sloppy this': 'undefined',
        eval: 'EvalError',
        'a function from a string': 'EvalError',
        'an asynchronous function from a string': 'EvalError',
        'every caller': '2',
        'functions and receivers on the stack': 'true',
        'the realm of the list of frames': 'true',
        'a wider memory': 'RangeError',
        'what it is given': 'noExitRuntime,print,printErr,quit',
      });
      running.stdin!.write(Buffer.from([0, 0, 0, 2, 0, 0, 0xff, 0xff, 0x7b, 0x7d]));
      expect(await nextFrame(running.stdout!)).toMatchObject({
        errors: [{ type: 'nothing, arguments of type number,number,number' }],
      });
    } finally {
      running.kill('SIGKILL');
    }
  });
});

/** One frame of the child, parsed. */
async function nextFrame(stream: Readable): Promise<unknown> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < 4 || bytes.length < 4 + bytes.readUInt32BE(0)) {
    const [chunk] = (await once(stream, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
  }
  return JSON.parse(bytes.toString('utf8', 4));
}

function isRunning(pid: number): boolean {
  // A killed orphan stays a zombie until it is collected: it has a pid but no longer runs.
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && !stdout.trim().startsWith('Z');
}
