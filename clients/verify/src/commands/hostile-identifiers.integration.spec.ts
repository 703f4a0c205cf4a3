import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCompiler, type CompiledContract, type Compiler } from '@launch/compiler';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { buildArtifactSchema } from '@launch/contracts/modules';
import { findBuildFindings, implementedHookCallbacks, matchBytecode } from '@launch/evm';
import type { Verdict } from '../verdict.types.js';
import { verifyMatch } from './match.command.js';

/** Names that Solidity allows and that have a meaning in JavaScript objects. */
const NAMES = JSON.parse(
  readFileSync(new URL('../../../../libs/evm/testdata/identifiers.json', import.meta.url), 'utf8'),
) as string[];
const ADDRESS = `0x${'12'.repeat(20)}` as const;
const WORD = `0x${'2a'.padStart(64, '0')}` as const;

/**
 * Returns sources that use a name for a library, a contract, an immutable, a struct, a member, a state variable and a function.
 */
const sourcesOf = (name: string) => ({
  'lib.sol': {
    content: `library ${name} { function run(uint256 x) external pure returns (uint256) { return x + 1; } }`,
  },
  'main.sol': {
    content: `import {${name} as Library} from "lib.sol";
      contract Main { uint256 immutable ${name}; struct Kept { uint256 seed; } constructor(Kept memory kept) { ${name} = kept.seed; }
        function f(uint256 x) external view returns (uint256) { return Library.run(x) + ${name}; } }`,
  },
  [`${name}.sol`]: {
    content: `contract ${name} { struct Kept { uint256 ${name}; mapping(uint256 => Kept) inner; } Kept internal kept; event E(uint256 ${name});
        function f(uint256 x) external { kept.${name} = x; emit E(x); } }
      contract Caller { function ${name}(uint256 ${name}_) external pure returns (uint256) { return ${name}_; } }`,
  },
});
const inputOf = (name: string) => ({
  language: 'Solidity',
  sources: sourcesOf(name),
  settings: { metadata: { appendCBOR: false, bytecodeHash: 'none' } },
});

let cacheDir: string;
let compiler: Compiler;
beforeAll(() => {
  cacheDir = mkdtempSync(path.join(tmpdir(), 'launch-identifiers-'));
  compiler = createCompiler({ versions: ['0.8.26'], cacheDir });
});
afterAll(async () => {
  await compiler.close();
  rmSync(cacheDir, { recursive: true });
});

const filled = (code: string, places: readonly { readonly start: number }[], value: string): `0x${string}` =>
  places.reduce<`0x${string}`>(
    (hex, { start }) => `0x${hex.slice(2, 2 + 2 * start)}${value.slice(2)}${hex.slice(2 * start + value.length)}`,
    code as `0x${string}`,
  );

describe.each(NAMES)('the name %s', (name) => {
  const standardJsonInput = new TextEncoder().encode(JSON.stringify(inputOf(name)));
  const asked = { version: '0.8.26', standardJsonInput };
  let main: CompiledContract;
  let creationBytecode: `0x${string}`;
  let runtimeBytecode: `0x${string}`;

  beforeAll(async () => {
    // The second answer comes from the cache.
    for (let time = 0; time < 2; time += 1) {
      const verdict = await compiler.compile({ ...asked, targets: [{ path: 'main.sol', contract: 'Main' }] });
      if (verdict.verdict !== 'compiled') throw new Error(JSON.stringify(verdict.findings));
      main = verdict.output.contracts[0]!;
    }
    creationBytecode = filled(main.creation.object, main.creation.linkReferences['lib.sol']?.[name] ?? [], ADDRESS);
    const linked = filled(main.runtime.object, main.runtime.linkReferences['lib.sol']![name]!, ADDRESS);
    runtimeBytecode = filled(linked, Object.values(main.runtime.immutableReferences).flat(), WORD);
  });

  const match = (parts: object): Promise<Verdict> =>
    verifyMatch(
      // Written by hand, because JSON.stringify drops a member that an object literal assigns to its prototype.
      canonicalizeJson({
        compilerVersion: '0.8.26',
        standardJsonInput: inputOf(name),
        target: { path: 'main.sol', contract: 'Main' },
        runtimeBytecode,
        ...parts,
      }),
      compiler,
    );

  it('requires a declaration when it names a library', () => {
    const input = { compiled: main, creationBytecode, runtimeBytecode };
    expect(matchBytecode({ ...input, libraries: [] })).toMatchObject({
      verdict: 'fail',
      mismatches: [{ code: 'LIBRARY_UNLINKED', reason: 'library-undeclared', subject: `lib.sol:${name}` }],
    });
    const libraries = [{ path: 'lib.sol', name, address: ADDRESS }] as const;
    expect(matchBytecode({ ...input, libraries })).toMatchObject({ verdict: 'pass' });
    const elsewhere = [{ path: 'lib.sol', name, address: `0x${'13'.repeat(20)}` }] as const;
    expect(matchBytecode({ ...input, libraries: elsewhere }).verdict).toBe('fail');
  });

  it('is accepted for a library and an immutable of a submitted case, in a list and in an object', async () => {
    const byName = JSON.parse(`{"lib.sol":{${JSON.stringify(name)}:"${ADDRESS}"}}`) as unknown;
    const immutables = JSON.parse(`{${JSON.stringify(name)}:"${WORD}"}`) as unknown;
    const listed = [{ path: 'lib.sol', name, address: ADDRESS }];
    for (const libraries of [byName, listed])
      expect(await match({ libraries, immutables })).toMatchObject({
        verdict: 'pass',
        findings: [],
        notChecked: ['creationBytecode', 'constructorArgs'],
      });
    expect(await match({ libraries: [] })).toMatchObject({ verdict: 'fail', findings: [{ code: 'LIBRARY_UNLINKED' }] });
    const other = JSON.parse(`{${JSON.stringify(name)}:"0x${'00'.repeat(32)}"}`) as unknown;
    expect(await match({ libraries: listed, immutables: other })).toMatchObject({
      verdict: 'fail',
      findings: [{ code: 'RUNTIME_BYTECODE_MISMATCH' }],
    });
  });
});

// A build has a separate process: three names here, while the other readers cover all names.
it.each(['__proto__', 'toString', 'valueOf'])(
  'The name %s is kept by a build, its storage layout and its artifact, and read by the findings of a module.',
  async (name) => {
    const standardJsonInput = new TextEncoder().encode(JSON.stringify(inputOf(name)));
    const targets = [
      { path: `${name}.sol`, contract: name },
      { path: `${name}.sol`, contract: 'Caller' },
      { path: 'main.sol', contract: 'Main' },
    ];
    const verdict = await compiler.build({ version: '0.8.26', standardJsonInput, targets });
    if (verdict.verdict !== 'built') throw new Error(JSON.stringify(verdict.refusal));
    const artifact = {
      schemaVersion: 'service.modules.build-artifact.v1',
      profile: 'service.modules.native-solidity.v1',
      compiler: verdict.output.compiler,
      standardJsonInputSha256: `sha256:${'0'.repeat(64)}`,
      sources: [],
      targets: targets.map(({ contract }) => verdict.output.contracts.find((one) => one.contract === contract)!),
    };
    const bytes = canonicalizeJson(artifact);
    const read = buildArtifactSchema.shape.targets.parse(
      (parseStrictJson(bytes) as unknown as typeof artifact).targets,
    );
    expect(canonicalizeJson({ ...artifact, targets: read })).toEqual(bytes);
    const [kept, caller, whole] = read as [(typeof read)[0], (typeof read)[0], (typeof read)[0]];
    expect(kept.storageLayout.types).not.toBeNull();
    expect(whole.runtime.linkReferences['lib.sol']?.[name]).toHaveLength(1);
    expect(implementedHookCallbacks(caller.abi)).toEqual([]);
    const declared = (one: string) => ({ name: one, abi: `${one}(uint256) view returns (uint256)` });
    const { findings } = findBuildFindings({
      submissionId: 'module-1',
      declared: {
        configuration: { fields: [], maxEncodedBytes: 0 },
        capabilities: { hookPermissions: [], contracts: [{ name }, { name: 'Absent' }] },
        management: { reads: [declared(name), declared('absent')], actions: [] },
      } as never,
      artifact: { targets: read },
      texts: new Map(Object.entries(sourcesOf(name)).map(([file, { content }]) => [file, content])),
      diagnostics: [],
      earlier: [],
    });
    expect(findings.map(({ code, detail }) => [code, detail])).toEqual([
      ['CONTRACT_NOT_BUILT', 'Absent'],
      ['MANAGEMENT_READ_MISSING', 'absent'],
      // The instruction that calls a library.
      ['OPCODE_FORBIDDEN', expect.stringMatching(/^DELEGATECALL/)],
    ]);
  },
);

it('The compiler refuses a source file whose whole name is that of an object’s prototype, and compiles one with any other name.', async () => {
  for (const file of ['__proto__', 'constructor', 'toString', '0', '*', '']) {
    const sources = JSON.parse(`{${JSON.stringify(file)}:{"content":"contract C {}"}}`) as object;
    const verdict = await compiler.compile({
      version: '0.8.26',
      standardJsonInput: canonicalizeJson({ language: 'Solidity', sources }),
      targets: [{ path: file, contract: 'C' }],
    });
    const isTaken = !['__proto__', ''].includes(file);
    expect([file, verdict.verdict]).toEqual([file, isTaken ? 'compiled' : 'failed']);
    if (verdict.verdict === 'compiled')
      expect(verdict.output.contracts.map((one) => [one.path, one.contract])).toEqual([[file, 'C']]);
    else expect(verdict.findings.map(({ code }) => code)).toEqual(['COMPILER_INPUT_INVALID']);
  }
});
