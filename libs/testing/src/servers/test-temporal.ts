import { randomBytes } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { locateTestServer } from '@launch/temporal-server';
import { askDaemon } from './daemon-client.js';

/**
 * Returns the run's shared in-memory Temporal server with the search attributes registered. Suites separate themselves
 * by `uniqueName`.
 */
export async function sharedTemporal(): Promise<{ address: string; namespace: string }> {
  const { address, namespace } = await askDaemon('/temporal');
  return { address: String(address), namespace: String(namespace) };
}

/** Returns an unused name for task queues and workflow ids of one suite on the shared server. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

/**
 * Starts a separate server whose clock jumps ahead while workflows only wait, for tests about days. It supports no
 * custom search attributes and no worker versioning. The caller tears it down.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  // Loaded here, because it loads the whole worker, and most importers of this file skip no time.
  const { TestWorkflowEnvironment: environments } = await import('@temporalio/testing');
  return environments.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: await locateTestServer() } },
  });
}
