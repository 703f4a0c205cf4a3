import { randomBytes } from 'node:crypto';
import { provisionDatabases, withClient } from '@launch/postgres-server';
import type { PrismaService } from '@launch/prisma-tools';
import { migrateDeploy, migrationsFolder } from '@launch/prisma-tools';

export interface Template {
  template: string;
  user: string;
  password: string;
  /** The role that may read the tables that the service publishes. */
  reader?: { user: string; password: string };
}

/** Creates a migrated database as a template for others, owned by the service's own role as in production. */
export async function makeTemplate(adminUrl: string, service: PrismaService): Promise<Template> {
  const template = `template_${service.database}`;
  const password = () => randomBytes(12).toString('hex');
  const role = { database: template, user: service.database, password: password() };
  const reader = service.reader === undefined ? undefined : { user: service.reader, password: password() };
  await provisionDatabases(adminUrl, [reader === undefined ? role : { ...role, reader }]);
  const url = new URL(adminUrl);
  url.username = role.user;
  url.password = role.password;
  url.pathname = `/${template}`;
  await migrateDeploy(url.toString(), migrationsFolder(service));
  // PostgreSQL copies only databases without connections.
  await withClient(adminUrl, (client) =>
    client.query(`ALTER DATABASE ${client.escapeIdentifier(template)} ALLOW_CONNECTIONS false`),
  );
  return { template, user: role.user, password: role.password, ...(reader === undefined ? {} : { reader }) };
}
