import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@launch/postgres-server';
import type { PrismaService } from '@launch/prisma-tools';
import { askDaemon } from './daemon-client.js';
import type { Template } from './template-database.js';

export interface TestDatabase {
  /** Connection string of the service's own role, which owns the database. */
  url: string;
  /**
   * Connection string of the role that may read the tables that the service publishes; absent for a service without
   * one.
   */
  readerUrl?: string;
  /** Connection string of the superuser, for reads outside the service. */
  adminUrl: string;
  name: string;
  drop(): Promise<void>;
}

/** Creates a migrated database of a service on the run's shared server (no fsync); about 50 ms once the template exists. */
export async function createTestDatabase(service: PrismaService['name']): Promise<TestDatabase> {
  const { adminUrl, template, user, password, reader } = (await askDaemon(`/template/${service}`)) as Template & {
    adminUrl: string;
  };
  const name = `test_${service.replaceAll('-', '_')}_${randomBytes(6).toString('hex')}`;
  await withClient(adminUrl, async (client) => {
    await client.query(
      `CREATE DATABASE ${name} OWNER ${client.escapeIdentifier(user)} TEMPLATE ${client.escapeIdentifier(template)} STRATEGY wal_log`,
    );
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    if (reader !== undefined)
      await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${client.escapeIdentifier(reader.user)}`);
  });
  return describe(adminUrl, name, { user, password }, reader);
}

/** Creates an empty database on the run's shared server; its `url` is the superuser's. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { adminUrl } = (await askDaemon('/postgres')) as { adminUrl: string };
  const name = `test_empty_${randomBytes(6).toString('hex')}`;
  await withClient(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  return describe(adminUrl, name);
}

interface Role {
  user: string;
  password: string;
}

function describe(serverUrl: string, name: string, role?: Role, reader?: Role): TestDatabase {
  const admin = new URL(serverUrl);
  admin.pathname = `/${name}`;
  const urlOf = ({ user, password }: Role): string =>
    Object.assign(new URL(admin), { username: user, password }).toString();
  return {
    url: role === undefined ? admin.toString() : urlOf(role),
    ...(reader === undefined ? {} : { readerUrl: urlOf(reader) }),
    adminUrl: admin.toString(),
    name,
    drop: () =>
      withClient(serverUrl, async (client) => {
        await sessionsEnded(client, name);
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

const SESSIONS_END_WITHIN_MS = 2_000;

/**
 * A pool ends before its sessions end on the server. The forced drop sends an error to each remaining session, after its
 * client has stopped listening.
 */
async function sessionsEnded(client: Parameters<Parameters<typeof withClient>[1]>[0], name: string): Promise<void> {
  for (const until = Date.now() + SESSIONS_END_WITHIN_MS; Date.now() < until; await delay(20)) {
    if ((await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name])).rowCount === 0)
      return;
  }
}
