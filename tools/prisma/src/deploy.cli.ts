// Applies one service's pending migrations: `node deploy.cjs <migrations folder>`, with DATABASE_URL (and PGPASSFILE,
// where the password is not in it) or DATABASE_URL_FILE, a file with the URL. The target `migrate` of
// `deploy/docker/services.Dockerfile` runs it, bundled into one file.
import { readFileSync } from 'node:fs';
import { migrateDeploy, MigrationError } from './migrate-deploy.js';

async function main(): Promise<number> {
  const [folder, ...rest] = process.argv.slice(2);
  const file = process.env['DATABASE_URL_FILE'];
  const url = process.env['DATABASE_URL'] || (file ? readFileSync(file, 'utf8').trim() : undefined);
  if (folder === undefined || rest.length > 0 || url === undefined || url === '') {
    process.stderr.write('usage: DATABASE_URL=…|DATABASE_URL_FILE=… deploy <migrations folder>\n');
    return 2;
  }
  const applied = await migrateDeploy(url, folder);
  process.stdout.write(`${JSON.stringify({ msg: 'migrated', applied })}\n`);
  return 0;
}

// Exits by itself: a connection that was refused in the middle of its handshake would hold the process for a minute.
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    // A driver's message may name hosts and roles, never a password.
    const said =
      error instanceof MigrationError
        ? { code: error.code, migration: error.migration }
        : { code: (error as { code?: unknown }).code };
    process.stderr.write(`${JSON.stringify({ msg: error instanceof Error ? error.message : 'failed', ...said })}\n`);
    process.exit(1);
  },
);
