import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompiledContract, Compiler } from '@launch/compiler';
import type { Verdict } from '../verdict.types.js';
import { matchCompiler, verifyMatch } from './match.command.js';

const PATH = 'Counter.sol';
const standardJsonInput = {
  language: 'Solidity',
  sources: {
    [PATH]: {
      content:
        '// SPDX-License-Identifier: MIT\npragma solidity 0.8.26;\ncontract Counter { uint256 public immutable start; constructor(uint256 s) { start = s; } }',
    },
  },
  settings: { optimizer: { enabled: true, runs: 200 }, metadata: { appendCBOR: false, bytecodeHash: 'none' } },
};
const LIBRARY =
  'library Ledger { struct Book { uint256 sum; } function enter(Book storage book, uint256 amount) external { book.sum += amount; } }';
const target = { path: PATH, contract: 'Counter' };
const constructorArgs = `0x${'2a'.padStart(64, '0')}`;
let compiler: Compiler;
let contract: CompiledContract;
let runtimeBytecode: string;

beforeAll(async () => {
  compiler = matchCompiler();
  contract = await compiled({ standardJsonInput, target });
  runtimeBytecode = filled(
    contract.runtime.object,
    Object.values(contract.runtime.immutableReferences).flat(),
    constructorArgs.slice(2),
  );
});
afterAll(() => compiler.close());

/** Compiles the target, with all contracts of its input. */
async function compiled(given: {
  readonly standardJsonInput: object;
  readonly target: { readonly contract: string };
}): Promise<CompiledContract> {
  const verdict = await compiler.compile({
    version: '0.8.26',
    standardJsonInput: new TextEncoder().encode(JSON.stringify(given.standardJsonInput)),
  });
  if (verdict.verdict !== 'compiled') throw new Error(JSON.stringify(verdict.findings));
  return verdict.output.contracts.find((one) => one.contract === given.target.contract)!;
}

/** Returns code with one value in these places. */
function filled(code: string, places: readonly { readonly start: number }[], value: string): string {
  const bytes = Buffer.from(code.slice(2), 'hex');
  for (const { start } of places) bytes.write(value, start, 'hex');
  return `0x${bytes.toString('hex')}`;
}

const match = (parts: object): Promise<Verdict> =>
  verifyMatch(
    new TextEncoder().encode(JSON.stringify({ compilerVersion: '0.8.26', standardJsonInput, target, ...parts })),
    compiler,
  );

describe('The command match', () => {
  it('passes the code that the sources compile to, and lists the absent parts', async () => {
    expect(await match({ creationBytecode: contract.creation.object, constructorArgs, runtimeBytecode })).toMatchObject(
      {
        verdict: 'pass',
        details: { checked: { creation: true, constructorArguments: true, runtime: true, immutables: false } },
        notChecked: ['immutables'],
      },
    );
  });

  it('accepts the input as text and the long compiler version', async () => {
    const verdict = await match({
      compilerVersion: 'v0.8.26+commit.8a97fa7a',
      standardJsonInput: JSON.stringify(standardJsonInput),
      creationBytecode: contract.creation.object,
    });
    expect(verdict).toMatchObject({
      verdict: 'pass',
      notChecked: ['constructorArgs', 'runtimeBytecode', 'immutables'],
    });
  });

  it.each(['creationBytecode', 'constructorArgs', 'runtimeBytecode', 'immutables'])(
    'passes the rest without %s, and reports the omission',
    async (absent) => {
      const whole = {
        creationBytecode: contract.creation.object,
        constructorArgs,
        runtimeBytecode,
        immutables: { start: constructorArgs },
      };
      const parts = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== absent));
      expect(await match(parts)).toMatchObject({
        verdict: 'pass',
        findings: [],
        // Without a runtime, nothing confirms the arguments, and no immutable can be compared.
        notChecked: absent === 'runtimeBytecode' ? ['constructorArgs', 'runtimeBytecode', 'immutables'] : [absent],
      });
    },
    120_000,
  );

  it('lists each undeclared immutable, and the unknown library address', async () => {
    const two =
      'contract Two { uint256 public immutable first; uint256 public immutable second; constructor() { first = 1; second = 2; } }';
    const source = (content: string, settings = {}) => ({
      language: 'Solidity',
      sources: { [PATH]: { content } },
      settings,
    });
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    const inTwo = { standardJsonInput: source(two), target: { path: PATH, contract: 'Two' } };
    const whole = await compiled(inTwo);
    const [first, second] = Object.entries(whole.runtime.immutableReferences).sort(([a], [b]) => Number(a) - Number(b));
    const given = {
      ...inTwo,
      runtimeBytecode: filled(filled(whole.runtime.object, first![1], word(1)), second![1], word(2)),
    };
    expect(await match({ ...given, immutables: { first: `0x${word(1)}` } })).toMatchObject({
      verdict: 'pass',
      notChecked: ['creationBytecode', 'constructorArgs', 'immutables/second'],
    });
    expect(await match({ ...given, immutables: { first: `0x${word(1)}`, second: `0x${word(2)}` } })).toMatchObject({
      verdict: 'pass',
      notChecked: ['creationBytecode', 'constructorArgs'],
    });

    const inLibrary = {
      standardJsonInput: source(LIBRARY, { viaIR: true }),
      target: { path: PATH, contract: 'Ledger' },
    };
    const library = await compiled(inLibrary);
    const runtime = filled(
      library.runtime.object,
      library.runtime.immutableReferences['library_deploy_address']!,
      '12'.repeat(20).padStart(64, '0'),
    );
    const parts = {
      ...inLibrary,
      creationBytecode: library.creation.object,
      constructorArgs: '0x',
      runtimeBytecode: runtime,
      immutables: {},
    };
    expect(await match(parts)).toMatchObject({
      verdict: 'pass',
      notChecked: ['address'],
      details: { transformations: [{ kind: 'own-address', address: `0x${'12'.repeat(20)}` }] },
    });
    expect(await match({ ...parts, address: `0x${'12'.repeat(20)}` })).toMatchObject({
      verdict: 'pass',
      notChecked: [],
    });
    expect(await match({ ...parts, address: `0x${'13'.repeat(20)}` })).toMatchObject({
      verdict: 'fail',
      findings: [
        { code: 'RUNTIME_BYTECODE_MISMATCH', actual: expect.stringMatching(/^own-address, first at byte \d+$/) },
      ],
    });
  });

  it.each(['0.8.26+commit.8a97fa7a', 'v0.8.26+commit.8a97fa7a.Linux.g++'])(
    'accepts the compiler as %s',
    async (compilerVersion) => {
      expect(await match({ compilerVersion, creationBytecode: contract.creation.object })).toMatchObject({
        verdict: 'pass',
        details: { compilerVersion: '0.8.26' },
      });
    },
    120_000,
  );

  it('names the requested commit and the pinned one', async () => {
    expect(
      await match({ compilerVersion: '0.8.26+commit.8a97fa7b', creationBytecode: contract.creation.object }),
    ).toMatchObject({
      verdict: 'fail',
      findings: [
        {
          code: 'COMPILER_VERSION_UNSUPPORTED',
          path: '/compilerVersion',
          expected: '0.8.26+commit.8a97fa7a',
          actual: '0.8.26+commit.8a97fa7b',
        },
      ],
    });
  });

  it.each([
    'interface Absent { function f() external; }',
    'abstract contract Absent { function f() external virtual; }',
  ])(
    'fails for a target without code: %s',
    async (content) => {
      const nothing = {
        standardJsonInput: { language: 'Solidity', sources: { [PATH]: { content } } },
        target: { path: PATH, contract: 'Absent' },
        creationBytecode: '0x',
        runtimeBytecode: '0x',
      };
      expect(await match(nothing)).toMatchObject({
        verdict: 'fail',
        findings: [
          { code: 'CREATION_BYTECODE_MISMATCH', actual: 'not-deployable' },
          { code: 'RUNTIME_BYTECODE_MISMATCH', actual: 'not-deployable' },
        ],
      });
    },
    120_000,
  );

  it.each(['compilerVersion', 'standardJsonInput', 'target'])('accepts no case without %s', async (absent) => {
    expect(await match({ [absent]: undefined })).toMatchObject({
      verdict: 'fail',
      findings: [{ code: 'SCHEMA_INVALID', path: `/${absent}` }],
    });
  });

  it.each<[string, object, string]>([
    ['a compiler version that is a path', { compilerVersion: '../../0.8.26' }, '/compilerVersion'],
    ['hex without 0x', { runtimeBytecode: '6000' }, '/runtimeBytecode'],
    ['half a byte', { creationBytecode: '0x600' }, '/creationBytecode'],
    ['an immutable that is no word', { immutables: { start: '0x2a' } }, '/immutables/start'],
    ['a library that is no address', { libraries: [{ path: 'a', name: 'b', address: '0x12' }] }, '/libraries'],
    ['an own address that is none', { address: '0x12' }, '/address'],
    ['a modified compiler', { compilerVersion: '0.8.26+commit.8a97fa7a.mod.Emscripten.clang' }, '/compilerVersion'],
    ['a compiler by half a commit', { compilerVersion: '0.8.26+commit.8a97' }, '/compilerVersion'],
    ['a target without a name', { target: { path: PATH, contract: '' } }, '/target/contract'],
  ])('accepts no case with %s', async (_title, parts, path) => {
    const verdict = await match(parts);
    expect(verdict).toMatchObject({
      verdict: 'fail',
      findings: expect.arrayContaining([
        expect.objectContaining({ path: expect.stringMatching(new RegExp(`^${path}`)) }),
      ]),
    });
  });

  it.each<[string, () => object, string, string]>([
    [
      'another creation code',
      () => ({ creationBytecode: `${contract.creation.object}00` }),
      'CREATION_BYTECODE_MISMATCH',
      '/creationBytecode',
    ],
    [
      'another runtime',
      () => ({ runtimeBytecode: `0x00${runtimeBytecode.slice(4)}` }),
      'RUNTIME_BYTECODE_MISMATCH',
      '/runtimeBytecode',
    ],
    [
      'other arguments',
      () => ({ constructorArgs: `${constructorArgs}00` }),
      'CONSTRUCTOR_ARGUMENTS_MISMATCH',
      '/constructorArgs',
    ],
    [
      'another immutable',
      () => ({ runtimeBytecode, immutables: { start: `0x${'2b'.padStart(64, '0')}` } }),
      'RUNTIME_BYTECODE_MISMATCH',
      '/runtimeBytecode',
    ],
    [
      'a contract that is not there',
      () => ({ target: { path: PATH, contract: 'Other' } }),
      'COMPILER_TARGET_MISSING',
      '/target',
    ],
    [
      'a compiler that is not pinned',
      () => ({ compilerVersion: '0.4.11' }),
      'COMPILER_VERSION_UNSUPPORTED',
      '/standardJsonInput',
    ],
    [
      'a compiler of another commit',
      () => ({ compilerVersion: '0.8.26+commit.8a97fa7b' }),
      'COMPILER_VERSION_UNSUPPORTED',
      '/compilerVersion',
    ],
    [
      'a compiler of the commit of another version',
      () => ({ compilerVersion: 'v0.8.26+commit.7893614a.Linux.g++' }),
      'COMPILER_VERSION_UNSUPPORTED',
      '/compilerVersion',
    ],
    ['an unknown field', () => ({ extra: 1 }), 'SCHEMA_UNKNOWN_FIELD', '/extra'],
  ])(
    'fails %s',
    async (_title, parts, code, path) => {
      const verdict = await match(parts());
      expect(verdict).toMatchObject({ verdict: 'fail', findings: [{ code, path }] });
    },
    120_000,
  );

  it('returns indeterminate when there is nothing to compare', async () => {
    expect(await match({})).toMatchObject({ verdict: 'indeterminate', findings: [] });
  });
});
