import type { Client } from '@temporalio/client';

/** How long the server keeps a worker's question for work open where there is none: `matching.longPollExpirationInterval`. */
export const LONG_POLL_MS = 60_000;

/** `TASK_QUEUE_TYPE_WORKFLOW` and `TASK_QUEUE_TYPE_ACTIVITY` of Temporal's API. A worker whose activities are all busy polls for workflows. */
const KINDS_OF_TASKS = [1, 2] as const;

/**
 * When a worker last asked for work of a task queue, in milliseconds since 1970 by the server's clock; null where none did
 * in the last five minutes. The server notes the beginning and the end of a question, so a worker without work is noted
 * once in `LONG_POLL_MS`.
 * @param withinMs how long the server may take.
 * @throws ServiceError of the SDK, also where the server did not answer in time.
 */
export async function lastPolled(client: Client, taskQueue: string, withinMs: number): Promise<number | null> {
  const { namespace } = client.options;
  const answers = await client.withDeadline(Date.now() + withinMs, () =>
    Promise.all(
      KINDS_OF_TASKS.map((taskQueueType) =>
        client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType }),
      ),
    ),
  );
  const times = answers
    .flatMap(({ pollers }) => pollers)
    .map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 + (lastAccessTime?.nanos ?? 0) / 1e6);
  return times.length === 0 ? null : Math.max(...times);
}
