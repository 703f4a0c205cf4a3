import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';

const WITHIN_MS = 60_000;
/** `COMMAND_TYPE_SCHEDULE_NEXUS_OPERATION` of Temporal's API. */
const SCHEDULE_NEXUS_OPERATION = 17;
const json = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

export interface OperationCall {
  readonly endpoint: string;
  readonly service: string;
  readonly operation: string;
  readonly input: unknown;
  readonly header?: Readonly<Record<string, string>>;
}

/**
 * Starts a workflow in a namespace, and takes its first task by hand, as a process with the connection's token can.
 * @returns the task's token.
 */
export async function takeTask(connection: Connection, namespace: string) {
  const taskQueue = { name: `raw-${randomUUID()}` };
  const workflowId = randomUUID();
  const { workflowService } = connection;
  await workflowService.startWorkflowExecution({
    namespace,
    workflowId,
    taskQueue,
    workflowType: { name: 'raw' },
    requestId: randomUUID(),
    identity: 'raw',
  });
  const { taskToken } = await connection.withDeadline(Date.now() + WITHIN_MS, () =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue, identity: 'raw' }),
  );
  return { workflowId, taskToken };
}

/** Answers a task with the command to call an operation. */
export const callFrom = (connection: Connection, namespace: string, taskToken: Uint8Array, call: OperationCall) =>
  connection.workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken,
    identity: 'raw',
    commands: [
      {
        commandType: SCHEDULE_NEXUS_OPERATION,
        scheduleNexusOperationCommandAttributes: {
          endpoint: call.endpoint,
          service: call.service,
          operation: call.operation,
          input: json(call.input),
          scheduleToCloseTimeout: { seconds: 30 as never },
          nexusHeader: { ...call.header },
        },
      },
    ],
  });

/** Waits for the end of the workflow's operation; returns its result, or the innermost type of its failure. */
export async function endOfOperation(connection: Connection, namespace: string, workflowId: string): Promise<unknown> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; await sleep(200)) {
    const { history } = await connection.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId },
    });
    for (const event of history?.events ?? []) {
      const done = event.nexusOperationCompletedEventAttributes;
      if (done) return JSON.parse(Buffer.from(done.result?.data ?? []).toString());
      let failure = event.nexusOperationFailedEventAttributes?.failure ?? undefined;
      if (failure === undefined) continue;
      while (failure.cause) failure = failure.cause;
      return failure.applicationFailureInfo?.type;
    }
  }
  throw new Error('the operation did not end in time');
}
