import { setTimeout as sleep } from 'node:timers/promises';
import {
  isGrpcDeadlineError,
  isGrpcServiceError,
  WorkflowFailedError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import {
  REPLAY_FAILED,
  replayGateWorkflowId,
  WORKFLOW_TYPES,
  type FailedReplay,
  type ReplayReport,
} from '@launch/contracts/orchestration';
import { ANSWERS_WITHIN_MS, ASK_AGAIN_MS, PASSING, refused, type WorkerVersion } from './worker-versions.js';

export interface ReplayGateOptions {
  /** The task queue on which the deployment's workers host workflows. */
  readonly taskQueue: string;
  /** Time for the gate, in milliseconds. */
  readonly withinMs: number;
}

/**
 * Runs the gate of a version on the version's own workers, which replay the recent histories of their task queue.
 * Changes no routing. Its callers first wait for the workers by `awaitVersion`.
 * @throws WorkerVersionError VERSION_REPLAY_FAILED, VERSION_GATE_TIMEOUT, VERSION_GATE_FAILED; ServiceError while the
 * server cannot be reached.
 */
export async function passReplayGate(
  client: Client,
  version: WorkerVersion,
  { taskQueue, withinMs }: ReplayGateOptions,
): Promise<ReplayReport> {
  const until = Date.now() + withinMs;
  const handle = await startGate(client, version, { taskQueue, until });
  try {
    return await client.withDeadline(until, () => handle.result());
  } catch (error) {
    if (error instanceof WorkflowFailedError) throw refusalBy(version, error);
    if (isGrpcDeadlineError(error)) throw tooLate(version, error);
    throw error;
  }
}

async function startGate(
  client: Client,
  version: WorkerVersion,
  { taskQueue, until }: { readonly taskQueue: string; readonly until: number },
): Promise<WorkflowHandle<() => Promise<ReplayReport>>> {
  const { deployment, buildId } = version;
  for (;;) {
    try {
      return await client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
        client.workflow.start<() => Promise<ReplayReport>>(WORKFLOW_TYPES.replayGate, {
          workflowId: replayGateWorkflowId(deployment, buildId),
          taskQueue,
          versioningOverride: { pinnedTo: { deploymentName: deployment, buildId } },
          workflowExecutionTimeout: Math.max(until - Date.now(), 1_000),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: `Replay recent histories before version ${buildId} of ${deployment} becomes current`,
        }),
      );
    } catch (error) {
      // The server may not have registered the version on this queue yet.
      const refusal = answerIn(error);
      if (refusal === null || !PASSING.some((code) => code === refusal.code)) throw error;
      if (Date.now() >= until) throw refused(version, 'VERSION_GATE_FAILED', refusal.message, error);
      await sleep(ASK_AGAIN_MS);
    }
  }
}

/** Returns the server's answer in an error of the SDK; null if it has none. */
function answerIn(error: unknown): { readonly code: number; readonly message: string } | null {
  if (isGrpcServiceError(error)) return error;
  return error instanceof Error && error.cause !== undefined ? answerIn(error.cause) : null;
}

const tooLate = (version: WorkerVersion, cause: unknown): Error =>
  refused(version, 'VERSION_GATE_TIMEOUT', 'its gate did not end in time; is a worker of it overloaded?', cause);

function refusalBy(version: WorkerVersion, failed: WorkflowFailedError): Error {
  const { cause } = failed;
  if (cause instanceof TimeoutFailure) return tooLate(version, failed);
  if (cause instanceof ApplicationFailure && cause.type === REPLAY_FAILED) {
    const report = cause.details?.[0] as ReplayReport | undefined;
    const named = (report?.failures ?? []).map(lineOf);
    const more = (report?.failed ?? 0) - named.length;
    const lines = [`${cause.message}:`, ...named, ...(more > 0 ? [`    and ${more} more`] : [])];
    return refused(version, 'VERSION_REPLAY_FAILED', lines.join('\n'), failed);
  }
  return refused(version, 'VERSION_GATE_FAILED', reasonOf(cause ?? failed), failed);
}

const lineOf = ({ workflowType, workflowId, runId, reason }: FailedReplay): string =>
  `    ${workflowType} ${workflowId} (run ${runId}): ${reason.replaceAll(/\s+/g, ' ')}`;

/** Returns the innermost message: that of a failed step. */
const reasonOf = (error: Error): string => (error.cause instanceof Error ? reasonOf(error.cause) : error.message);
