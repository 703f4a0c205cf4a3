import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import {
  HOUSEKEEPING_DIVISION,
  PAUSE_MEMO,
  PREDEFINED_SEARCH_ATTRIBUTES,
  type HousekeepingInput,
  type HousekeepingPause,
} from '@launch/contracts/orchestration';

/** A workflow that does the same work again and again until it is stopped for good. */
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
  /** As the last run showed it; null while the work goes on. */
  readonly pause: HousekeepingPause | null;
}

const DIVISION = new TypedSearchAttributes([
  { key: defineSearchAttributeKey(PREDEFINED_SEARCH_ATTRIBUTES.division, 'KEYWORD'), value: HOUSEKEEPING_DIVISION },
]);
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Reads the state of the last run of a housekeeping task.
 * @returns null where none was ever started.
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
 * Starts a task of housekeeping unless it runs; any number of processes may do so at once. A task that an operator paused
 * stays paused, also where its run was ended since.
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
    // Another process was there first.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return found;
}

/** A memo is what a workflow wrote; another's member of the name is no pause. */
function pauseIn(memo: Readonly<Record<string, unknown>> | undefined): HousekeepingPause | null {
  const found = memo?.[PAUSE_MEMO];
  if (typeof found !== 'object' || found === null || !('reason' in found) || !('since' in found)) return null;
  const { reason, since } = found;
  return typeof reason === 'string' && typeof since === 'string' ? { reason, since } : null;
}
