import type { Client } from '@temporalio/client';

/** Time for which the server holds a worker's poll open without work: `matching.longPollExpirationInterval`. */
export const LONG_POLL_MS = 60_000;

/**
 * `TASK_QUEUE_TYPE_WORKFLOW`, `TASK_QUEUE_TYPE_ACTIVITY` and `TASK_QUEUE_TYPE_NEXUS` of Temporal's API. A worker with
 * only busy activity slots still polls for workflows; custody polls for operations alone.
 */
const KINDS_OF_TASKS = [1, 2, 3] as const;

/**
 * Returns the time of a worker's last poll of a task queue, in milliseconds since 1970 by the server's clock; null
 * without a poll in the last five minutes. The server records the beginning and the end of a poll, so an idle worker is
 * recorded once per `LONG_POLL_MS`.
 * @param withinMs the server's deadline.
 * @param namespace of the task queue, if it is not the client's.
 * @throws ServiceError of the SDK, also if the server did not respond in time.
 */
export async function lastPolled(
  client: Client,
  taskQueue: string,
  withinMs: number,
  namespace = client.options.namespace,
): Promise<number | null> {
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
