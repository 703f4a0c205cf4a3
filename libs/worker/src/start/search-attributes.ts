import { setTimeout as sleep } from 'node:timers/promises';
import {
  SEARCH_ATTRIBUTE_TYPES,
  searchAttributeProbe,
  type SearchAttributeName,
} from '@launch/contracts/orchestration';
import type { NativeConnection } from '@temporalio/worker';
import { WorkerError } from '../worker.errors.js';

const NAMES = Object.keys(SEARCH_ATTRIBUTE_TYPES) as SearchAttributeName[];
/** A server learns of a new attribute some seconds after its registration. */
const REGISTRATION_TIMEOUT_MS = 5_000;
const RETRY_MS = 500;
/** gRPC's status for a query that names an attribute which the namespace does not have. */
const INVALID_ARGUMENT = 3;

/**
 * Asks once whether a namespace has every attribute that our workflows are started with and set.
 * @throws WorkerError SEARCH_ATTRIBUTES_MISSING with their names and the command that registers them; the server's error otherwise.
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
 * The same, for as long as the server may take to learn of what was registered just now.
 * @param withinMs Milliseconds, 5,000 unless told.
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

/** The query needs no right that a worker does not have; a list of the attributes would need an operator's. */
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
