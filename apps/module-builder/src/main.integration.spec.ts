import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFileBlobStore } from '@launch/blob-store';
import { canonicalJsonText, canonicalizeJson } from '@launch/contracts/json';
import type { BuildPlan } from '@launch/contracts/modules';
import type { BuildInput, BuildVerdict, SignedAttestation } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { verifyBuilderSignature } from '@launch/evm';
import { sourceCommitOfBuild } from '@launch/platform';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { armFailpoint, sharedTemporal, startServiceProcess, uniqueName, type ServiceProcess } from '@launch/testing';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
} from '@launch/worker/scripted';
import { sourceProgram } from '../../../tools/start/src/fixtures/source-program.fixture.js';
import type { EvidenceVerdict } from './build-evidence.service.js';
import { createBuildProcess, type BuildProcessOptions } from './build.process.js';
import {
  builderOf,
  freshKey,
  planOf,
  storeSubmission,
  SUBMISSION_ID,
  type SubmittedModule,
} from './fixtures/submitted-module.fixture.js';
import { BUILD_INFO } from './run-builder.js';
import { SAMPLE_ARTIFACT_SHA256 } from './sample-build.js';

jest.setTimeout(180_000);

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const callerQueue = uniqueName('builder-caller');
const started: ServiceProcess[] = [];
let dir: string;
let parts: ReturnType<typeof builderOf>;
let temporal: TemporalClient;
let stopCaller: () => Promise<void>;
let program: string;
let baseEnv: Record<string, string>;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'module-builder-'));
  const pem = freshKey();
  parts = builderOf(
    createFileBlobStore({ dir: path.join(dir, 'blobs') }),
    pem,
    createFileBlobStore({ dir: path.join(dir, 'results') }),
  );
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  const target = await sharedTemporal();
  temporal = await connectTemporal(target);
  const connection = await connectWorkers(target);
  const caller = await createServiceWorker({
    connection,
    namespace: target.namespace,
    taskQueue: callerQueue,
    service: 'caller',
    workflowBundle: await currentWorkflowBundle(fileOf('./fixtures/builder-caller.bundle.ts')),
  });
  const calling = caller.run();
  stopCaller = async () => {
    await caller.shutdown();
    await calling;
    await connection.close();
    await temporal.close();
  };
  program = await sourceProgram(fileOf('./main.ts'), path.join(dir, 'program'));
  await writeFile(path.join(dir, 'policy.json'), canonicalJsonText(parts.policy.document));
  await writeFile(path.join(dir, 'key.pem'), pem, { mode: 0o600 });
  baseEnv = {
    BLOB_STORE: path.join(dir, 'blobs'),
    BUILD_RESULTS_STORE: path.join(dir, 'results'),
    REVIEWER_POLICY_FILE: path.join(dir, 'policy.json'),
    BUILD_SIGNING_KEY_FILE: path.join(dir, 'key.pem'),
    TEMPORAL_ADDRESS: target.address,
    TEMPORAL_NAMESPACE: target.namespace,
    METRICS_PORT: '0',
    LAUNCH_FAILPOINTS: path.join(dir, 'failpoints'),
  };
});
afterEach(() => Promise.all(started.splice(0).map((service) => service.stop())));
afterAll(async () => {
  await stopCaller?.();
  await rm(dir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({ args: [program], env: { ...baseEnv, ...env }, readyTimeoutMs: 60_000 });
  started.push(service);
  return service;
}
const ask = (workflow: 'askForBuild' | 'askForAttestation', input: unknown) =>
  temporal.client.workflow.start(workflow, {
    taskQueue: callerQueue,
    workflowId: uniqueName('ask'),
    args: [input],
  });
const readyz = async (service: ServiceProcess): Promise<number> =>
  (await fetch(`http://127.0.0.1:${service.ready.port}/readyz`)).status;
/** Returns the running child processes of a process. */
const childrenOf = async (pid: number): Promise<string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; !(await holds()); await sleep(50)) {
    if (Date.now() > end) throw new Error('the condition was not met in time');
  }
}

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\n';
const GOOD: SubmittedModule = { files: { 'src/M.sol': `${HEAD}contract M { uint256 public kept; }` } };
const M = [{ path: 'src/M.sol', contract: 'M' }];

async function inputFor(module: SubmittedModule, given: Partial<BuildPlan> = {}): Promise<BuildInput> {
  const submissionDigest = await storeSubmission(parts.blobs, module);
  const planSha256: Sha256Digest = await parts.blobs.put(
    canonicalizeJson(planOf(parts, submissionDigest, module, M, given)),
  );
  return { submissionId: SUBMISSION_ID, planSha256, attempt: 1, earlier: [] };
}

it.each(['module-build.compiling', 'module-build.stored'])(
  'After a builder is killed at %s, the next one finishes the build and answers once.',
  async (point) => {
    await armFailpoint(path.join(dir, 'failpoints'), point);
    const first = await start();
    const handle = await ask('askForBuild', await inputFor(GOOD));
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start();
    const verdict = (await handle.result()) as BuildVerdict;
    expect(verdict).toMatchObject({ status: 'built' });
    expect(await (await ask('askForBuild', await inputFor(GOOD))).result()).toEqual(verdict);
    await until(async () => (await childrenOf(second.pid)).length === 0);
  },
);

it('A cancelled build leaves no compiler, and the builder continues, attests and drains.', async () => {
  const service = await start();
  await until(async () => (await readyz(service)) === 200);
  const loop = Array.from({ length: 400 }, (_, at) => `x = x * ${at + 3} + (x >> ${at % 200}) ^ (x / ${at + 7});`);
  const functions = Array.from(
    { length: 40 },
    (_, at) => `function f${at}(uint256 x) public pure returns (uint256) { ${loop.join(' ')} return x; }`,
  );
  const endless: SubmittedModule = { files: { 'src/M.sol': `${HEAD}contract M { ${functions.join('\n')} }` } };
  const viaIR: Partial<BuildPlan> = {
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      viaIR: true,
      metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
    },
    limits: { cpuMs: 60_000, memoryPages: 8_192, outputBytes: 4 * 1024 * 1024 },
  };
  const handle = await ask('askForBuild', await inputFor(endless, viaIR));
  await until(async () => (await childrenOf(service.pid)).length > 0);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  expect(await childrenOf(service.pid)).toEqual([]);

  const question = { reviewerPolicyDigest: parts.policy.digest, nonce: `0x${'5'.repeat(64)}` } as const;
  const { signature, ...said } = (await (await ask('askForAttestation', question)).result()) as SignedAttestation;
  expect(said).toEqual({
    workerSourceCommit: sourceCommitOfBuild(BUILD_INFO),
    workerPublicKey: parts.policy.document.workerPublicKey,
    sampleSha256: SAMPLE_ARTIFACT_SHA256,
  });
  const document = { schemaVersion: 'service.modules.builder-attestation.v1', ...question, ...said } as const;
  const attestation = { ...document, sampleSha256: SAMPLE_ARTIFACT_SHA256 };
  expect(verifyBuilderSignature(attestation, signature, parts.policy)).toBe(true);
  expect(verifyBuilderSignature({ ...attestation, nonce: `0x${'6'.repeat(64)}` }, signature, parts.policy)).toBe(false);

  service.stop().catch(() => undefined);
  expect(await service.exited).toEqual({ code: 0, signal: null });
  for (const secret of ['contract M', 'PRIVATE KEY', path.join(dir, 'key.pem')]) {
    expect(service.lines().join('\n')).not.toContain(secret);
  }
});

it("A builder whose key is not the policy's is not ready, and builds and attests nothing.", async () => {
  const other = { ...parts.policy.document, workerPublicKey: `ed25519:${'7'.repeat(64)}` };
  const file = path.join(dir, 'other-policy.json');
  await writeFile(file, canonicalJsonText(other));
  const service = await start({ REVIEWER_POLICY_FILE: file });
  expect(await readyz(service)).toBe(503);
  for (const handle of [
    await ask('askForBuild', await inputFor(GOOD)),
    await ask('askForAttestation', { reviewerPolicyDigest: parts.policy.digest, nonce: `0x${'5'.repeat(64)}` }),
  ]) {
    await expect(handle.result()).rejects.toMatchObject({ cause: { cause: { type: 'BUILD_POLICY_MISMATCH' } } });
  }
});

/** Polls a builder's health check until the work is done. @returns the longest wait, in ms. */
async function longestHealthCheck(service: ServiceProcess, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => undefined);
  let longest = 0;
  while (!isDone) {
    const asked = performance.now();
    expect((await fetch(`http://127.0.0.1:${service.ready.port}/healthz`)).status).toBe(200);
    longest = Math.max(longest, performance.now() - asked);
    await sleep(20);
  }
  return longest;
}

const filled = (pattern: string, bytes: number): string => pattern.repeat(Math.floor(bytes / pattern.length));
/** A read whose function changes state, in a source of a megabyte that searches for it stop at everywhere. */
const HOSTILE: SubmittedModule = {
  files: {
    'src/M.sol': `${HEAD}/*${filled('public ', 1024 * 1024)}*/\ncontract M { uint256 kept; function keep() external { kept += 1; } }`,
    'docs/notes.txt': filled('function public ', 2 * 1024 * 1024),
  },
  management: {
    reads: Array.from({ length: 64 }, () => ({ name: 'keep', abi: 'function keep() view', returnsUnit: 'none' })),
    actions: [],
  },
};

it('A builder answers within a second while it builds a hostile module, and finds its lines.', async () => {
  const service = await start();
  await until(async () => (await readyz(service)) === 200);
  const handle = await ask('askForBuild', await inputFor(HOSTILE));
  const result = handle.result();
  expect(await longestHealthCheck(service, result)).toBeLessThan(1_000);
  const verdict = (await result) as Extract<BuildVerdict, { status: 'built' }>;
  expect(verdict.status).toBe('built');
  const { findings } = JSON.parse(Buffer.from(await parts.results.get(verdict.findingsSha256)).toString()) as {
    findings: { code: string; source: { line: number } | null }[];
  };
  expect(findings.filter(({ code }) => code === 'MANAGEMENT_READ_CHANGES_STATE')).toHaveLength(64);
  expect(findings[0]?.source?.line).toBe(4);
});

describe('The process of a build', () => {
  const run = async (given: Partial<BuildProcessOptions>, signal = new AbortController().signal) =>
    createBuildProcess({
      program,
      blobs: { kind: 'files', dir: path.join(dir, 'blobs') },
      results: { kind: 'files', dir: path.join(dir, 'results') },
      policy: parts.policy,
      sourceCommit: parts.sourceCommit,
      ...given,
    })(await inputFor(GOOD), signal);

  it('ends at its processor time or memory limit with a verdict about the module', async () => {
    expect(await run({ cpuMs: 1 })).toEqual({ status: 'failed', code: 'COMPILER_TIMEOUT', place: 'analysis' });
    expect(await run({ memoryMb: 8 })).toEqual({ status: 'failed', code: 'COMPILER_OUT_OF_MEMORY', place: 'analysis' });
  });

  it('yields no verdict without processor time, after it was killed from outside, or after a cancellation', async () => {
    await expect(run({ wallMs: 1 })).rejects.toMatchObject({ code: 'BUILD_PROCESS_LOST', retryable: true });
    await expect(run({ program: path.join(dir, 'no-such-program.mjs') })).rejects.toMatchObject({
      code: 'BUILD_PROCESS_LOST',
    });
    const given = new AbortController();
    setTimeout(() => given.abort(new Error('given up')), 300);
    await expect(run({}, given.signal)).rejects.toThrow('given up');
  });

  it('writes to its own store alone, even where it may not write to the shared one', async () => {
    const shared = path.join(dir, 'blobs');
    const before = (await readdir(shared, { recursive: true })).sort();
    const verdict = (await run({
      results: { kind: 'files', dir: path.join(dir, 'other-results') },
    })) as EvidenceVerdict;
    if (verdict.status !== 'built') throw new Error(verdict.code);
    const own = createFileBlobStore({ dir: path.join(dir, 'other-results') });
    const { artifactSha256, hostManifestSha256, toolchainSha256, logsSha256, findingsSha256 } = verdict;
    for (const digest of [artifactSha256, hostManifestSha256, toolchainSha256, logsSha256, findingsSha256])
      expect([await own.has(digest), await parts.blobs.has(digest)]).toEqual([true, false]);
    expect((await readdir(shared, { recursive: true })).sort()).toEqual(before);
  });

  it('returns this product’s errors unchanged', async () => {
    await expect(run({ blobs: { kind: 'files', dir: path.join(dir, 'no-blobs') } })).rejects.toMatchObject({
      code: 'BLOB_ABSENT',
      retryable: true,
    });
  });
});
