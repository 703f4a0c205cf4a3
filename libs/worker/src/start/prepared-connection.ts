import type { TemporalTarget } from '@launch/temporal';
import type { NativeConnection } from '@temporalio/worker';
import { connectWorkers } from './service-worker.js';

/**
 * A connection to a namespace that has what our workflows set; closed again where the check refuses it.
 * @throws what the check throws, or the server's error.
 */
export async function connectPrepared(
  target: TemporalTarget,
  check: (connection: NativeConnection, namespace: string) => Promise<void>,
): Promise<NativeConnection> {
  const connection = await connectWorkers(target);
  try {
    await check(connection, target.namespace);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
