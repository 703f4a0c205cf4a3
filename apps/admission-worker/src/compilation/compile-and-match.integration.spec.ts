import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createCompiler, PINNED_COMPILER_VERSIONS, type CompiledContract, type Compiler } from '@launch/compiler';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { canonicalSha256, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { collectSources, manifestOf } from '@launch/launch-rules';
import { fixtureConfig } from '../../../../clients/multi-role/src/fixtures/reference.fixture.js';
import { packRequest } from '../../../../clients/multi-role/src/packer/pack-request.js';
import { multiRoleLaunch } from '../families/multi-role.launch.js';
import { compileAndMatch, type CompileOutcome } from './compile-and-match.service.js';
import type { CompileLane } from './compile-spending.js';

jest.setTimeout(180_000);

let compiler: Compiler;
let reference: CreateRequest;
beforeAll(async () => {
  compiler = createCompiler({ versions: PINNED_COMPILER_VERSIONS, sharesProcesses: true });
  reference = createRequestSchema.parse(
    parseStrictJson(packRequest(canonicalizeJson(await fixtureConfig('zero'))).bytes),
  );
});
afterAll(() => compiler.close());

const PATH = 'src/Launch.sol';
const ADDRESS = `0x${'a1'.repeat(20)}` as const;
const LIBRARY =
  'library Ledger { struct Book { uint256 sum; } function enter(Book storage book, uint256 amount) external { book.sum += amount; } }';
const KEEPER =
  'contract Keeper { address internal immutable keeper; constructor() { keeper = msg.sender; } function one() external view returns (address) { return keeper; } function two(address a) external view returns (bool) { return a != keeper; } }';

/** Returns the reference request with one component of these sources instead of its own. */
async function requestOf(
  content: string,
  contract: string,
  settings: object,
  runtimeOf: (compiled: CompiledContract) => string,
): Promise<CreateRequest> {
  const standardJsonInput = canonicalizeJson({
    language: 'Solidity',
    sources: { [PATH]: { content: `// SPDX-License-Identifier: MIT\npragma solidity 0.8.26;\n${content}` } },
    settings,
  });
  const verdict = await compiler.compile({ version: '0.8.26', standardJsonInput, targets: [{ path: PATH, contract }] });
  if (verdict.verdict !== 'compiled') throw new Error(JSON.stringify(verdict.findings));
  const [compiled] = verdict.output.contracts;
  const request = structuredClone(reference);
  const [component] = request.graphBundle.components;
  Object.assign(component!, {
    creationBytecode: compiled!.creation.object,
    constructorArgs: '0x',
    predictedAddress: ADDRESS,
    expectedRuntimeCode: runtimeOf(compiled!),
  });
  request.graphBundle.components = [component!];
  const [unit] = request.compilerVerification.compilationUnits;
  Object.assign(unit!, {
    compilerVersion: '0.8.26',
    standardJsonInputBase64: Buffer.from(standardJsonInput).toString('base64'),
    standardJsonInputSha256: sha256Digest(standardJsonInput),
  });
  request.compilerVerification.compilationUnits = [unit!];
  const compilation = request.compilerVerification.components.find(
    ({ componentId }) => componentId === component!.componentId,
  )!;
  Object.assign(compilation, { target: { compilationUnitId: unit!.compilationUnitId, path: PATH, contract } });
  compilation.constructor.argumentsHash = keccak256Hex(new Uint8Array());
  request.compilerVerification.components = [compilation];
  const collected = collectSources(request.compilerVerification.compilationUnits, request.source.additionalFiles, '');
  if (!collected.ok) throw new Error(JSON.stringify(collected.findings));
  request.source.manifest = manifestOf(collected.files);
  request.source.bundleSha256 = request.graphBundle.sourceBundleSha256 = canonicalSha256(request.source.manifest);
  return request;
}

const WHOLE: CompileLane = { budgetMs: 120_000, attemptMs: 120_000, spentMs: 0 };

async function judged(request: CreateRequest): Promise<CompileOutcome> {
  const outcome = await compileAndMatch(multiRoleLaunch(request), compiler, WHOLE, new AbortController().signal);
  if (outcome === 'unfinished') throw new Error('the compilation is unfinished');
  return outcome;
}

function filled(code: string, offset: number, value: string): string {
  return `${code.slice(0, 2 + 2 * offset)}${value}${code.slice(2 + 2 * offset + value.length)}`;
}

describe.each([
  ['legacy', {}, (): number => 1],
  [
    'viaIR',
    { viaIR: true },
    ({ runtime }: CompiledContract): number => runtime.immutableReferences['library_deploy_address']![0]!.start + 12,
  ],
] as const)('A library as a component (%s)', (_pipeline, settings, offsetOf) => {
  const withAddress = (address: string): Promise<CreateRequest> =>
    requestOf(LIBRARY, 'Ledger', settings, (compiled) => filled(compiled.runtime.object, offsetOf(compiled), address));

  it('is admitted with its predicted address in its code, as it deploys', async () => {
    expect(await judged(await withAddress(ADDRESS.slice(2)))).toMatchObject({
      findings: [],
      compiled: { components: [{ hookCallbacks: [] }] },
    });
  });

  it.each([
    ["the template's zeros", '00'.repeat(20)],
    ['the address of another', 'a2'.repeat(20)],
  ])('is refused with %s at that place', async (_title, address) => {
    expect(await judged(await withAddress(address))).toMatchObject({
      findings: [
        {
          code: 'RUNTIME_BYTECODE_MISMATCH',
          path: '/graphBundle/components/0/expectedRuntimeCode',
          actual: expect.stringMatching(/^own-address, first difference at byte \d+$/),
        },
      ],
      compiled: null,
    });
  });
});

it('A finding about an immutable with two values names it.', async () => {
  const request = await requestOf(KEEPER, 'Keeper', {}, ({ runtime }) =>
    filled(runtime.object, Object.values(runtime.immutableReferences)[0]![1]!.start, '01'.repeat(32)),
  );
  expect((await judged(request)).findings).toMatchObject([
    {
      code: 'RUNTIME_BYTECODE_MISMATCH',
      actual: expect.stringMatching(/^immutable-inconsistent, keeper, first difference at byte \d+$/),
    },
  ]);
});

it('An interface is never accepted as a component.', async () => {
  const request = await requestOf('interface Absent { function f() external; }', 'Absent', {}, () => '0x');
  const found = (await judged(request)).findings;
  expect(found.map(({ code, actual }) => [code, actual])).toEqual(
    ['CREATION_BYTECODE_MISMATCH', 'CONSTRUCTOR_ARGUMENTS_MISMATCH', 'RUNTIME_BYTECODE_MISMATCH'].map((code) => [
      code,
      'not-deployable',
    ]),
  );
});
