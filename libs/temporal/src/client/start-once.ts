import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Priority, TypedSearchAttributes } from '@temporalio/common';

export interface StartOnceOptions {
  workflowType: string;
  workflowId: string;
  taskQueue: string;
  args: unknown[];
  searchAttributes?: TypedSearchAttributes;
  memo?: Record<string, unknown>;
  /** Priority of the workflow's tasks and of those activities in their queues that have none of their own. */
  priority?: Priority;
  /** One line that the Temporal UI shows next to the workflow's type, at most 400 bytes. */
  staticSummary?: string;
  /** Markdown that the Temporal UI shows with the workflow, at most 20,000 bytes. */
  staticDetails?: string;
  /** Whether to start another run after a completed one; default false. */
  evenIfCompleted?: boolean;
}

/**
 * Starts a workflow unless a run with its id is open or has completed. Follows only a run that failed, timed out or was
 * terminated. The database records unfinished work, so a relay may call this any number of times.
 */
export async function startOnce(client: Client, options: StartOnceOptions): Promise<'started' | 'already-started'> {
  const { workflowType, searchAttributes, evenIfCompleted = false, ...rest } = options;
  try {
    await client.workflow.start(workflowType, {
      ...rest,
      ...(searchAttributes === undefined ? {} : { typedSearchAttributes: searchAttributes }),
      workflowIdReusePolicy: evenIfCompleted ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'FAIL',
    });
    return 'started';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already-started';
    throw error;
  }
}
