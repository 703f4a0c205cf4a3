import type { TemporalTarget } from '@launch/temporal';
import type { NativeConnection } from '@temporalio/worker';
import { connectWorkers } from './service-worker.js';

/**
 * Connects to a namespace and checks that it has the attributes that the workflows set. Closes the connection if the
 * check fails.
 * @throws the error of the check or of the server.
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
