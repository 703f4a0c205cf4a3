import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { loadWorkflowBundle } from '@launch/worker/built';
import type { WorkerDeploymentName } from './worker.command.js';

/** A family of work with workflows. */
export type ReleasedFamily = 'launches' | 'modules';

/** A deployment of workers that host workflows, as in this release. */
interface ReleasedWorker {
  /** The family of work whose namespace the deployment is in. */
  readonly family: ReleasedFamily;
  readonly taskQueue: string;
  /** @returns the build id of the workflow bundle that was built with this release. */
  readonly buildId: () => Promise<string>;
}

const released = (taskQueue: string, entry: () => string, family: ReleasedFamily = 'launches'): ReleasedWorker => ({
  family,
  taskQueue,
  buildId: async () => (await loadWorkflowBundle(entry())).buildId,
});

/** Every deployment of a release, by its name: the service that hosts its workflows. */
export const RELEASED_WORKERS: Readonly<Record<WorkerDeploymentName, ReleasedWorker>> = {
  'admission-worker': released(TASK_QUEUES.admission, () => import.meta.resolve('@launch/workflows/admission')),
  'finality-worker': released(TASK_QUEUES.finality, () => import.meta.resolve('@launch/workflows/finality')),
  'module-review': released(
    TASK_QUEUES.moduleReview,
    () => import.meta.resolve('@launch/workflows/module-review'),
    'modules',
  ),
  indexer: released(TASK_QUEUES.indexer, () => import.meta.resolve('@launch/workflows/indexer')),
};
