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
  /** Priority of the workflow's tasks and, where they have none of their own, of its activities' in their queues. */
  priority?: Priority;
  /** One line that the Temporal UI shows beside the workflow's type, at most 400 bytes. */
  staticSummary?: string;
  /** Markdown that the Temporal UI shows with the workflow, at most 20,000 bytes. */
  staticDetails?: string;
  /** Start another run after one that completed, too; default false. */
  evenIfCompleted?: boolean;
}

/**
 * Starts a workflow unless one with its id runs or has completed. Only a run that failed, timed out or was terminated
 * is followed by another. The database says what is unfinished, so a relay may call this as often as it likes.
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
