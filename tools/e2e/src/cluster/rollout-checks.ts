import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '../deployed/run-program.js';
import { severalAtOnce } from '../deployed/several-at-once.js';
import type { Stack } from '@launch/start';
import type { Kubectl } from './kubectl.js';

/** The server marks a version as drained some minutes after its last workflow has ended. */
const DRAINED_WITHIN_MS = 900_000;
const PAUSE_MS = 2_000;
const ANSWERED_WITHIN_MS = 120_000;
const TOO_MANY = 429;
/** Causes of a failed workflow task that a change of the workflow code can have. */
const BROKEN = [
  'WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR',
  'WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE',
];
const AT_ONCE = 8;

interface Page {
  readonly nextPageToken?: string | null;
}

interface Execution {
  readonly execution: { readonly workflowId: string; readonly runId: string };
}

interface ExecutionPage extends Page {
  readonly executions?: readonly Execution[];
}

interface HistoryPage extends Page {
  readonly history: {
    readonly events?: readonly { readonly workflowTaskFailedEventAttributes?: { readonly cause: string } }[];
  };
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

/** Asks the API of the Temporal UI, which takes few requests a second. */
async function answer<T>(url: URL): Promise<T> {
  for (const until = Date.now() + ANSWERED_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const response = await fetch(url);
    if (response.ok) return (await response.json()) as T;
    if (response.status !== TOO_MANY || Date.now() > until)
      throw new Error(`${url.pathname} answers ${response.status} ${await response.text()}`);
  }
}

/** Reads every page of an answer. */
async function* pages<T extends Page>(url: URL): AsyncGenerator<T> {
  for (let more = true; more;) {
    const page = await answer<T>(url);
    yield page;
    more = Boolean(page.nextPageToken);
    if (page.nextPageToken) url.searchParams.set('nextPageToken', page.nextPageToken);
  }
}

/** Reads the histories of launches, and returns the ids of workflows that a worker could not replay or continue. */
export async function brokenWorkflows(temporalUi: string, launchIds: readonly string[]): Promise<readonly string[]> {
  const workflows = '/api/v1/namespaces/launches/workflows';
  const list = new URL(workflows, temporalUi);
  list.searchParams.set('query', "WorkflowType IN ('admitLaunch', 'observeLaunch')");
  const wanted = new Set(launchIds.flatMap((launchId) => [`admit/${launchId}`, `observe/${launchId}`]));
  const runs: Execution['execution'][] = [];
  for await (const { executions = [] } of pages<ExecutionPage>(list))
    runs.push(...executions.map(({ execution }) => execution).filter(({ workflowId }) => wanted.has(workflowId)));
  const missing = [...wanted].filter((id) => !runs.some(({ workflowId }) => workflowId === id));
  if (missing.length > 0) throw new Error(`workflows are missing: ${missing.slice(0, 5).join(', ')}`);
  const found: string[] = [];
  await severalAtOnce(runs, AT_ONCE, async ({ workflowId, runId }) => {
    const url = new URL(`${workflows}/${encodeURIComponent(workflowId)}/history`, temporalUi);
    url.searchParams.set('execution.runId', runId);
    for await (const { history } of pages<HistoryPage>(url))
      for (const { workflowTaskFailedEventAttributes: failed } of history.events ?? [])
        if (failed !== undefined && BROKEN.includes(failed.cause)) found.push(`${workflowId} ${failed.cause}`);
  });
  return found;
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
