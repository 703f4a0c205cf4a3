import type { WorkflowBundleFile } from '../bundle/built-bundle.js';
import { WorkerError } from '../worker.errors.js';

/** The version of a worker where Temporal's Worker Controller decides it: both variables or neither. */
export interface VersionVariables {
  readonly TEMPORAL_DEPLOYMENT_NAME?: string | undefined;
  readonly TEMPORAL_WORKER_BUILD_ID?: string | undefined;
}

/**
 * Returns the deployment of a worker and its bundle with the version's build id: the service and the hash of the
 * bundle, or those by which Temporal's Worker Controller knows the pod.
 * @throws WorkerError VERSION_INCOMPLETE
 */
export function versionOf(
  config: VersionVariables,
  service: string,
  bundle: WorkflowBundleFile | undefined,
): { readonly deployment: string; readonly workflowBundle: WorkflowBundleFile | undefined } {
  const { TEMPORAL_DEPLOYMENT_NAME: deployment, TEMPORAL_WORKER_BUILD_ID: buildId } = config;
  if ((deployment === undefined) !== (buildId === undefined))
    throw new WorkerError(
      'VERSION_INCOMPLETE',
      'TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID must both be set, or neither',
    );
  if (bundle === undefined || deployment === undefined || buildId === undefined)
    return { deployment: service, workflowBundle: bundle };
  return { deployment, workflowBundle: { ...bundle, buildId } };
}
