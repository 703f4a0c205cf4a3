import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PostgresServer } from './server.js';
import { startPostgres } from './server.js';

/** A throw-away server (no fsync) in the system's temporary folder; `stop` removes its files too. */
export async function startTemporaryPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'launch-postgres-'));
  await chmod(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  const remove = async () => {
    const elsewhere = await readlink(dataDir).catch(() => undefined);
    if (elsewhere !== undefined) await rm(elsewhere, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await startPostgres({ dataDir, password: randomBytes(18).toString('base64url'), durable: false });
    return {
      ...server,
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
