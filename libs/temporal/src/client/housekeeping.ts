import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import {
  HOUSEKEEPING_DIVISION,
  PAUSE_MEMO,
  PREDEFINED_SEARCH_ATTRIBUTES,
  type HousekeepingInput,
  type HousekeepingPause,
} from '@launch/contracts/orchestration';

/** A workflow that repeats the same work until an operator stops it permanently. */
export interface HousekeepingWorkflow {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly taskQueue: string;
  /** One line, shown in the Temporal UI's lists. */
  readonly summary: string;
  /** Markdown, shown on a run's page. */
  readonly details: string;
}

export interface HousekeepingState {
  /** Name of the run's status: `RUNNING`, `TERMINATED`, and so on. */
  readonly status: string;
  /** The pause that the last run recorded; null while the work continues. */
  readonly pause: HousekeepingPause | null;
}

const DIVISION = new TypedSearchAttributes([
  { key: defineSearchAttributeKey(PREDEFINED_SEARCH_ATTRIBUTES.division, 'KEYWORD'), value: HOUSEKEEPING_DIVISION },
]);
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Reads the state of the last run of a housekeeping task.
 * @returns null if none was ever started.
 * @throws ServiceError while the server cannot be reached.
 */
export async function readHousekeeping(client: Client, workflowId: string): Promise<HousekeepingState | null> {
  try {
    const { status, memo } = await client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    return { status: status.name, pause: pauseIn(memo) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/**
 * Starts a housekeeping task unless it runs; any number of processes may call this concurrently. A task that an
 * operator paused stays paused, even if its run has ended since.
 * @returns the state before.
 * @throws ServiceError while the server cannot be reached.
 */
export async function startHousekeeping(
  client: Client,
  { workflowType, workflowId, taskQueue, summary, details }: HousekeepingWorkflow,
): Promise<HousekeepingState | null> {
  const found = await readHousekeeping(client, workflowId);
  if (found?.status === 'RUNNING') return found;
  const input: HousekeepingInput = { pause: found?.pause ?? null };
  try {
    await client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
      client.workflow.start(workflowType, {
        workflowId,
        taskQueue,
        args: [input],
        ...(input.pause === null ? {} : { memo: { [PAUSE_MEMO]: input.pause } }),
        typedSearchAttributes: DIVISION,
        staticSummary: summary,
        staticDetails: details,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
      }),
    );
  } catch (error) {
    // Another process started it first.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return found;
}

/** Reads the pause from a memo. A member of the same name by another workflow is not a pause. */
function pauseIn(memo: Readonly<Record<string, unknown>> | undefined): HousekeepingPause | null {
  const found = memo?.[PAUSE_MEMO];
  if (typeof found !== 'object' || found === null || !('reason' in found) || !('since' in found)) return null;
  const { reason, since } = found;
  return typeof reason === 'string' && typeof since === 'string' ? { reason, since } : null;
}
