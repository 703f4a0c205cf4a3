import { listMigrations, migrateDeploy, migrationsFolder, PRISMA_SERVICES } from '@launch/prisma-tools';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { dumpRows, loadRows, migrateAsThen, type TableRows } from './database-rows.js';
import type { KeptMigration, KeptRelease, ServiceName } from './kept-release.js';

/** One service's database of a kept release, migrated to what is on disk today. */
export interface UpgradedDatabase extends TestDatabase {
  /** Its rows before today's migrations, read back. */
  readonly loaded: TableRows;
  /** Today's migrations, in order. */
  readonly today: readonly KeptMigration[];
  /** Those of them that the upgrade applied. */
  readonly applied: readonly string[];
}

/** Makes a service's database as a release left it, by the service's own role, and upgrades it. @throws Error naming a landed migration that was edited. */
export async function upgradedDatabase(
  service: ServiceName,
  { manifest, rows }: KeptRelease,
): Promise<UpgradedDatabase> {
  const database = await createTestDatabase(service, { migrated: false });
  try {
    await migrateAsThen(database.url, service, manifest.migrations[service]);
    await loadRows(database.adminUrl, rows[service]);
    const loaded = await dumpRows(database.adminUrl);
    const folder = migrationsFolder(PRISMA_SERVICES.find(({ name }) => name === service)!);
    const today = (await listMigrations(folder)).map(({ name, checksum }) => ({ name, checksum }));
    return { ...database, loaded, today, applied: await migrateDeploy(database.url, folder) };
  } catch (error) {
    await database.drop();
    throw error;
  }
}
