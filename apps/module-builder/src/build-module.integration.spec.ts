import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import {
  buildArtifactSchema,
  buildFindingsSchema,
  buildLogsSchema,
  buildToolchainSchema,
  hostManifestSchema,
  type BuildPlan,
  type BuildResult,
} from '@launch/contracts/modules';
import type { BuildVerdict } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { verifyBuilderSignature } from '@launch/evm';
import { createBuildEvidence } from './build-evidence.service.js';
import { createBuildModule, type BuilderParts } from './build-module.service.js';
import { compileOnce } from './compile-twice.js';
import {
  builderOf,
  largeFields,
  planOf,
  storeSubmission,
  SUBMISSION_ID,
  type SubmittedModule,
} from './fixtures/submitted-module.fixture.js';

let dir: string;
let blobs: BlobStore;
let parts: BuilderParts;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'builder-'));
  blobs = createFileBlobStore({ dir });
  parts = builderOf(blobs);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\n';
const MODULE: SubmittedModule = {
  files: {
    'src/Fee.sol': `${HEAD}import {Owned} from './Owned.sol';
contract Fee is Owned {
  uint16 public feeBps = 30;
  function setFee(uint16 bps) external onlyOwner { feeBps = bps; }
}`,
    'src/Owned.sol': `${HEAD}abstract contract Owned {
  address public immutable owner = msg.sender;
  modifier onlyOwner() { require(msg.sender == owner); _; }
}`,
    'README.md': '# Fee',
  },
  management: {
    reads: [{ name: 'feeBps', abi: 'function feeBps() view returns (uint16)', returnsUnit: 'bps' }],
    actions: [
      {
        name: 'setFee',
        abi: 'function setFee(uint24 bps)',
        inputs: [{ key: 'bps', label: 'Fee', type: 'uint24', unit: 'bps', required: true, immutable: false }],
        authorizedRoles: [],
        payable: false,
      },
    ],
  },
};
const FEE = [{ path: 'src/Fee.sol', contract: 'Fee' }];

async function build(
  module: SubmittedModule,
  targets: BuildPlan['targets'] = FEE,
  given: Partial<BuildPlan> = {},
  more: Partial<BuilderParts> = {},
  earlier: { submissionId: string; findingsSha256: Sha256Digest }[] = [],
): Promise<{ verdict: BuildVerdict; planSha256: Sha256Digest; plan: BuildPlan }> {
  const submissionDigest = await storeSubmission(blobs, module);
  const plan = planOf(parts, submissionDigest, module, targets, given);
  const planSha256 = await blobs.put(canonicalizeJson(plan));
  const run = createBuildModule(parts, createBuildEvidence({ ...parts, ...more }));
  const input = { submissionId: SUBMISSION_ID, planSha256, attempt: 1, earlier };
  return { verdict: await run(input, new AbortController().signal), planSha256, plan };
}
const built = ({ verdict }: { verdict: BuildVerdict }): Extract<BuildVerdict, { status: 'built' }> => {
  if (verdict.status !== 'built') throw new Error(`${verdict.code} ${verdict.place}`);
  return verdict;
};
const document = async (digest: Sha256Digest): Promise<unknown> => assertCanonicalJson(await blobs.get(digest));

describe('A build', () => {
  it('returns the same evidence each time, every part of it a document, signed by its builder', async () => {
    const first = await build(MODULE);
    const evidence = built(first);
    expect(built(await build(MODULE))).toEqual(evidence);

    const artifact = buildArtifactSchema.parse(await document(evidence.artifactSha256));
    expect(artifact.targets).toMatchObject([
      { path: 'src/Fee.sol', contract: 'Fee', storageLayout: { storage: [{ label: 'feeBps', slot: '0', offset: 0 }] } },
    ]);
    expect(Object.keys(artifact.targets[0]!.runtime.immutableReferences)).toHaveLength(1);
    expect(JSON.parse(artifact.targets[0]!.metadata)).toMatchObject({
      compiler: { version: '0.8.26+commit.8a97fa7a' },
    });
    const manifest = hostManifestSchema.parse(await document(evidence.hostManifestSha256));
    expect(manifest).toMatchObject({
      compiler: { version: '0.8.26' },
      serviceCommit: 'c'.repeat(40),
      reviewerPolicyDigest: parts.policy.digest,
    });
    expect(manifest.confinement).toContain('--permission');
    expect(JSON.stringify([artifact, manifest])).not.toContain(process.cwd());
    buildToolchainSchema.parse(await document(evidence.toolchainSha256));
    expect(buildLogsSchema.parse(await document(evidence.logsSha256)).runs).toEqual([
      { diagnostics: [] },
      { diagnostics: [] },
    ]);

    const { status: _built, signature, ...digests } = evidence;
    const result: BuildResult = {
      schemaVersion: 'service.modules.build-result.v1',
      submissionId: SUBMISSION_ID,
      submissionDigest: first.plan.submissionDigest,
      planSha256: first.planSha256,
      attempt: 1,
      reviewerPolicyDigest: parts.policy.digest,
      ...digests,
    };
    expect(verifyBuilderSignature(result, signature, parts.policy)).toBe(true);
    for (const name of Object.keys(result) as (keyof BuildResult)[]) {
      const other = name === 'attempt' ? { attempt: 2 } : { [name]: `sha256:${'0'.repeat(64)}` };
      expect([name, verifyBuilderSignature({ ...result, ...other } as BuildResult, signature, parts.policy)]).toEqual([
        name,
        false,
      ]);
    }
    const stranger = builderOf(blobs).policy.document.workerPublicKey;
    const policy = { ...parts.policy, document: { workerPublicKey: stranger } };
    expect(verifyBuilderSignature(result, signature, policy)).toBe(false);
  });

  it('finds declarations of the descriptor that the code lacks, and a similar earlier module', async () => {
    const earlier = {
      submissionId: '0c7f5b1e-6d0f-4c43-9a4e-2f6f1f0a7b22',
      findingsSha256: built(await build(MODULE)).findingsSha256,
    };
    const renamed: SubmittedModule = {
      ...MODULE,
      files: { ...MODULE.files, 'src/Fee.sol': String(MODULE.files['src/Fee.sol']).replace('= 30', '= 45') },
    };
    const { findingsSha256 } = built(await build(renamed, FEE, {}, {}, [earlier]));
    const { findings } = buildFindingsSchema.parse(await document(findingsSha256));
    expect(findings).toMatchObject([
      {
        code: 'MANAGEMENT_ACTION_INPUTS_DIFFER',
        pointer: '/management/actions/0/abi',
        source: { path: 'src/Fee.sol', line: 6 },
      },
      { code: 'SIMILAR_TO_EARLIER_MODULE', detail: `100 % like Fee of submission ${earlier.submissionId}` },
    ]);
  });

  it('fails on a stored file whose bytes changed, because it hashes them again', async () => {
    const changed: SubmittedModule = { files: { 'src/Fee.sol': `${HEAD}contract Fee { uint8 public changed; }` } };
    const submissionDigest = await storeSubmission(blobs, changed);
    const plan = planOf(parts, submissionDigest, changed, FEE);
    const planSha256 = await blobs.put(canonicalizeJson(plan));
    const hex = plan.sources[0]!.sha256.slice('sha256:'.length);
    const file = path.join(dir, 'kept', hex.slice(0, 2), hex.slice(2, 4), hex);
    await writeFile(file, (await readFile(file, 'utf8')).replace('uint8', 'uint9'));
    const compiled: unknown[] = [];
    const run = createBuildEvidence({
      ...parts,
      compile: (...asked) => (compiled.push(asked), compileOnce(...asked)),
    });
    const input = { submissionId: SUBMISSION_ID, planSha256, attempt: 1, earlier: [] };
    await expect(run(input, new AbortController().signal)).rejects.toMatchObject({ code: 'BLOB_CORRUPT' });
    expect(compiled).toEqual([]);
  });

  it('has no artifact if its two compilations differ', async () => {
    let runs = 0;
    const { verdict } = await build(
      MODULE,
      FEE,
      {},
      {
        compile: async (plan, input, signal) => {
          const answer = await compileOnce(plan, input, signal);
          runs += 1;
          if (runs === 2 && 'output' in answer) answer.output.contracts[0]!.abi.reverse();
          return answer;
        },
      },
    );
    expect([runs, verdict]).toEqual([2, { status: 'failed', code: 'NON_REPRODUCIBLE', place: '/targets/0' }]);
  });

  it('ends at once after its cancellation, together with its compiler', async () => {
    const submissionDigest = await storeSubmission(blobs, MODULE);
    const planSha256 = await blobs.put(canonicalizeJson(planOf(parts, submissionDigest, MODULE, FEE)));
    const stopping = new AbortController();
    const run = createBuildEvidence({
      ...parts,
      compile: (plan, input, signal) => {
        const compiling = compileOnce(plan, input, signal);
        stopping.abort();
        return compiling;
      },
    });
    await expect(
      run({ submissionId: SUBMISSION_ID, planSha256, attempt: 1, earlier: [] }, stopping.signal),
    ).rejects.toMatchObject({ code: 'COMPILER_ABORTED' });
  });
});

const one = (source: string): SubmittedModule => ({ files: { 'src/M.sol': `${HEAD}${source}` } });
const M = [{ path: 'src/M.sol', contract: 'M' }];
/** Constants that solc folds: each line takes longer than the previous one. */
const endless = `contract M { ${Array.from({ length: 40 }, (_, at) => `function f${at}(uint256 x) public pure returns (uint256) { ${Array.from({ length: 400 }, (_, line) => `x = x * ${line + 3} + (x >> ${line % 200}) ^ (x / ${line + 7});`).join(' ')} return x; }`).join('\n')} }`;
const large = `contract M { ${Array.from({ length: 600 }, (_, at) => `function f${at}(uint256 x, string memory s) public pure returns (uint256, string memory) { return (x, s); }`).join('\n')} }`;

describe('A hostile module, after which the builder continues,', () => {
  const cases: readonly [string, SubmittedModule, BuildPlan['targets'], Partial<BuildPlan>, object][] = [
    [
      'of source that never finishes compiling',
      one(endless),
      M,
      {
        limits: { cpuMs: 1_000, memoryPages: 8_192, outputBytes: 1_024 * 1_024 },
        settings: {
          optimizer: { enabled: true, runs: 200 },
          evmVersion: 'cancun',
          viaIR: true,
          metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
        },
      },
      { code: 'COMPILER_TIMEOUT', place: 'time' },
    ],
    [
      'of source that takes all memory',
      one(endless),
      M,
      {
        limits: { cpuMs: 60_000, memoryPages: 512, outputBytes: 1_024 * 1_024 },
        settings: {
          optimizer: { enabled: true, runs: 200 },
          evmVersion: 'cancun',
          viaIR: true,
          metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
        },
      },
      { code: 'COMPILER_OUT_OF_MEMORY', place: 'memory' },
    ],
    [
      'of a huge output',
      one(large),
      M,
      { limits: { cpuMs: 60_000, memoryPages: 4_096, outputBytes: 64 * 1_024 } },
      { code: 'COMPILER_OUT_OF_MEMORY', place: 'output' },
    ],
    [
      'of an exotic pragma',
      { files: { 'src/M.sol': 'pragma solidity >=0.4.0 <0.5.0; contract M {}' } },
      M,
      {},
      { code: 'COMPILER_ERROR' },
    ],
    [
      'that imports an absolute path',
      one("import '/etc/passwd'; contract M {}"),
      M,
      {},
      { code: 'COMPILER_ERROR', place: expect.stringMatching(/^ParserError 6275 at \/sources\/0:/) },
    ],
    [
      'that imports from above its root',
      one("import '../../../../etc/passwd'; contract M {}"),
      M,
      {},
      { code: 'COMPILER_ERROR' },
    ],
    ['that imports a URL', one("import 'https://example.org/M.sol'; contract M {}"), M, {}, { code: 'COMPILER_ERROR' }],
    ['that lacks an import', one("import './Absent.sol'; contract M {}"), M, {}, { code: 'COMPILER_ERROR' }],
    [
      'of bytes that are not text',
      { files: { 'src/M.sol': Uint8Array.of(0xff, 0xfe, 0x00) } },
      M,
      {},
      { code: 'COMPILER_INPUT_INVALID', place: '/sources/0' },
    ],
    ['without the contract', one('contract N {}'), M, {}, { code: 'TARGET_MISSING', place: '/targets/0' }],
    [
      'of another file than the plan',
      one('contract M {}'),
      M,
      { sources: [{ path: 'src/M.sol', sha256: `sha256:${'1'.repeat(64)}` }] },
      { code: 'PLAN_MISMATCH', place: '/sources/0' },
    ],
    [
      'of another input than the plan',
      one('contract M {}'),
      M,
      { standardJsonInputSha256: `sha256:${'2'.repeat(64)}` },
      { code: 'PLAN_MISMATCH', place: '/standardJsonInputSha256' },
    ],
    [
      'under another policy',
      one('contract M {}'),
      M,
      { reviewerPolicyDigest: `sha256:${'3'.repeat(64)}` },
      { code: 'PLAN_MISMATCH', place: '/reviewerPolicyDigest' },
    ],
    [
      'with more time than the policy gives',
      one('contract M {}'),
      M,
      { limits: { cpuMs: 90_000, memoryPages: 512, outputBytes: 1_024 } },
      { code: 'PLAN_MISMATCH', place: '/limits/cpuMs' },
    ],
    [
      'larger than the profile',
      { files: { 'src/M.sol': 'contract M {}', 'docs/book.md': 'a'.repeat(4 * 1_024 * 1_024) } },
      M,
      {},
      { code: 'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED', place: 'packagedBytes' },
    ],
    [
      'whose defaults exceed the profile’s configuration, regardless of its declaration',
      { ...one('contract M {}'), fields: largeFields() },
      M,
      {},
      { code: 'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED', place: 'encodedConfigurationBytes' },
    ],
  ];
  it.each(cases)('is refused with a code when it is one %s', async (_what, module, targets, given, expected) => {
    const { verdict } = await build(module, targets, given);
    expect(verdict).toEqual({ status: 'failed', place: expect.any(String), ...expected });
  });

  it('does not change the artifact of a later build', async () => {
    expect(built(await build(MODULE)).artifactSha256).toMatch(/^sha256:/);
  });
});
