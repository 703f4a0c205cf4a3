import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '../deployed/run-program.js';
import { severalAtOnce } from '../deployed/several-at-once.js';
import type { Stack } from '@launch/start';
import type { Kubectl } from './kubectl.js';

/** The server marks a version as drained some minutes after its last workflow has ended. */
const DRAINED_WITHIN_MS = 900_000;
const PAUSE_MS = 5_000;
/** Causes of a failed workflow task that a change of the workflow code can have. */
const BROKEN = [
  'WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR',
  'WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE',
];
const AT_ONCE = 8;

interface Execution {
  readonly execution: { readonly workflowId: string; readonly runId: string };
}

interface HistoryPage {
  readonly history: {
    readonly events?: readonly { readonly workflowTaskFailedEventAttributes?: { readonly cause: string } }[];
  };
  readonly nextPageToken?: string | null;
}

interface Deployments {
  readonly deployments: readonly {
    readonly deployment: string;
    readonly current: string | null;
    readonly versions: readonly { readonly buildId: string; readonly status: string }[];
  }[];
}

/** Returns the number of permits that custody has signed. */
export async function signedPermits(kubectl: Kubectl): Promise<number> {
  const psql = ['psql', '--username=postgres', '--dbname=launch_custody', '--tuples-only', '--no-align'];
  const exec = ['-n', 'custody-postgres', 'exec', 'deployment/custody-postgres', '-c', 'postgres', '--'];
  return Number(await kubectl.run(...exec, ...psql, '--command=SELECT count(*) FROM permit_signature'));
}

async function answer<T>(url: URL): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname} answers ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Reads the histories of launches, and returns the ids of workflows that a worker could not replay or continue. */
export async function brokenWorkflows(temporalUi: string, launchIds: readonly string[]): Promise<readonly string[]> {
  const workflows = '/api/v1/namespaces/launches/workflows';
  const broken = async (launchId: string): Promise<string[]> => {
    const list = new URL(workflows, temporalUi);
    list.searchParams.set('query', `LaunchId = '${launchId}'`);
    const { executions = [] } = await answer<{ executions?: readonly Execution[] }>(list);
    if (executions.length < 2) throw new Error(`launch ${launchId} has ${executions.length} workflows`);
    const found: string[] = [];
    for (const { execution } of executions) {
      const page = new URL(`${workflows}/${encodeURIComponent(execution.workflowId)}/history`, temporalUi);
      page.searchParams.set('execution.runId', execution.runId);
      for (let more = true; more;) {
        const { history, nextPageToken }: HistoryPage = await answer<HistoryPage>(page);
        for (const { workflowTaskFailedEventAttributes: failed } of history.events ?? [])
          if (failed !== undefined && BROKEN.includes(failed.cause))
            found.push(`${execution.workflowId} ${failed.cause}`);
        more = Boolean(nextPageToken);
        if (nextPageToken) page.searchParams.set('nextPageToken', nextPageToken);
      }
    }
    return found;
  };
  return (await severalAtOnce(launchIds, AT_ONCE, broken)).flat();
}

/** Waits until one version of each deployment is current and the others are drained. @throws Error after some minutes. */
export async function awaitDrained({ adminCommand, dataDir }: Stack): Promise<Deployments['deployments']> {
  for (const until = Date.now() + DRAINED_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const listed = await runProgram([...adminCommand, 'workers', 'list', '--json'], { cwd: dataDir });
    const { deployments } = JSON.parse(listed) as Deployments;
    const left = deployments.flatMap(({ deployment, versions }) =>
      versions
        .filter(({ status }) => !['current', 'drained'].includes(status))
        .map(({ buildId, status }) => `${deployment} ${buildId} ${status}`),
    );
    if (left.length === 0) return deployments;
    if (Date.now() > until) throw new Error(`versions are left: ${left.join(', ')}`);
  }
}
