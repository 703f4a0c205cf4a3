import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { LONG_POLL_MS } from './pollers.js';
import { WorkerVersionError, type WorkerVersionErrorCode } from './worker-version.error.js';

/** One version of a deployment's workers, as Worker Versioning names it. */
export interface WorkerVersion {
  /** Name of the deployment: the service. */
  readonly deployment: string;
  /** Build id of its workflow bundle. */
  readonly buildId: string;
}

export interface KnownVersion {
  readonly buildId: string;
  /** `current`, `inactive` (never current), `draining`, `drained`, `ramping`, or `created`. */
  readonly status: string;
}

/** A deployment as the server knows it. */
export interface WorkerDeployment {
  readonly deployment: string;
  /** The version that gets new workflows and upgrading ones; null before the first promotion. */
  readonly current: string | null;
  readonly versions: readonly KnownVersion[];
}

export interface Promotion extends WorkerVersion {
  /** The version that was current before; null for none. */
  readonly previous: string | null;
  /** False if the version was current already. */
  readonly changed: boolean;
}

export interface PromotionOptions {
  /** The task queue on which the deployment's workers host workflows. */
  readonly taskQueue: string;
  /** Time to wait for a poll by a worker of the version, in milliseconds. */
  readonly withinMs: number;
}

export const ASK_AGAIN_MS = 200;
export const ANSWERS_WITHIN_MS = 10_000;
/**
 * The age of the last poll up to which a worker counts as polling: an idle worker polls once per `LONG_POLL_MS`; the
 * rest covers latency and clock skew.
 */
const POLLED_WITHIN_MS = LONG_POLL_MS + 10_000;
/** `TASK_QUEUE_TYPE_WORKFLOW` of Temporal's API. */
const WORKFLOW_TASKS = 1;
/** Names of `WorkerDeploymentVersionStatus`, indexed by number. */
const STATUSES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'] as const;
/** Transient refusals: the deployment is being registered, or another command is changing it. */
export const PASSING = [
  status.NOT_FOUND,
  status.FAILED_PRECONDITION,
  status.ABORTED,
  status.RESOURCE_EXHAUSTED,
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
] as const;

/**
 * Reads a deployment from the server.
 * @returns null if no versioned worker of it has ever polled.
 * @throws ServiceError while the server cannot be reached.
 */
export async function readWorkerDeployment(client: Client, deployment: string): Promise<WorkerDeployment | null> {
  const found = await describeDeployment(client, deployment);
  if (found === null) return null;
  return { deployment, current: found.current, versions: found.versions };
}

/**
 * Waits until a version can become current: the server learns of it from a worker's poll.
 * @throws WorkerVersionError if no worker of the version polls in time; ServiceError while the server cannot be
 * reached.
 */
export async function awaitVersion(
  client: Client,
  version: WorkerVersion,
  { taskQueue, withinMs }: PromotionOptions,
): Promise<void> {
  for (const until = Date.now() + withinMs; ; await sleep(ASK_AGAIN_MS)) {
    const obstacle = await obstacleTo(client, version, taskQueue);
    if (obstacle === null) return;
    if (Date.now() >= until) throw refused(version, ...obstacle);
  }
}

/**
 * Makes a version current: the server routes new workflows of its deployment to it, and moves open auto-upgrading ones.
 * Waits for the version's workers, and changes nothing if the version is current already.
 * @throws WorkerVersionError if no worker of the version polls in time, or if the server refuses; ServiceError
 * otherwise.
 */
export async function promoteVersion(
  client: Client,
  version: WorkerVersion,
  options: PromotionOptions,
): Promise<Promotion> {
  const { deployment, buildId } = version;
  for (const until = Date.now() + options.withinMs; ; await sleep(ASK_AGAIN_MS)) {
    await awaitVersion(client, version, { ...options, withinMs: Math.max(until - Date.now(), 0) });
    const found = await describeDeployment(client, deployment);
    if (found?.current === buildId) return { ...version, previous: buildId, changed: false };
    const refusal = await setCurrent(client, version, found?.conflictToken);
    if (refusal === null) return { ...version, previous: found?.current ?? null, changed: true };
    if (Date.now() >= until) throw refused(version, 'VERSION_REFUSED', refusal.message, refusal);
  }
}

export const refused = (
  { deployment, buildId }: WorkerVersion,
  code: WorkerVersionErrorCode,
  why: string,
  cause?: unknown,
): WorkerVersionError =>
  new WorkerVersionError(code, `version ${buildId} of ${deployment} was not promoted: ${why}`, { cause });

/** Returns the reason why a version cannot become current at present, or null if it can. */
async function obstacleTo(
  client: Client,
  { deployment, buildId }: WorkerVersion,
  taskQueue: string,
): Promise<readonly [WorkerVersionErrorCode, string] | null> {
  const { namespace } = client.options;
  const [known, polled] = await Promise.all([
    foundOrNull(client, () =>
      client.workflowService.describeWorkerDeploymentVersion({
        namespace,
        deploymentVersion: { deploymentName: deployment, buildId },
      }),
    ),
    client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
      client.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: WORKFLOW_TASKS,
      }),
    ),
  ]);
  const kinds = (known?.versionTaskQueues ?? []).filter(({ name }) => name === taskQueue).map(({ type }) => type);
  if (known === null || !kinds.includes(WORKFLOW_TASKS))
    return ['VERSION_UNKNOWN', `no worker of it has polled ${taskQueue}; start its workers first`];
  const oldest = Date.now() - POLLED_WITHIN_MS;
  const isPolled = polled.pollers.some(
    ({ deploymentOptions, lastAccessTime }) =>
      deploymentOptions?.deploymentName === deployment &&
      deploymentOptions.buildId === buildId &&
      Number(lastAccessTime?.seconds ?? 0) * 1_000 >= oldest,
  );
  return isPolled
    ? null
    : ['VERSION_NOT_POLLING', `no worker of it polls ${taskQueue} any more; start its workers again first`];
}

/** @returns the server's refusal if it may be transient; null once the version is current. */
async function setCurrent(
  client: Client,
  { deployment, buildId }: WorkerVersion,
  conflictToken: Uint8Array | undefined,
): Promise<Error | null> {
  try {
    await client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
      client.workflowService.setWorkerDeploymentCurrentVersion({
        namespace: client.options.namespace,
        deploymentName: deployment,
        buildId,
        ...(conflictToken === undefined ? {} : { conflictToken }),
        identity: `${hostname()}:${process.pid}`,
      }),
    );
    return null;
  } catch (error) {
    if (isGrpcServiceError(error) && PASSING.some((code) => code === error.code)) return error;
    throw error;
  }
}

async function describeDeployment(client: Client, deployment: string) {
  const { namespace } = client.options;
  const answer = await foundOrNull(client, () =>
    client.workflowService.describeWorkerDeployment({ namespace, deploymentName: deployment }),
  );
  if (answer === null) return null;
  const { routingConfig, versionSummaries } = answer.workerDeploymentInfo ?? {};
  return {
    conflictToken: answer.conflictToken,
    current: routingConfig?.currentDeploymentVersion?.buildId || null,
    versions: (versionSummaries ?? []).map(({ deploymentVersion, status: number }) => ({
      buildId: deploymentVersion?.buildId ?? '',
      status: STATUSES[number ?? 0] ?? 'unknown',
    })),
  };
}

/** Returns a response within its deadline; null for NOT_FOUND. */
async function foundOrNull<T>(client: Client, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, ask);
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === status.NOT_FOUND) return null;
    throw error;
  }
}
