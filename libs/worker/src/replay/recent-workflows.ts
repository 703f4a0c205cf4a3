import type { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/common';
import { WORKFLOW_TYPES } from '@launch/contracts/orchestration';

/** The client of an activity's worker: it has the token and the payload keys of the service. */
export type WorkerClient = Context['client'];
export type History = Awaited<ReturnType<ReturnType<WorkerClient['workflow']['getHandle']>['fetchHistory']>>;

export interface RecentWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
}

const MAX_TYPES = 50;
const ANSWERS_WITHIN_MS = 10_000;
const OPEN = "ExecutionStatus = 'Running'";
const CLOSED = "ExecutionStatus != 'Running'";

/** Quotes a value for the server's list filter. A workflow type is chosen by its starter. */
const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * Returns the most recent open and closed workflows of each type of a task queue, up to `perType` of both: first the
 * most recent of every type, so that a frequent type does not use up a budget before a rare one. Excludes gates.
 */
export async function recentWorkflows(
  client: WorkerClient,
  taskQueue: string,
  perType: number,
): Promise<readonly RecentWorkflow[]> {
  const onQueue = `TaskQueue = ${quoted(taskQueue)}`;
  const lists: (readonly RecentWorkflow[])[] = [];
  const known: string[] = [WORKFLOW_TYPES.replayGate];
  while (lists.length < 2 * MAX_TYPES) {
    const others = known.map((type) => ` AND WorkflowType != ${quoted(type)}`).join('');
    const [next] = await list(client, onQueue + others, 1);
    if (next === undefined) break;
    known.push(next.workflowType);
    const ofType = `${onQueue} AND WorkflowType = ${quoted(next.workflowType)}`;
    for (const state of [OPEN, CLOSED]) lists.push(await list(client, `${ofType} AND ${state}`, perType));
  }
  const ranks = Array.from({ length: perType }, (_, rank) => rank);
  return ranks.flatMap((rank) => lists.flatMap((one) => one.slice(rank, rank + 1)));
}

async function list(client: WorkerClient, query: string, pageSize: number): Promise<readonly RecentWorkflow[]> {
  const { namespace } = client.options;
  const { executions } = await client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
    client.workflowService.listWorkflowExecutions({ namespace, query, pageSize }),
  );
  return executions.map(({ execution, type }) => ({
    workflowId: execution?.workflowId ?? '',
    runId: execution?.runId ?? '',
    workflowType: type?.name ?? '',
  }));
}

/**
 * Reads the history of a run.
 * @returns `too-large` beyond `maxBytes`, without reading it; null if the server has deleted the run since.
 */
export async function historyOf(
  client: WorkerClient,
  { workflowId, runId }: RecentWorkflow,
  maxBytes: number,
): Promise<{ readonly history: History; readonly bytes: number } | 'too-large' | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const answered = <T>(ask: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, ask);
  try {
    const { historySize: bytes = 0 } = await answered(() => handle.describe());
    if (bytes > maxBytes) return 'too-large';
    return { history: await answered(() => handle.fetchHistory()), bytes };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
