import { hostname } from 'node:os';
import { connectionOptions, dataConverter, type TemporalTarget } from '@launch/temporal';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import type { WorkflowBundle } from '../bundle/bundle-workflows.js';
import type { WorkflowBundleFile } from '../bundle/built-bundle.js';
import type { Versioning } from './versioning.js';
import { BEHAVIOURS } from './versioning.js';

export interface ServiceWorkerOptions {
  /** From `connectWorkers`; closed by its owner, after the worker has stopped. */
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** Name of the service; with host and process id it is the worker's identity. */
  service: string;
  /** Activities by name; absent for a queue of workflows alone. */
  activities?: object;
  /** Workflows this worker hosts; absent for activities alone. */
  workflowBundle?: WorkflowBundle | WorkflowBundleFile;
  /** Only for a worker that hosts workflows; default off. */
  versioning?: Versioning;
  /** Workflows kept in memory, default 100. */
  maxCachedWorkflows?: number;
  /** Activities at once, default 8. */
  maxConcurrentActivities?: number;
  /** Workflow tasks at once, default 16. */
  maxConcurrentWorkflowTasks?: number;
  /** Milliseconds running activities get to end once shutdown began, default 15,000. */
  shutdownGraceMs?: number;
}

export interface ServiceWorker {
  /** Polls until `shutdown`; rejects when the worker fails. `main` awaits it: a dead worker ends its process. */
  run(): Promise<void>;
  /** Takes no more tasks, lets running ones end, and resolves when `run` has. Safe to repeat. */
  shutdown(): Promise<void>;
  /** Rejects unless the worker polls: a readiness check. */
  check(): Promise<void>;
  identity: string;
}

/** The connection a worker polls through; one a process, shared by its workers. */
export async function connectWorkers(target: TemporalTarget): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(target));
}

const HEARTBEAT_EVERY_MS = 2_000;
const MAX_POLLS = 10;

/** A worker on one task queue, with bounded memory and concurrency. */
export async function createServiceWorker(options: ServiceWorkerOptions): Promise<ServiceWorker> {
  const identity = `${options.service}@${hostname()}:${process.pid}`;
  const { workflowBundle, versioning } = options;
  const versioned = workflowBundle !== undefined && versioning !== undefined && versioning.mode !== 'off';
  const activities = options.maxConcurrentActivities ?? 8;
  const workerOptions: WorkerOptions = {
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: options.taskQueue,
    identity,
    dataConverter,
    ...(options.activities === undefined ? {} : { activities: options.activities }),
    maxConcurrentActivityTaskExecutions: activities,
    // A poll holds a slot while it waits; the other half is for activities that the server hands to the worker that asked for them.
    maxConcurrentActivityTaskPolls: Math.min(MAX_POLLS, Math.ceil(activities / 2)),
    ...(workflowBundle === undefined
      ? {}
      : {
          workflowBundle:
            'code' in workflowBundle ? { code: workflowBundle.code } : { codePath: workflowBundle.codePath },
          maxCachedWorkflows: options.maxCachedWorkflows ?? 100,
          maxConcurrentWorkflowTaskExecutions: options.maxConcurrentWorkflowTasks ?? 16,
          workflowThreadPoolSize: 1,
        }),
    // The SDK holds heartbeats back by default until a step is nearly missed; an operator reads in them where it is.
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
  const worker = await Worker.create(workerOptions);
  let running: Promise<void> | undefined;

  return {
    identity,
    run: () => (running ??= worker.run()),
    async shutdown() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      // A failure of `run` belongs to whoever awaits it.
      await running?.catch(() => undefined);
    },
    async check() {
      if (worker.getState() !== 'RUNNING') throw new Error(`the worker is ${worker.getState()}`);
    },
  };
}
