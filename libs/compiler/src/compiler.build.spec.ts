import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createCompiler, type BuildVerdict, type CompileCache, type Compiler } from './index.js';

jest.setTimeout(180_000);

const asked: string[] = [];
const cache: CompileCache = {
  get: async (key) => void asked.push(`get ${key}`),
  put: async (key) => void asked.push(`put ${key}`),
};
let compiler: Compiler;
beforeAll(() => {
  compiler = createCompiler({ versions: ['0.8.24', '0.8.30'], cache });
});
afterAll(() => compiler.close());

const inputOf = (content: string): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ language: 'Solidity', sources: { 'a.sol': { content } } }));
const SOURCE = `contract Kept { struct Entry { uint128 low; address who; } uint8 public small; Entry[] internal entries; mapping(address => uint256) sums; function f(uint256 unused) external {} }
interface Shape { function sides() external; }`;
const build = (version: string, content: string, ...contracts: string[]): Promise<BuildVerdict> =>
  compiler.build({
    version,
    standardJsonInput: inputOf(content),
    targets: contracts.map((contract) => ({ path: 'a.sol', contract })),
  });
const compilersLeft = async (): Promise<number> => {
  const ids = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).split(' ').filter(Boolean);
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return commands.filter((command) => command.includes('solc.child')).length;
};
async function untilLeft(count: number): Promise<void> {
  for (const end = Date.now() + 60_000; (await compilersLeft()) !== count; await sleep(20)) {
    if (Date.now() > end) throw new Error(`${await compilersLeft()} compilers are left instead of ${count}`);
  }
}

it.each(['0.8.24', '0.8.30'])(
  'A build returns storage layout, metadata and the diagnostics of solc: %s.',
  async (version) => {
    const verdict = await build(version, SOURCE, 'Kept', 'Shape');
    if (verdict.verdict !== 'built') throw new Error(JSON.stringify(verdict.refusal));
    const [kept, shape] = verdict.output.contracts;
    expect(kept!.storageLayout.storage.map(({ label, slot, type }) => [label, slot, type])).toEqual([
      ['small', '0', 't_uint8'],
      ['entries', '1', expect.stringMatching(/^t_array\(t_struct\(Entry\)\d+_storage\)dyn_storage$/)],
      ['sums', '2', 't_mapping(t_address,t_uint256)'],
    ]);
    expect(JSON.parse(kept!.metadata)).toMatchObject({ settings: { compilationTarget: { 'a.sol': 'Kept' } } });
    expect(shape).toMatchObject({ storageLayout: { storage: [], types: null }, runtime: { object: '0x' } });
    expect(new Set(verdict.output.diagnostics.map(({ severity, errorCode }) => `${severity} ${errorCode}`))).toEqual(
      new Set(['warning 1878', 'warning 3420']),
    );
  },
);

it('A build neither reads nor writes remembered results, and leaves no process.', async () => {
  await build('0.8.24', SOURCE, 'Kept');
  expect(asked).toEqual([]);
  await untilLeft(0);
  const request = { version: '0.8.24', standardJsonInput: inputOf(SOURCE) };
  await compiler.compile(request);
  expect(asked.map((one) => one.slice(0, 3))).toEqual(['get', 'put']);
  await untilLeft(1);
  await build('0.8.24', SOURCE, 'Kept');
  expect(await compiler.compile(request)).toMatchObject({ verdict: 'compiled' });
  await untilLeft(1);
});

it('A fault of a source is a refusal, and a version that is not offered is an error of the caller.', async () => {
  expect(await build('0.8.24', 'contract Kept { x }', 'Kept')).toMatchObject({
    verdict: 'refused',
    refusal: { kind: 'errors', errors: [{ type: 'ParserError', errorCode: '2314' }] },
  });
  expect(await compiler.build({ version: '0.8.24', standardJsonInput: new Uint8Array(), targets: [] })).toMatchObject({
    refusal: { kind: 'input', findings: [{ code: 'COMPILER_INPUT_INVALID' }] },
  });
  expect(await build('0.8.24', SOURCE, 'Absent')).toMatchObject({ output: { contracts: [] } });
  await expect(build('0.8.26', SOURCE, 'Kept')).rejects.toThrow(RangeError);
});
