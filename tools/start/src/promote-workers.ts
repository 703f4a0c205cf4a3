import path from 'node:path';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { connectTemporal, promoteVersion, type TemporalTarget } from '@launch/temporal';
import { loadWorkflowBundle } from '@launch/worker/built';
import { runTool, ToolError } from './reference-launch/run-tool.js';
import type { ServiceName } from './services.js';

/** Services whose workers host workflows: each is a deployment of its name. */
const HOSTS = {
  'admission-worker': { bundle: 'admission', taskQueue: TASK_QUEUES.admission },
  'finality-worker': { bundle: 'finality', taskQueue: TASK_QUEUES.finality },
  'module-review': { bundle: 'module-review', taskQueue: TASK_QUEUES.moduleReview },
  indexer: { bundle: 'indexer', taskQueue: TASK_QUEUES.indexer },
} as const satisfies Partial<Record<ServiceName, object>>;
type WorkflowHost = keyof typeof HOSTS;

const WORKFLOWS = path.resolve(import.meta.dirname, '../../../libs/workflows/src');
const WITHIN_MS = 60_000;

/**
 * Makes the versions of a stack's workers current, with the operator's own command: no worker does that by itself.
 * @param services Those that the stack has; all their workers are up.
 * @throws ToolError when a version is not promoted.
 */
export async function promoteWorkers(adminCommand: readonly string[], services: readonly ServiceName[]): Promise<void> {
  const named = Object.keys(HOSTS).filter((name) => services.some((service) => service === name));
  if (named.length === 0) return;
  const options = named.flatMap((name) => ['--deployment', name]);
  const promoted = await runTool([...adminCommand, 'workers', 'promote', ...options]);
  if (promoted.exitCode !== 0) throw new ToolError('launch-admin', promoted);
}

/** Makes the built version of one service's worker current, for a process that runs outside a stack. */
export async function promoteWorker(target: TemporalTarget, deployment: WorkflowHost): Promise<void> {
  const { bundle, taskQueue } = HOSTS[deployment];
  const { buildId } = await loadWorkflowBundle(path.join(WORKFLOWS, `${bundle}.bundle.ts`));
  const temporal = await connectTemporal(target);
  try {
    await promoteVersion(temporal.client, { deployment, buildId }, { taskQueue, withinMs: WITHIN_MS });
  } finally {
    await temporal.close();
  }
}
