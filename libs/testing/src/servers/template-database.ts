import { randomBytes } from 'node:crypto';
import { provisionDatabases, withClient } from '@launch/postgres-server';
import type { PrismaService } from '@launch/prisma-tools';
import { migrateDeploy, migrationsFolder } from '@launch/prisma-tools';

/** A migrated database that others are copied from, owned by the service's own role as in production. */
export async function makeTemplate(
  adminUrl: string,
  service: PrismaService,
): Promise<{ template: string; user: string; password: string }> {
  const template = `template_${service.database}`;
  const role = { database: template, user: service.database, password: randomBytes(12).toString('hex') };
  await provisionDatabases(adminUrl, [role]);
  const url = new URL(adminUrl);
  url.username = role.user;
  url.password = role.password;
  url.pathname = `/${template}`;
  await migrateDeploy(url.toString(), migrationsFolder(service));
  // Nobody may be connected to a database that is copied.
  await withClient(adminUrl, (client) =>
    client.query(`ALTER DATABASE ${client.escapeIdentifier(template)} ALLOW_CONNECTIONS false`),
  );
  return { template, user: role.user, password: role.password };
}
