import { WorkflowNotFoundError, type Client } from '@temporalio/client';

/**
 * Terminates the open run of a workflow.
 * @returns false where none is open.
 * @throws ServiceError while the server cannot be reached.
 */
export async function endRun(client: Client, workflowId: string, reason: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).terminate(reason);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
