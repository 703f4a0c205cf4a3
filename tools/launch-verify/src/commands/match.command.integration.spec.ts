import { beforeAll, describe, expect, it } from '@jest/globals';
import { PINNED_COMPILER_VERSIONS, createCompiler, type CompiledContract } from '@launch/compiler';
import type { Verdict } from '../verdict.types.js';
import { verifyMatch } from './match.command.js';

const PATH = 'Counter.sol';
const standardJsonInput = {
  language: 'Solidity',
  sources: {
    [PATH]: {
      content: '// SPDX-License-Identifier: MIT\npragma solidity 0.8.26;\ncontract Counter { uint256 public immutable start; constructor(uint256 s) { start = s; } }',
    },
  },
  settings: { optimizer: { enabled: true, runs: 200 }, metadata: { appendCBOR: false, bytecodeHash: 'none' } },
};
const target = { path: PATH, contract: 'Counter' };
const constructorArgs = `0x${'2a'.padStart(64, '0')}`;
let contract: CompiledContract;
let runtimeBytecode: string;

beforeAll(async () => {
  const compiler = createCompiler({ versions: PINNED_COMPILER_VERSIONS });
  try {
    const verdict = await compiler.compile({ version: '0.8.26', standardJsonInput: new TextEncoder().encode(JSON.stringify(standardJsonInput)), targets: [target] });
    if (verdict.verdict !== 'compiled') throw new Error(JSON.stringify(verdict.findings));
    contract = verdict.output.contracts[0]!;
  } finally {
    await compiler.close();
  }
  const runtime = Buffer.from(contract.runtime.object.slice(2), 'hex');
  for (const { start } of Object.values(contract.runtime.immutableReferences).flat()) runtime.write(constructorArgs.slice(2), start, 'hex');
  runtimeBytecode = `0x${runtime.toString('hex')}`;
}, 120_000);

const match = (parts: object): Promise<Verdict> => verifyMatch(new TextEncoder().encode(JSON.stringify({ compilerVersion: '0.8.26', standardJsonInput, target, ...parts })));

describe('match', () => {
  it('passes the code that the sources give, and lists what was absent', async () => {
    expect(await match({ creationBytecode: contract.creation.object, constructorArgs, runtimeBytecode })).toMatchObject({
      verdict: 'pass',
      details: { checked: { creation: true, constructorArguments: true, runtime: true, immutables: false } },
      notChecked: ['immutables'],
    });
  }, 120_000);

  it('takes the input as text and the long compiler version', async () => {
    const verdict = await match({ compilerVersion: 'v0.8.26+commit.8a97fa7a', standardJsonInput: JSON.stringify(standardJsonInput), creationBytecode: contract.creation.object });
    expect(verdict).toMatchObject({ verdict: 'pass', notChecked: ['constructorArgs', 'runtimeBytecode', 'immutables'] });
  }, 120_000);

  it.each(['creationBytecode', 'constructorArgs', 'runtimeBytecode', 'immutables'])('without %s passes the rest, and says so', async (absent) => {
    const whole = { creationBytecode: contract.creation.object, constructorArgs, runtimeBytecode, immutables: { start: constructorArgs } };
    const parts = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== absent));
    expect(await match(parts)).toMatchObject({ verdict: 'pass', findings: [], notChecked: absent === 'runtimeBytecode' ? ['runtimeBytecode', 'immutables'] : [absent] });
  }, 120_000);

  it.each(['compilerVersion', 'standardJsonInput', 'target'])('without %s is no case', async (absent) => {
    expect(await match({ [absent]: undefined })).toMatchObject({ verdict: 'fail', findings: [{ code: 'SCHEMA_INVALID', path: `/${absent}` }] });
  });

  it.each<[string, object, string]>([
    ['a compiler version that is a path', { compilerVersion: '../../0.8.26' }, '/compilerVersion'],
    ['hex without 0x', { runtimeBytecode: '6000' }, '/runtimeBytecode'],
    ['half a byte', { creationBytecode: '0x600' }, '/creationBytecode'],
    ['an immutable that is no word', { immutables: { start: '0x2a' } }, '/immutables/start'],
    ['a library that is no address', { libraries: [{ path: 'a', name: 'b', address: '0x12' }] }, '/libraries'],
    ['a target without a name', { target: { path: PATH, contract: '' } }, '/target/contract'],
  ])('%s is no case', async (_title, parts, path) => {
    const verdict = await match(parts);
    expect(verdict).toMatchObject({ verdict: 'fail', findings: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching(new RegExp(`^${path}`)) })]) });
  });

  it.each<[string, () => object, string, string]>([
    ['another creation code', () => ({ creationBytecode: `${contract.creation.object}00` }), 'CREATION_BYTECODE_MISMATCH', '/creationBytecode'],
    ['another runtime', () => ({ runtimeBytecode: `0x00${runtimeBytecode.slice(4)}` }), 'RUNTIME_BYTECODE_MISMATCH', '/runtimeBytecode'],
    ['other arguments', () => ({ constructorArgs: `${constructorArgs}00` }), 'CONSTRUCTOR_ARGUMENTS_MISMATCH', '/constructorArgs'],
    ['another immutable', () => ({ runtimeBytecode, immutables: { start: `0x${'2b'.padStart(64, '0')}` } }), 'RUNTIME_BYTECODE_MISMATCH', '/runtimeBytecode'],
    ['a contract that is not there', () => ({ target: { path: PATH, contract: 'Other' } }), 'COMPILER_TARGET_MISSING', '/target'],
    ['a compiler nobody pins', () => ({ compilerVersion: '0.4.11' }), 'COMPILER_VERSION_UNSUPPORTED', '/standardJsonInput'],
    ['an unknown field', () => ({ extra: 1 }), 'SCHEMA_UNKNOWN_FIELD', '/extra'],
  ])('fails %s', async (_title, parts, code, path) => {
    const verdict = await match(parts());
    expect(verdict).toMatchObject({ verdict: 'fail', findings: [{ code, path }] });
  }, 120_000);

  it('says nothing where nothing was given', async () => {
    expect(await match({})).toMatchObject({ verdict: 'indeterminate', findings: [] });
  }, 120_000);
});
