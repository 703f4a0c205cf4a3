import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { finding } from '@launch/contracts/errors';
import {
  CUSTODY_SERVICE,
  NAMESPACES,
  admitWorkflowId,
  observeWorkflowId,
  RECOVERY_WORKFLOW_ID,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type AdmitLaunchInput,
  type ObserveLaunchInput,
  type ObservePollInput,
  type ObservePollResult,
} from '@launch/contracts/orchestration';
import { connectTemporal, launchSearchAttributes, startHousekeeping, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  scriptedService,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { promoteWorker } from '@launch/start';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';

const WORKFLOWS = path.resolve(import.meta.dirname, '../../../../libs/workflows/src');
const PATIENCE_MS = 240_000;
const WINDOW_SECONDS = 1_800;
/** Milliseconds between two polls: long enough to take a picture. */
const LOOK_MS = 600_000;
const CODE = 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED';

/**
 * Runs the product's own workflows with scripted steps on a Temporal server with its UI, so that each launch stays in
 * the state that an operator meets until the operator acts.
 */
export class ScriptedLaunches {
  readonly controller = `0x${'4'.repeat(40)}` as const;
  private readonly refusedIds = new Set<string>();
  private readonly damagedIds = new Set<string>();
  private areObserversAway = false;
  private server!: TemporalServer;
  private workers!: NativeConnection;
  private running: { worker: ServiceWorker; done: Promise<void> }[] = [];
  temporal!: TemporalClient;

  /** @returns the address of the Temporal UI. */
  async start(): Promise<{ readonly ui: string; readonly address: string; readonly namespace: string }> {
    installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
    this.server = await startTemporal({ uiPort: 0, searchAttributes: SEARCH_ATTRIBUTE_TYPES });
    const { address, namespace } = this.server;
    [this.temporal, this.workers] = await Promise.all([
      connectTemporal({ address, namespace }),
      connectWorkers({ address, namespace }),
    ]);
    const common = { connection: this.workers, namespace };
    const hosting = async (deployment: string, entry: string) => ({
      ...common,
      service: deployment,
      workflowBundle: await currentWorkflowBundle(path.join(WORKFLOWS, entry)),
      versioning: { mode: 'auto-upgrade', deployment } as const,
    });
    const started = await Promise.all([
      createServiceWorker({
        ...(await hosting('admission-worker', 'admission.bundle.ts')),
        taskQueue: TASK_QUEUES.admission,
        activities: this.admission(),
      }),
      createServiceWorker({
        ...common,
        service: 'admission-worker',
        taskQueue: TASK_QUEUES.compilation,
        activities: this.compilation(),
      }),
      createServiceWorker({
        ...(await hosting('finality-worker', 'finality.bundle.ts')),
        taskQueue: TASK_QUEUES.finality,
        activities: this.finality(),
      }),
      createServiceWorker({
        ...common,
        service: 'permit-custody',
        namespace: NAMESPACES.custody,
        taskQueue: TASK_QUEUES.custody,
        operations: scriptedService(CUSTODY_SERVICE, custody),
      }),
      createServiceWorker({ ...common, service: 'api-gateway', taskQueue: TASK_QUEUES.gateway, activities: gateway }),
    ]);
    this.running = started.map((worker) => ({ worker, done: worker.run() }));
    await Promise.all([
      promoteWorker({ address, namespace }, 'admission-worker'),
      promoteWorker({ address, namespace }, 'finality-worker'),
    ]);
    await startHousekeeping(this.temporal.client, {
      workflowType: WORKFLOW_TYPES.recoverLaunches,
      taskQueue: TASK_QUEUES.finality,
      workflowId: RECOVERY_WORKFLOW_ID,
      summary: 'Finds launches on chain that no client reported',
      details: 'Searches the stamps of finalized blocks.',
    });
    return { ui: this.server.ui ?? '', address, namespace };
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
    await this.temporal?.close();
    await this.workers?.close();
    await this.server?.stop();
  }

  /** Starts a launch that admission refuses with this code. */
  async refused(): Promise<{ readonly launchId: string; readonly code: string }> {
    const launchId = randomUUID();
    this.refusedIds.add(launchId);
    await this.admit(launchId);
    await this.stage(admitWorkflowId(launchId), 'refused');
    return { launchId, code: CODE };
  }

  /** Starts a launch whose judgement takes long enough to hold it. */
  async begun(): Promise<string> {
    const launchId = randomUUID();
    await this.admit(launchId);
    return launchId;
  }

  observersFail(): void {
    this.areObserversAway = true;
  }

  async observersAnswer(launchId: string): Promise<void> {
    this.areObserversAway = false;
    await this.stage(admitWorkflowId(launchId), 'authorized');
  }

  /** Starts a launch that is on chain and whose block is never posted. */
  async included(launchId: string): Promise<void> {
    await this.observe(launchId);
    await this.stage(observeWorkflowId(launchId), 'included');
  }

  /** Starts a launch whose stored bytes are damaged when its observation reads them. */
  async troubled(): Promise<{ readonly launchId: string; mend(): void }> {
    const launchId = randomUUID();
    this.damagedIds.add(launchId);
    await this.observe(launchId);
    await this.stage(observeWorkflowId(launchId), 'troubled');
    // The pauses grow, so the next one is long enough for a picture.
    await this.until('its third failure', async () =>
      / [3-9] times$/.test(String((await this.memoOf(observeWorkflowId(launchId)))['trouble'])),
    );
    return { launchId, mend: () => void this.damagedIds.delete(launchId) };
  }

  async stage(workflowId: string, stage: string): Promise<void> {
    await this.until(`${workflowId} to be ${stage}`, async () => (await this.memoOf(workflowId))['stage'] === stage);
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100)) if (await holds()) return;
    throw new Error(`waited in vain for ${what}`);
  }

  private async memoOf(workflowId: string): Promise<Record<string, unknown>> {
    return (await this.temporal.client.workflow.getHandle(workflowId).describe()).memo ?? {};
  }

  private async admit(launchId: string): Promise<void> {
    const input: AdmitLaunchInput = {
      ref: {
        launchId,
        requestSha256: digest('1'),
        requestHash: word('2'),
        contextHash: word('3'),
        controller: this.controller,
      },
      deadline: String(Math.floor(Date.now() / 1_000) + WINDOW_SECONDS),
    };
    await this.begin(
      launchId,
      WORKFLOW_TYPES.admitLaunch,
      admitWorkflowId(launchId),
      TASK_QUEUES.admission,
      input,
      'Admit',
    );
  }

  private async observe(launchId: string): Promise<void> {
    const input: ObserveLaunchInput = {
      launchId,
      requestSha256: digest('1'),
      requestHash: word('2'),
      handoffSha256: digest('3'),
      controller: this.controller,
      hints: [],
    };
    await this.begin(
      launchId,
      WORKFLOW_TYPES.observeLaunch,
      observeWorkflowId(launchId),
      TASK_QUEUES.finality,
      input,
      'Observe',
    );
  }

  private async begin(
    launchId: string,
    type: string,
    workflowId: string,
    taskQueue: string,
    input: object,
    verb: string,
  ): Promise<void> {
    await this.temporal.client.workflow.start(type, {
      workflowId,
      taskQueue,
      args: [input],
      typedSearchAttributes: launchSearchAttributes({ launchId, controller: this.controller, stage: 'reserved' }),
      memo: { launchId },
      staticSummary: `${verb} launch ${launchId}`,
      staticDetails: `- Launch \`${launchId}\`\n- Controller \`${this.controller}\``,
    });
  }

  private compilation() {
    const compiled = {
      schemaVersion: 'service.compiled-launch.v1',
      components: [{ componentId: 'token', hookCallbacks: [] }],
    };
    return { compileRequest: async () => ({ kind: 'compiled', compiled }) };
  }

  private admission() {
    return {
      judgeRequest: async ({ launchId }: { readonly launchId: string | null }) => {
        const isRefused = this.refusedIds.has(launchId ?? '');
        if (!isRefused) await sleep(5_000);
        const disposition = isRefused ? 'rejected' : 'source_supported';
        return {
          receipt: { receiptSha256: digest('9'), disposition, assessment: { disposition } },
          economicsHash: isRefused ? null : word('8'),
          findings: isRefused ? [finding(CODE, '/graphBundle/components/0/expectedRuntimeCode')] : [],
        };
      },
      issueRefusal: async () => ({ refusalSha256: digest('c') }),
      rehearseLaunch: async () => {
        if (this.areObserversAway)
          throw ApplicationFailure.retryable('PROVIDERS_UNDECIDED both are away', 'PROVIDERS_UNDECIDED');
        return { kind: 'passed' };
      },
      simulateHandoff: async () => ({ kind: 'simulated', handoffSha256: digest('a') }),
    };
  }

  private finality() {
    return {
      observe: async ({ launchId, before }: ObservePollInput) => {
        if (this.damagedIds.has(launchId))
          throw ApplicationFailure.nonRetryable(`BLOB_CORRUPT ${digest('3')}`, 'BLOB_CORRUPT');
        return included((before?.memory.polls ?? 0) + 1);
      },
      buildFinalizedRecord: async () => ({ recordSha256: digest('f'), signed: UNVERIFIED }),
      finalizedHead: async () => ({ head: null, reason: null }),
      scanStamps: async () => undefined,
      commitCheckpoint: async () => undefined,
    };
  }
}

const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;

/** A signature of no key; the scripted gateway verifies none. */
const UNVERIFIED = { keyId: 'k'.repeat(43), signature: `${'A'.repeat(86)}==` };

/** Returns the result of a poll for a launch that is on chain and whose block is never posted. */
function included(polls: number): ObservePollResult {
  const at = new Date().toISOString();
  const observers = ['a', 'b'].map((id) => ({ id, observedAt: at, responseSha256: digest('5') }));
  const inclusion = {
    blockNumber: '10',
    blockHash: word('6'),
    transactionIndex: 0,
    transactionHash: word('7'),
    receiptStatus: 'success' as const,
    logsSha256: digest('8'),
    observers,
  };
  return {
    memory: {
      stage: 'included',
      polls,
      stageSince: at,
      transactionHash: word('7'),
      inclusion,
      posting: null,
      checkpoint: null,
    },
    observation: { status: 'agreed', reason: null, at },
    estimatedNextStageAt: null,
    basis: null,
    nextPollMs: LOOK_MS,
    evidenceSha256: null,
    findings: [],
    signed: UNVERIFIED,
  };
}

const custody = {
  signPermit: async () => ({ kind: 'signed', permitDigest: word('5'), signature: `0x${'6'.repeat(130)}`, permit: {} }),
  refuseLaunch: async () => ({ kind: 'refused' }),
};

const gateway = {
  ...Object.fromEntries(
    [
      'recordAdmitting',
      'recordAssessment',
      'recordRefused',
      'recordHandoff',
      'recordFailed',
      'recordExpired',
      'recordAwaitingSignature',
      'recordSubmitted',
      'recordFinality',
      'recordFinalized',
      'recordRecovery',
    ].map((name) => [name, async () => undefined]),
  ),
  recoveryTargets: async () => [],
};
