import { hostname } from 'node:os';
import { connectionOptions, dataConverterOf, type PayloadNamespace, type TemporalTarget } from '@launch/temporal';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import type { ServiceHandler } from 'nexus-rpc';
import type { WorkflowBundle } from '../bundle/bundle-workflows.js';
import type { WorkflowBundleFile } from '../bundle/built-bundle.js';
import { replayGateActivities } from '../replay/replay-histories.js';
import { TRACING } from '../tracing/activity-trace.js';
import type { Versioning } from './versioning.js';
import { BEHAVIOURS } from './versioning.js';

export interface ServiceWorkerOptions extends PayloadNamespace {
  /** From `connectWorkers`; its owner closes it after the worker has stopped. */
  connection: NativeConnection;
  taskQueue: string;
  /** Name of the service; with host and process id it is the worker's identity. */
  service: string;
  /** Activities by name; absent for a queue of workflows or operations only. */
  activities?: object;
  /** A Nexus service; its calls have the slots of activities. */
  operations?: ServiceHandler;
  /** Workflows that this worker hosts; absent for activities only. */
  workflowBundle?: WorkflowBundle | WorkflowBundleFile;
  /** Only for a worker that hosts workflows; default off. A versioned worker also replays histories for its gate. */
  versioning?: Versioning;
  /** Workflows kept in memory, default 100. */
  maxCachedWorkflows?: number;
  /** The most concurrent activities, default 8. */
  maxConcurrentActivities?: number;
  /** The most concurrent workflow tasks, default 16. */
  maxConcurrentWorkflowTasks?: number;
  /** Milliseconds in which running activities may end after shutdown began, default 15,000. */
  shutdownGraceMs?: number;
}

export interface ServiceWorker {
  /** Polls until `shutdown`; rejects if the worker fails. `main` awaits it: a failed worker ends its process. */
  run(): Promise<void>;
  /** Accepts no more tasks, lets running ones end, and resolves when `run` has. Safe to repeat. */
  shutdown(): Promise<void>;
  /** Rejects unless the worker polls: a readiness check. */
  check(): Promise<void>;
  identity: string;
}

/** Opens the connection through which workers poll: one per process, shared by its workers. */
export async function connectWorkers(target: TemporalTarget): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(target));
}

const HEARTBEAT_EVERY_MS = 2_000;
const MAX_POLLS = 10;

/** Creates a worker on one task queue, with bounded memory and concurrency. */
export async function createServiceWorker(options: ServiceWorkerOptions): Promise<ServiceWorker> {
  const identity = `${options.service}@${hostname()}:${process.pid}`;
  const { workflowBundle, versioning } = options;
  const versioned = workflowBundle !== undefined && versioning !== undefined && versioning.mode !== 'off';
  const activities = options.maxConcurrentActivities ?? 8;
  const dataConverter = dataConverterOf(options);
  const hosted =
    workflowBundle === undefined
      ? undefined
      : 'code' in workflowBundle
        ? { code: workflowBundle.code }
        : { codePath: workflowBundle.codePath };
  const functions = {
    ...options.activities,
    ...(versioned && hosted !== undefined
      ? replayGateActivities({
          taskQueue: options.taskQueue,
          buildId: workflowBundle.buildId,
          replay: { workflowBundle: hosted, dataConverter, workflowThreadPoolSize: 1, ...TRACING },
        })
      : {}),
  };
  const workerOptions: WorkerOptions = {
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: options.taskQueue,
    identity,
    dataConverter,
    ...(Object.keys(functions).length === 0 ? {} : { activities: functions }),
    ...(options.operations === undefined
      ? {}
      : {
          nexusServices: [options.operations],
          maxConcurrentNexusTaskExecutions: activities,
          maxConcurrentNexusTaskPolls: Math.min(MAX_POLLS, Math.ceil(activities / 2)),
        }),
    maxConcurrentActivityTaskExecutions: activities,
    // A poll holds a slot while it waits; the other half is for activities that the server hands directly to the worker
    // that scheduled them.
    maxConcurrentActivityTaskPolls: Math.min(MAX_POLLS, Math.ceil(activities / 2)),
    ...(hosted === undefined
      ? {}
      : {
          workflowBundle: hosted,
          maxCachedWorkflows: options.maxCachedWorkflows ?? 100,
          maxConcurrentWorkflowTaskExecutions: options.maxConcurrentWorkflowTasks ?? 16,
          workflowThreadPoolSize: 1,
        }),
    // By default the SDK throttles heartbeats almost to the timeout; operators read a step's progress in them.
    maxHeartbeatThrottleInterval: HEARTBEAT_EVERY_MS,
    shutdownGraceTime: options.shutdownGraceMs ?? 15_000,
    ...(versioned && versioning.mode !== 'off'
      ? {
          workerDeploymentOptions: {
            useWorkerVersioning: true,
            version: { deploymentName: versioning.deployment, buildId: workflowBundle.buildId },
            defaultVersioningBehavior: BEHAVIOURS[versioning.mode],
          },
        }
      : {}),
  };
  const worker = await Worker.create({ ...workerOptions, ...TRACING });
  let running: Promise<void> | undefined;

  return {
    identity,
    run: () => (running ??= worker.run()),
    async shutdown() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      // The caller that awaits `run` handles its failure.
      await running?.catch(() => undefined);
    },
    async check() {
      if (worker.getState() !== 'RUNNING') throw new Error(`the worker is ${worker.getState()}`);
    },
  };
}
