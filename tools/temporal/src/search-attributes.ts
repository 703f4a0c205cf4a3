import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';

const run = promisify(execFile);

export interface KeptServer {
  /** The server's program, which is its command line too. */
  readonly program: string;
  readonly address: string;
  readonly namespace: string;
  readonly signal: AbortSignal | undefined;
}

/** A server learns of a new attribute some seconds after its registration. */
const LEARNS_WITHIN_MS = 60_000;
const ASK_AGAIN_MS = 200;
const ANSWERS_WITHIN_MS = 10_000;
/** gRPC's status for a query that names an attribute which the namespace does not have. */
const INVALID_ARGUMENT = 3;

/**
 * Registers the search attributes that the namespace of a kept state does not have: a server registers those of its
 * options in a new state alone. Resolves when queries by all of them are answered.
 * @param types of the attributes by name.
 * @throws Error when they cannot be registered; the signal's reason when the start is given up.
 */
export async function registerMissingAttributes(
  server: KeptServer,
  types: Readonly<Record<string, string>>,
): Promise<void> {
  const { program, address, namespace, signal } = server;
  const connection = Connection.lazy({ address });
  try {
    const missing = await unknownTo(connection, namespace, Object.keys(types));
    if (missing.length === 0) return;
    const options = missing.flatMap((name) => ['--name', name, '--type', types[name] as string]);
    await run(
      program,
      ['operator', 'search-attribute', 'create', '--address', address, '--namespace', namespace, ...options],
      { env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }, ...(signal === undefined ? {} : { signal }) },
    );
    for (const until = Date.now() + LEARNS_WITHIN_MS; ; await sleep(ASK_AGAIN_MS)) {
      signal?.throwIfAborted();
      const left = await unknownTo(connection, namespace, missing);
      if (left.length === 0) return;
      if (Date.now() > until) throw new Error(`the Temporal server did not learn of ${left.join(', ')}`);
    }
  } finally {
    await connection.close();
  }
}

async function unknownTo(connection: Connection, namespace: string, names: readonly string[]): Promise<string[]> {
  const known = await Promise.all(names.map((name) => isKnown(connection, namespace, name)));
  return names.filter((_, index) => !known[index]);
}

async function isKnown(connection: Connection, namespace: string, name: string): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
      connection.workflowService.countWorkflowExecutions({ namespace, query: `${name} IS NULL` }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === INVALID_ARGUMENT) return false;
    throw error;
  }
}
