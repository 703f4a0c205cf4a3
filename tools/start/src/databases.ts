import path from 'node:path';
import type { PostgresServer } from '@launch/postgres-server';
import { provisionDatabases, startPostgres } from '@launch/postgres-server';
import type { PrismaService } from '@launch/prisma-tools';
import { migrateDeploy, migrationsFolder, PRISMA_SERVICES } from '@launch/prisma-tools';
import type { DataFolder, Secrets } from './data-folder.js';
import type { Ports } from './ports.js';
import type { Supervised } from './supervisor.js';

export type DatabaseUrls = Record<PrismaService['name'], string>;
/** By which roles of embedded databases the published views are read. */
export type PublishedUrls = Partial<DatabaseUrls>;
/** By which roles further programs of a service enter its database. */
export type GuestUrls = Partial<DatabaseUrls>;

/** The variables that replace an embedded database, of those that are set. */
export function externalDatabases(env: NodeJS.ProcessEnv): string[] {
  return PRISMA_SERVICES.map((service) => service.urlVariable).filter((variable) => env[variable]);
}

/** A commit survives a killed server, but not a loss of power. */
const UNFORCED = { fsync: 'off', full_page_writes: 'off' };

/** Starts the embedded server on the port it had before, so that the services' connection strings stay right. */
export async function startDatabaseServer(
  folder: DataFolder,
  secrets: Secrets,
  ports: Ports,
  durable: boolean,
  signal: AbortSignal,
): Promise<PostgresServer> {
  const server = await startPostgres({
    dataDir: folder.postgres,
    password: await secrets.password('postgres'),
    port: await ports.choose('postgres', Number(process.env['POSTGRES_PORT'] ?? 0)),
    logFile: path.join(folder.logs, 'postgres.log'),
    settings: durable ? {} : UNFORCED,
    signal,
  });
  ports.note('postgres', server.port);
  return server;
}

/**
 * Each service's own database and role, migrated; a variable that is set names another database instead.
 * @throws the signal's reason between two databases when the start is given up.
 */
export async function prepareDatabases(
  server: Supervised<PostgresServer> | undefined,
  secrets: Secrets,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ urls: DatabaseUrls; publishedUrls: PublishedUrls; guestUrls: GuestUrls; applied: number }> {
  const roles = await Promise.all(
    PRISMA_SERVICES.filter((service) => !env[service.urlVariable]).map(async (service) => ({
      service,
      role: {
        database: service.database,
        user: service.database,
        password: await secrets.password(service.database),
        ...(service.reader === undefined
          ? {}
          : { reader: { user: service.reader, password: await secrets.password(service.reader) } }),
        ...(service.guest === undefined
          ? {}
          : { guest: { user: service.guest, password: await secrets.password(service.guest) } }),
      },
    })),
  );
  const urls: Partial<DatabaseUrls> = {};
  // Who brings a database of the indexer also says how its views are read.
  const guestUrls: GuestUrls = {};
  const publishedUrls: PublishedUrls = { indexer: env['INDEX_DATABASE_URL'] || undefined };
  if (roles.length > 0) {
    if (server?.current === undefined) throw new Error('the embedded PostgreSQL does not run');
    await provisionDatabases(
      server.current.adminUrl(),
      roles.map(({ role }) => role),
    );
    for (const { service, role } of roles) {
      urls[service.name] = server.current.url(role);
      if (role.reader !== undefined)
        publishedUrls[service.name] = server.current.url({ database: role.database, ...role.reader });
      if (role.guest !== undefined)
        guestUrls[service.name] = server.current.url({ database: role.database, ...role.guest });
    }
  }
  let applied = 0;
  for (const service of PRISMA_SERVICES) {
    signal.throwIfAborted();
    const url = (urls[service.name] ??= env[service.urlVariable] ?? '');
    applied += (await migrateDeploy(url, migrationsFolder(service))).length;
  }
  return { urls: urls as DatabaseUrls, publishedUrls, guestUrls, applied };
}
