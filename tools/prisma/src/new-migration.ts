import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startTemporaryPostgres } from '@launch/postgres-server';
import { runPrisma } from './prisma-cli.js';
import type { PrismaService } from './services.js';
import { migrationsFolder } from './services.js';

const NAME = /^[a-z0-9_]{1,80}$/;

/**
 * Writes `migrations/<UTC time>_<name>/migration.sql` with the step from the migrations on disk to
 * `schema.prisma`, worked out on a throw-away PostgreSQL.
 * @returns the new folder, or undefined when there is nothing to migrate.
 */
export async function createMigration(
  service: PrismaService,
  name: string,
  now: Date = new Date(),
): Promise<string | undefined> {
  if (!NAME.test(name))
    throw new Error(
      `a migration's name is lower-case letters, digits and underscores, at most 80: got ${JSON.stringify(name)}`,
    );
  const server = await startTemporaryPostgres();
  try {
    const url = server.adminUrl();
    const existing = (await readdir(migrationsFolder(service), { withFileTypes: true })).some((entry) =>
      entry.isDirectory(),
    );
    const from = existing ? ['--from-migrations', 'migrations'] : ['--from-empty'];
    const diff = await runPrisma(
      service,
      ['migrate', 'diff', ...from, '--to-schema', 'schema.prisma', '--script', '--exit-code'],
      url,
    );
    if (diff.exitCode === 0) return undefined;
    if (diff.exitCode !== 2) throw new Error(`prisma migrate diff failed:\n${diff.stdout}${diff.stderr}`);
    const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = path.join(migrationsFolder(service), `${stamp}_${name}`);
    await mkdir(folder);
    await writeFile(path.join(folder, 'migration.sql'), diff.stdout, { flag: 'wx' });
    return folder;
  } finally {
    await server.stop();
  }
}
