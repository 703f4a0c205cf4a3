import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createCompiler, type Compiler } from '@launch/compiler';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest } from '@launch/contracts/multi-role';
import {
  CUSTODY_SERVICE,
  NAMESPACES,
  admitWorkflowId,
  PRIORITIES,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type AdmitLaunchInput,
  type CompilationVerdict,
  type LaunchRef,
} from '@launch/contracts/orchestration';
import { canonicalSha256, keccak256Hex, sha256Digest, type Hex } from '@launch/contracts/primitives';
import { collectSources, manifestOf } from '@launch/launch-rules';
import { connectTemporal, launchSearchAttributes, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  scriptedService,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { fixtureConfig } from '../../../../clients/multi-role/src/fixtures/reference.fixture.js';
import { packRequest } from '../../../../clients/multi-role/src/packer/pack-request.js';
import { createAdmissionSteps, type StepDependencies } from '../admission.steps.js';
import { SHORT_COMPILATIONS } from '../config.js';
import type { JudgedLaunch } from '../families/judged-launch.js';
import { multiRoleLaunch } from '../families/multi-role.launch.js';
import { createCompilationActivities, createLongCompilationActivities } from './compilation.activities.js';

/** Runs admissions on a real Temporal server with real compilers; the other steps are scripted. */
jest.setTimeout(300_000);

const SHORT_MS = 4_000;
const BUDGET_MS = 5_000;
const HOSTILE = 4;
const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;

let dir: string;
let compiler: Compiler;
let server: TemporalServer;
let temporal: TemporalClient;
let reference: CreateRequest;
let closeWorkers: () => Promise<void>;
const launches = new Map<string, JudgedLaunch>();
const verdicts = new Map<string, CompilationVerdict>();
/** Processor time that compilations used, ms. */
let usedMs = 0;
/** Compilations in the order of their start, with the attempts of others that had ended by then. */
const begun: { readonly isHonest: boolean; readonly ended: number }[] = [];
let ended = 0;
/** Compiler processes that yielded the processor, and how many of them must have done so before an honest compilation. */
const yielding = new Set<number>();
let mustYield = 0;

const activities = {
  admission: {
    judgeRequest: async ({ requestHash }: LaunchRef, compilation: CompilationVerdict) => {
      verdicts.set(requestHash, compilation);
      const isCompiled = compilation.kind === 'compiled';
      const disposition = isCompiled ? 'source_supported' : 'evidence_required';
      return {
        receipt: { receiptSha256: digest('9'), disposition, assessment: { disposition } },
        economicsHash: isCompiled ? word('8') : null,
        findings: isCompiled ? [] : compilation.findings,
      };
    },
    rehearseLaunch: async () => ({ kind: 'passed' }),
    issueRefusal: async () => ({ refusalSha256: digest('c') }),
    simulateHandoff: async () => ({ kind: 'simulated', handoffSha256: digest('a') }),
  },
  custody: {
    signPermit: async () => ({ kind: 'signed', permitDigest: word('5'), permit: {}, signature: '0x' }),
    refuseLaunch: async () => ({ kind: 'refused' }),
  },
  gateway: Object.fromEntries(
    ['recordAdmitting', 'recordAssessment', 'recordRefused', 'recordHandoff', 'recordFailed', 'recordExpired'].map(
      (name) => [name, async () => undefined],
    ),
  ),
};

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  dir = await mkdtemp(path.join(tmpdir(), 'fair-compilation-'));
  reference = createRequestSchema.parse(
    parseStrictJson(packRequest(canonicalizeJson(await fixtureConfig('zero'))).bytes),
  );
  compiler = createCompiler({ versions: ['0.8.26'], cacheDir: dir, concurrency: SHORT_COMPILATIONS + 1 });
  const counted: Compiler = {
    ...compiler,
    async compileWithin(asked, allowance) {
      const isHonest = asked.targets?.some(({ contract }) => contract.startsWith('Honest')) === true;
      begun.push({ isHonest, ended });
      while (isHonest && yielding.size < mustYield) await sleep(50);
      const verdict = await compiler.compileWithin(asked, allowance);
      ended += 1;
      usedMs += verdict.usedMs;
      return verdict;
    },
  };
  const steps = createAdmissionSteps({
    compiler: counted,
    compileTimes: { budgetMs: BUDGET_MS, shortMs: SHORT_MS },
    loader: { load: async ({ requestHash }: LaunchRef) => launches.get(requestHash)! },
  } as StepDependencies);

  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const { address, namespace } = server;
  temporal = await connectTemporal({ address, namespace });
  const connection = await connectWorkers({ address, namespace });
  const common = { connection, namespace, service: 'fair-compilation-tests' };
  const quiet = (): void => undefined;
  const workers: ServiceWorker[] = await Promise.all([
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.admission,
      activities: activities.admission,
      workflowBundle: await currentWorkflowBundle(
        path.resolve(import.meta.dirname, '../../../../libs/workflows/src/admission.bundle.ts'),
      ),
    }),
    createServiceWorker({
      ...common,
      namespace: NAMESPACES.custody,
      taskQueue: TASK_QUEUES.custody,
      operations: scriptedService(CUSTODY_SERVICE, activities.custody),
    }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.gateway, activities: activities.gateway }),
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.compilation,
      activities: createCompilationActivities(steps, SHORT_COMPILATIONS, quiet).functions,
      maxConcurrentActivities: SHORT_COMPILATIONS,
    }),
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.longCompilation,
      activities: createLongCompilationActivities(steps, quiet).functions,
      maxConcurrentActivities: 1,
    }),
  ]);
  const running = workers.map((worker) => worker.run());
  closeWorkers = async () => {
    await Promise.all(workers.map((worker) => worker.shutdown()));
    await Promise.all(running);
    await connection.close();
  };
});
afterAll(async () => {
  await closeWorkers();
  await temporal.close();
  await Promise.all([server.stop(), compiler.close()]);
  await rm(dir, { recursive: true, force: true });
});

/** Takes far longer to compile than any budget here. */
const slow = (name: string): string =>
  `contract ${name} {${Array.from({ length: 1_000 }, (_, i) => `function f${i}(uint a, string memory b, uint[] memory c) public pure returns (uint, string memory) { uint z = a; for (uint i; i < c.length; i++) { z += c[i] * ${i}; } return (z, string.concat(b, "${i}")); }`).join('')}}`;
const quick = (name: string): string =>
  `contract ${name} { function one() external pure returns (uint256) { return 1; } }`;

/**
 * Returns the reference request with one component and a compilation unit for each of these sources; the first has the
 * component.
 */
async function requestOf(contents: readonly string[], contract: string, isBuilt: boolean): Promise<CreateRequest> {
  const request = structuredClone(reference);
  const [component] = request.graphBundle.components;
  const [unit] = request.compilerVerification.compilationUnits;
  const compilation = request.compilerVerification.components.find(
    ({ componentId }) => componentId === component!.componentId,
  )!;
  const inputs = contents.map((content, index) =>
    canonicalizeJson({ language: 'Solidity', sources: { [`src/${contract}${index}.sol`]: { content } }, settings: {} }),
  );
  request.compilerVerification.compilationUnits = inputs.map((input, index) => ({
    ...unit!,
    compilationUnitId: `unit-${index}`,
    compilerVersion: '0.8.26',
    standardJsonInputBase64: Buffer.from(input).toString('base64'),
    standardJsonInputSha256: sha256Digest(input),
  }));
  const target = { path: `src/${contract}0.sol`, contract };
  Object.assign(compilation, { target: { compilationUnitId: 'unit-0', ...target } });
  compilation.constructor.argumentsHash = keccak256Hex(new Uint8Array());
  request.compilerVerification.components = [compilation];
  Object.assign(component!, { constructorArgs: '0x' });
  if (isBuilt) {
    const built = await compiler.build({ version: '0.8.26', standardJsonInput: inputs[0]!, targets: [target] });
    if (built.verdict !== 'built') throw new Error(JSON.stringify(built.refusal));
    const [code] = built.output.contracts;
    Object.assign(component!, {
      creationBytecode: code!.creation.object,
      expectedRuntimeCode: code!.runtime.object,
    });
  }
  request.graphBundle.components = [component!];
  const collected = collectSources(request.compilerVerification.compilationUnits, request.source.additionalFiles, '');
  if (!collected.ok) throw new Error(JSON.stringify(collected.findings));
  request.source.manifest = manifestOf(collected.files);
  request.source.bundleSha256 = request.graphBundle.sourceBundleSha256 = canonicalSha256(request.source.manifest);
  return request;
}

async function admit(request: CreateRequest, lineageId: string) {
  const launchId = randomUUID();
  const requestHash = keccak256Hex(Buffer.from(launchId));
  // The fixture has the metadata hash in its code, so this test skips the scan.
  launches.set(requestHash, { ...multiRoleLaunch(request), scan: () => [] });
  const controller: Hex = `0x${'4'.repeat(40)}`;
  const ref = { launchId, requestSha256: digest('1'), requestHash, contextHash: word('3'), controller };
  const input: AdmitLaunchInput = { ref, deadline: String(Math.floor(Date.now() / 1_000) + 3_600) };
  const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.admitLaunch, {
    workflowId: admitWorkflowId(launchId),
    taskQueue: TASK_QUEUES.admission,
    args: [input],
    priority: { priorityKey: PRIORITIES.launch, fairnessKey: lineageId },
    typedSearchAttributes: launchSearchAttributes({ launchId, controller, stage: 'reserved' }),
  });
  return { handle, requestHash };
}

const ps = promisify(execFile);

/** Returns the compilers of this process, each with its niceness. */
async function compilers(): Promise<{ readonly pid: number; readonly niceness: number }[]> {
  const { stdout } = await ps('ps', ['-ww', '-o', 'pid=,ni=,args=', '--ppid', String(process.pid)]);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, niceness] = /^ *(\d+) +(-?\d+) .*soljson\.js/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), niceness: Number(niceness) }];
  });
}

/** Niceness that a compilation of the usual size does not reach. */
const LAST_STEP = 15;

/** Notes the compilers that yield most until the signal is aborted. */
async function watchCompilers(signal: AbortSignal): Promise<void> {
  const usual = getPriority();
  while (!signal.aborted) {
    for (const { pid, niceness } of await compilers()) if (niceness >= usual + LAST_STEP) yielding.add(pid);
    await sleep(100);
  }
}

describe('Four requests of eight slow units each', () => {
  it.each([
    ['of one lineage', (_index: number) => 'hostile', Math.floor(SHORT_COMPILATIONS / 2)],
    ['of four lineages', (index: number) => `hostile-${index}`, HOSTILE],
  ])(
    '%s do not delay an honest launch, yield the processor to it, end with their budget, and cost nothing when repeated.',
    async (what, lineageOf, placesTaken) => {
      const name = what.includes('four') ? 'Four' : 'One';
      const hostile = await Promise.all(
        Array.from({ length: HOSTILE }, (_, index) =>
          requestOf(
            Array.from({ length: 8 }, (_unit, unit) => slow(`${name}${index}x${unit}`)),
            `${name}${index}x0`,
            false,
          ),
        ),
      );
      const honest = await requestOf([quick(`Honest${name}`)], `Honest${name}`, true);
      begun.length = ended = 0;
      yielding.clear();
      mustYield = placesTaken;
      const stop = new AbortController();
      const watching = watchCompilers(stop.signal);

      const flood = await Promise.all(hostile.map((request, index) => admit(request, lineageOf(index))));
      const launch = await admit(honest, 'honest');
      expect(await launch.handle.result()).toBe('authorized');
      expect(begun.find(({ isHonest }) => isHonest)).toEqual({ isHonest: true, ended: 0 });
      // Each has the budget of a request on the only place of long compilations, so all are far from their end.
      expect(flood.filter(({ requestHash }) => verdicts.has(requestHash)).length).toBeLessThan(HOSTILE);

      for (const { handle, requestHash } of flood) {
        expect(await handle.result()).toBe('refused');
        expect(verdicts.get(requestHash)).toMatchObject({
          kind: 'refused',
          findings: [{ code: 'COMPILE_BUDGET_EXCEEDED', path: '/compilerVerification/compilationUnits/0' }],
        });
      }

      stop.abort();
      await watching;
      // A short and a long compilation of each of the four; that of the honest launch ended before.
      expect(yielding.size).toBe(2 * HOSTILE);

      usedMs = 0;
      const again = await Promise.all(hostile.map((request, index) => admit(request, lineageOf(index))));
      for (const [index, { handle, requestHash }] of again.entries()) {
        expect(await handle.result()).toBe('refused');
        expect(verdicts.get(requestHash)).toEqual(verdicts.get(flood[index]!.requestHash));
      }
      expect(usedMs).toBe(0);
    },
  );
});
