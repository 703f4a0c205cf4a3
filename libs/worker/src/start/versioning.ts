import type { NativeConnection } from '@temporalio/worker';
import { WorkerError } from '../worker.errors.js';

/**
 * How a worker that hosts workflows takes part in Worker Versioning.
 * - `off`: tasks go to whoever polls.
 * - `auto-upgrade`: open workflows move to the current version; changes to workflow code go behind `patched`. Fits
 *   workflows that live for days, and every deployment that replaces its only worker.
 * - `pinned`: a workflow stays with the version that began it. Fits short workflows where old workers are kept until they are drained.
 */
export type VersioningMode = 'off' | 'auto-upgrade' | 'pinned';

export interface Versioning {
  mode: VersioningMode;
  /** Name of the deployment the versions belong to, `launch-<worker>`. */
  deployment: string;
  /** Make this worker's version current once it polls. Right where one worker replaces another; otherwise a release does it. */
  promote: boolean;
}

export const BEHAVIOURS = { 'auto-upgrade': 'AUTO_UPGRADE', pinned: 'PINNED' } as const;

const REGISTRATION_TIMEOUT_MS = 60_000;
const RETRY_MS = 200;

/**
 * Makes a version current. The server knows a version only once a worker of it has polled, so this waits for that.
 * @throws WorkerError VERSION_NOT_REGISTERED after 60 s
 */
export async function promoteVersion(
  connection: NativeConnection,
  options: { namespace: string; deployment: string; buildId: string; identity: string },
  signal: AbortSignal,
): Promise<void> {
  const until = Date.now() + REGISTRATION_TIMEOUT_MS;
  let last: unknown;
  while (Date.now() < until && !signal.aborted) {
    try {
      await connection.workflowService.setWorkerDeploymentCurrentVersion({
        namespace: options.namespace,
        deploymentName: options.deployment,
        buildId: options.buildId,
        identity: options.identity,
        ignoreMissingTaskQueues: true,
      });
      return;
    } catch (error) {
      last = error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  if (signal.aborted) return;
  throw new WorkerError(
    'VERSION_NOT_REGISTERED',
    `version ${options.buildId} of ${options.deployment} did not become known to the server`,
    { cause: last },
  );
}
