import { finding, type ErrorCode } from '@launch/contracts/errors';
import {
  CUSTODY_SERVICE,
  NAMESPACES,
  admitWorkflowId,
  preflightWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type AdmissionActivities,
  type AdmitLaunchInput,
  type CompilationActivities,
  type CustodyOperations,
  type EvaluateSourceResult,
  type LaunchRef,
  type LongCompilationActivities,
  type RehearsalVerdict,
  type SimulationVerdict,
} from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { connectTemporal, launchSearchAttributes, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  scriptedService,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { COMPILATION } from '../fixtures/compilation.fixture.js';
import { recordHistory } from '../fixtures/recorded-histories.fixture.js';

/** Runs the workflows on a real Temporal server, over five queues, with scripted results of the steps. */
jest.setTimeout(180_000);
const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const CONTROLLER = `0x${'4'.repeat(40)}`;

interface Script {
  readonly code?: ErrorCode;
  readonly compilesLong?: true;
  readonly signFailures?: number;
  /** `null` is a rehearsal that fails. */
  readonly rehearsal?: RehearsalVerdict | null;
  readonly simulation?: SimulationVerdict;
  /** For a custom launch: checks at which the operator's gate is closed. */
  readonly closed?: number;
}
interface Run {
  readonly script: Script;
  readonly steps: string[];
  signs: number;
  gates: number;
}
const runs = new Map<string, Run>();
const runOf = (ref: Pick<LaunchRef, 'requestHash'>): Run =>
  runs.get(ref.requestHash) ??
  (() => {
    throw new Error('no script');
  })();
const byLaunch = new Map<string, Run>();

const admission: Partial<AdmissionActivities> = {
  async judgeRequest(ref) {
    const { script, steps } = runOf(ref);
    steps.push('judge');
    const findings = script.code === undefined ? [] : [finding(script.code, '/graphBundle')];
    const disposition = findings.length === 0 ? 'source_supported' : 'rejected';
    return {
      receipt: {
        receiptSha256: digest('9'),
        disposition,
        assessment: {
          schemaVersion: 'service.multi-role-source-assessment.v2',
          disposition,
          findingCodes: findings.map(({ code }) => code),
          receiptHash: digest('9'),
          remediation: null,
          productionAuthority: false,
        },
      },
      economicsHash: findings.length === 0 ? word('8') : null,
      findings,
    };
  },
  async judgePreflight(ref) {
    runOf(ref).steps.push('judge preflight');
    return { checks: [{ checkId: 'funding', outcome: 'pass', dependsOn: [], findings: [] }] };
  },
  async readUsdReference(ref) {
    runOf(ref).steps.push('read usd');
    return { kind: 'usable', usdReferenceSha256: digest('d'), oneUsdReferenceWei: '1', readAt: '1900000000' };
  },
  async issueRefusal({ launchId }) {
    byLaunch.get(launchId)!.steps.push('issue refusal');
    return { refusalSha256: digest('c') };
  },
  async rehearseLaunch(ref) {
    const { script, steps } = runOf(ref);
    steps.push('rehearse');
    if (script.rehearsal === null) throw ApplicationFailure.retryable('the providers are away', 'PROVIDERS_UNDECIDED');
    return script.rehearsal ?? { kind: 'passed' };
  },
  async simulateHandoff(ref, _permit, usdReferenceSha256) {
    const { script, steps } = runOf(ref);
    steps.push(usdReferenceSha256 === undefined ? 'simulate' : `simulate by ${usdReferenceSha256.slice(7, 8)}`);
    return script.simulation ?? { kind: 'simulated', handoffSha256: digest('a') };
  },
};
const compilation: CompilationActivities = {
  async compileRequest(ref) {
    const { script, steps } = runOf(ref);
    steps.push('compile');
    return script.compilesLong === true ? { kind: 'unfinished' } : COMPILATION;
  },
};
const longCompilation: LongCompilationActivities = {
  async compileLongRequest(ref) {
    runOf(ref).steps.push('compile long');
    return COMPILATION;
  },
};
const custody: CustodyOperations = {
  async signPermit({ launchId }) {
    const run = byLaunch.get(launchId)!;
    run.steps.push('sign');
    if (run.signs++ < (run.script.signFailures ?? 0))
      throw ApplicationFailure.retryable('the worker is gone', 'CUSTODY_AWAY');
    return {
      kind: 'signed',
      permitDigest: word('5'),
      signature: `0x${'6'.repeat(130)}`,
      permit: { controller: CONTROLLER } as never,
    };
  },
  async refuseLaunch({ launchId }) {
    byLaunch.get(launchId)!.steps.push('refuse');
    return { kind: 'refused' };
  },
};
const note =
  (step: string) =>
  async ({ launchId }: { launchId: string }): Promise<void> =>
    void byLaunch.get(launchId)!.steps.push(step);

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(path.resolve(import.meta.dirname, '../admission.bundle.ts'));
  const common = { connection: workers, namespace: target.namespace, service: 'admit-launch-tests' };
  const gateway = {
    async authorizationGate({ launchId }: { launchId: string }) {
      const run = byLaunch.get(launchId)!;
      run.steps.push('gate');
      return { open: (run.gates += 1) > (run.script.closed ?? 0) };
    },
    recordAdmitting: note('record admitting'),
    recordAssessment: note('record assessment'),
    recordRefused: note('record refused'),
    recordHandoff: note('record handoff'),
    recordFailed: note('record failed'),
    recordExpired: note('record expired'),
  };
  const started = await Promise.all([
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.admission, workflowBundle, activities: admission }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.compilation, activities: compilation }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.longCompilation, activities: longCompilation }),
    createServiceWorker({
      ...common,
      namespace: NAMESPACES.custody,
      taskQueue: TASK_QUEUES.custody,
      operations: scriptedService(CUSTODY_SERVICE, custody),
    }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.gateway, activities: gateway }),
  ]);
  running = started.map((worker) => ({ worker, done: worker.run() }));
});
afterAll(async () => {
  await Promise.all(running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
  await temporal?.close();
  await workers?.close();
  await server?.stop();
});

function begin(script: Script, family?: LaunchFamily): { ref: LaunchRef; run: Run } {
  const run: Run = { script, steps: [], signs: 0, gates: 0 };
  const requestHash = `0x${randomUUID().replaceAll('-', '').padEnd(64, '0')}`;
  runs.set(requestHash, run);
  return {
    run,
    ref: {
      launchId: null,
      ...(family === undefined ? {} : { family }),
      requestSha256: digest('1'),
      requestHash: requestHash as Hex,
      contextHash: word('3'),
      controller: CONTROLLER as Hex,
    },
  };
}

async function admit(script: Script, family?: LaunchFamily) {
  const { ref, run } = begin(script, family);
  const launchId = randomUUID();
  byLaunch.set(launchId, run);
  const deadline = String(Math.floor(Date.now() / 1_000) + 3_600);
  const input: AdmitLaunchInput = { ref: { ...ref, launchId }, deadline };
  const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.admitLaunch, {
    workflowId: admitWorkflowId(launchId),
    taskQueue: TASK_QUEUES.admission,
    args: [input],
    typedSearchAttributes: launchSearchAttributes({ launchId, controller: CONTROLLER, stage: 'reserved' }),
    memo: { launchId, controller: CONTROLLER, stage: 'reserved' },
  });
  return { handle, steps: run.steps, launchId };
}
/** A record and the step that runs beside it begin in any order. */
const inOrder = (steps: readonly string[]): string[] => [
  ...steps.slice(0, 3).sort(),
  ...steps.slice(3, 5).sort(),
  ...steps.slice(5),
];
const REHEARSED = ['compile', 'judge', 'record admitting', 'record assessment', 'rehearse'];

describe('The admission of a launch on Temporal', () => {
  it('reaches the hand-off with each step on the queue of its owner, and shows its stage to an operator', async () => {
    const { handle, steps, launchId } = await admit({});
    expect(await handle.result()).toBe('authorized');
    expect(inOrder(steps)).toEqual([...REHEARSED, 'sign', 'simulate', 'record handoff']);
    const description = await handle.describe();
    expect(description.searchAttributes[SEARCH_ATTRIBUTES.stage]).toEqual(['authorized']);
    expect(description.searchAttributes[SEARCH_ATTRIBUTES.launchId]).toEqual([launchId]);
    await recordHistory('admit-launch', 'authorized', handle);
  });

  it('signs a refusal and asks custody to free the nonce', async () => {
    const { handle, steps } = await admit({ code: 'CREATION_BYTECODE_MISMATCH' });
    expect(await handle.result()).toBe('refused');
    expect([...steps.slice(0, 3).sort(), ...steps.slice(3)]).toEqual([
      ...['compile', 'judge', 'record admitting', 'record assessment'],
      ...['issue refusal', 'refuse', 'record refused'],
    ]);
    await recordHistory('admit-launch', 'refused', handle);
  });

  it('compiles slow sources on their own queue', async () => {
    const { handle, steps } = await admit({ compilesLong: true });
    expect(await handle.result()).toBe('authorized');
    expect(steps.filter((step) => step.startsWith('compile'))).toEqual(['compile', 'compile long']);
    await recordHistory('admit-launch', 'compiled-long', handle);
  });

  it('asks custody once per decision and repeats the call after an outage', async () => {
    const { handle, steps } = await admit({ signFailures: 2 });
    expect(await handle.result()).toBe('authorized');
    expect(steps.filter((step) => step === 'sign')).toHaveLength(3);
    await recordHistory('admit-launch', 'custody-away', handle);
  });

  it('fails a launch whose exact transaction reverts', async () => {
    const { handle, steps } = await admit({
      simulation: { kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '/graphBundle')] },
    });
    expect(await handle.result()).toBe('failed');
    expect(steps).not.toContain('record handoff');
    await recordHistory('admit-launch', 'reverted', handle);
  });

  it.each([
    [
      'reverts',
      'rehearsal-reverted',
      { kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '/fundingPlan/minimumTokensOut')] },
    ],
    [
      'cannot be judged',
      'rehearsal-indeterminate',
      { kind: 'indeterminate', findings: [finding('SIMULATION_INDETERMINATE', '')] },
    ],
  ] as const)('refuses a launch whose rehearsal %s, before custody signs', async (_what, name, rehearsal) => {
    const { handle, steps } = await admit({ rehearsal });
    expect(await handle.result()).toBe('refused');
    expect(inOrder(steps)).toEqual([...REHEARSED, 'issue refusal', 'refuse', 'record refused']);
    await recordHistory('admit-launch', name, handle);
  });
});

describe('The admission of custom launches and plans on Temporal', () => {
  const AUTHORIZED = ['gate', 'read usd', 'sign', 'simulate by d', 'record handoff'];

  it.each([
    ['custom-launch.v4', 'custom-launch-authorized'],
    ['plan.v1', 'plan-authorized'],
  ] as const)('requests the permit of a %s with an open gate and a fresh price', async (family, name) => {
    const { handle, steps } = await admit({}, family);
    expect(await handle.result()).toBe('authorized');
    expect(inOrder(steps)).toEqual([...REHEARSED, ...AUTHORIZED]);
    await recordHistory('admit-launch', name, handle);
  });

  it('waits at a closed gate and continues when it opens', async () => {
    const { handle, steps } = await admit({ closed: 1 }, 'custom-launch.v4');
    expect(await handle.result()).toBe('authorized');
    expect(inOrder(steps)).toEqual([...REHEARSED, 'gate', 'record admitting', ...AUTHORIZED]);
    await recordHistory('admit-launch', 'custom-launch-held-at-the-gate', handle);
  });

  it('returns every check of a preflight and rehearses nothing', async () => {
    const { ref, run } = begin({}, 'custom-launch.v4');
    const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.evaluateSource, {
      workflowId: preflightWorkflowId(randomUUID()),
      taskQueue: TASK_QUEUES.admission,
      args: [{ ref }],
    });
    expect(await handle.result()).toMatchObject({ checks: [{ checkId: 'funding', outcome: 'pass' }] });
    expect(run.steps).toEqual(['compile', 'judge preflight']);
    await recordHistory('evaluate-source', 'custom-launch-judged', handle);
  });
});

describe('The evaluation of a source on Temporal', () => {
  it.each([
    ['supported', {}, 'source_supported', ['compile', 'judge', 'rehearse']],
    ['rejected', { code: 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN' }, 'rejected', ['compile', 'judge']],
  ] as const)('runs the steps of a preflight with the result %s', async (name, script, disposition, expected) => {
    const { ref, run } = begin(script);
    const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.evaluateSource, {
      workflowId: preflightWorkflowId(randomUUID()),
      taskQueue: TASK_QUEUES.admission,
      args: [{ ref }],
    });
    expect(await handle.result()).toMatchObject({ receipt: { disposition } });
    expect(run.steps).toEqual(expected);
    await recordHistory('evaluate-source', name, handle);
  });

  it.each([
    [
      'adds the finding of a revert as a warning',
      'rehearsal-reverted',
      { kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '/nonce')] },
      ['warning'],
    ],
    [
      'adds nothing for a rehearsal that cannot be judged',
      'rehearsal-indeterminate',
      { kind: 'indeterminate', findings: [finding('SIMULATION_INDETERMINATE', '')] },
      [],
    ],
    ['adds nothing for a failed rehearsal, after one attempt', 'rehearsal-failed', null, []],
  ] as const)('rehearses a supported source and %s', async (_what, name, rehearsal, severities) => {
    const { ref, run } = begin({ rehearsal });
    const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.evaluateSource, {
      workflowId: preflightWorkflowId(randomUUID()),
      taskQueue: TASK_QUEUES.admission,
      args: [{ ref }],
      workflowExecutionTimeout: '60 s',
    });
    const evaluation = (await handle.result()) as EvaluateSourceResult;
    expect(evaluation).toMatchObject({
      receipt: { disposition: 'source_supported', assessment: { findingCodes: [] } },
      economicsHash: word('8'),
    });
    expect(evaluation.findings.map(({ severity }) => severity)).toEqual(severities);
    expect(run.steps).toEqual(['compile', 'judge', 'rehearse']);
    await recordHistory('evaluate-source', name, handle);
  });

  it('rehearses nothing when the response would be too late', async () => {
    const { ref, run } = begin({ rehearsal: { kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '')] } });
    const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.evaluateSource, {
      workflowId: preflightWorkflowId(randomUUID()),
      taskQueue: TASK_QUEUES.admission,
      args: [{ ref }],
      workflowExecutionTimeout: '13 s',
    });
    expect(await handle.result()).toMatchObject({ findings: [] });
    expect(run.steps).toEqual(['compile', 'judge']);
    await recordHistory('evaluate-source', 'rehearsal-too-late', handle);
  });
});
