import { admitWorkflowId } from '@launch/contracts/orchestration';
import type { TemporalClient } from '@launch/temporal';
import { workflowTimes, type WorkflowTimes } from './activity-times.js';

const START_WAIT_MS = 10;

/** Waits for a launch's hand-off and gives its admission's times. @throws Error for any other end of its admission. */
export async function admitted(temporal: TemporalClient, launchId: string): Promise<WorkflowTimes> {
  const handle = temporal.client.workflow.getHandle(admitWorkflowId(launchId));
  for (;;) {
    try {
      const outcome = (await handle.result()) as unknown;
      if (outcome !== 'authorized') throw new Error(`the launch is ${String(outcome)}`);
      break;
    } catch (error) {
      // The gateway answers as soon as the row is committed; the workflow starts a moment later.
      if ((error as Error).name !== 'WorkflowNotFoundError') throw error;
      await new Promise((resolve) => setTimeout(resolve, START_WAIT_MS));
    }
  }
  const { events } = await handle.fetchHistory();
  return workflowTimes(events ?? []);
}
