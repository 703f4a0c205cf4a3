import { setTimeout as sleep } from 'node:timers/promises';
import {
  SEARCH_ATTRIBUTE_TYPES,
  searchAttributeProbe,
  type SearchAttributeName,
} from '@launch/contracts/orchestration';
import type { NativeConnection } from '@temporalio/worker';
import { WorkerError } from '../worker.errors.js';

const NAMES = Object.keys(SEARCH_ATTRIBUTE_TYPES) as SearchAttributeName[];
/** The time in which a server may learn of a registered attribute, in milliseconds. */
const REGISTRATION_TIMEOUT_MS = 5_000;
const RETRY_MS = 500;
/** gRPC's status for a query with an attribute that the namespace does not have. */
const INVALID_ARGUMENT = 3;

/**
 * Checks once whether a namespace has every attribute that the workflows set or start with.
 * @throws WorkerError SEARCH_ATTRIBUTES_MISSING with their names and the command that registers them; the server's
 * error otherwise.
 */
export async function requireSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  if (await answersQueryBy(connection, namespace, NAMES)) return;
  const known = await Promise.all(NAMES.map((name) => answersQueryBy(connection, namespace, [name])));
  const missing = NAMES.filter((_, index) => !known[index]);
  if (missing.length === 0) return;
  const options = missing.map((name) => `--name ${name} --type ${SEARCH_ATTRIBUTE_TYPES[name]}`).join(' ');
  throw new WorkerError(
    'SEARCH_ATTRIBUTES_MISSING',
    `namespace ${namespace} does not have ${missing.join(', ')}; register with: ` +
      `temporal operator search-attribute create --namespace ${namespace} ${options}`,
  );
}

/**
 * Checks the same, repeatedly for as long as the server may take to learn of a new registration.
 * @param withinMs the timeout in milliseconds; default 5,000.
 */
export async function awaitSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  withinMs: number = REGISTRATION_TIMEOUT_MS,
): Promise<void> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await requireSearchAttributes(connection, namespace);
    } catch (error) {
      if (!(error instanceof WorkerError) || Date.now() >= until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** A query needs no permission beyond a worker's; listing the attributes would need an operator's. */
async function answersQueryBy(
  connection: NativeConnection,
  namespace: string,
  names: readonly SearchAttributeName[],
): Promise<boolean> {
  const query = names.map(searchAttributeProbe).join(' AND ');
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === INVALID_ARGUMENT) return false;
    throw error;
  }
}
