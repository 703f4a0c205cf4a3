import pg from 'pg';
import { withClient } from './postmaster.js';

/** One service's database and the only role that may enter it. */
export interface ServiceDatabase {
  database: string;
  user: string;
  password: string;
  /** A role that may read the schema `published` of this database, and nothing else. */
  reader?: { user: string; password: string };
  /** A role that may enter this database. The service's migrations say what it may do there. */
  guest?: { user: string; password: string };
}

/** Session lock of the administrator's database: PostgreSQL refuses concurrent changes to the rights of one database. */
const PROVISIONING = `SELECT pg_advisory_lock(hashtextextended('provision databases', 0))`;

/** Schema of the views that a service publishes for others. */
const PUBLISHED = 'published';

/**
 * Creates or refreshes each database with a login role of its own. The role owns its database, and CONNECT
 * is taken from everyone else, so that no service can read another's rows. A reader may enter besides and sees what is in
 * the schema `published`, whenever that is made. A guest may enter, too. Safe to repeat, and for several callers at once.
 */
export async function provisionDatabases(adminUrl: string, databases: readonly ServiceDatabase[]): Promise<void> {
  const name = (value: string) => pg.escapeIdentifier(value);
  await withClient(adminUrl, async (client) => {
    await client.query(PROVISIONING);
    for (const closed of ['postgres', 'template1'])
      await client.query(`REVOKE CONNECT ON DATABASE ${name(closed)} FROM PUBLIC`);
    const provideRole = async ({ user, password }: { user: string; password: string }): Promise<void> => {
      const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [user]);
      const verb = role.rowCount === 0 ? 'CREATE' : 'ALTER';
      await client.query(
        `${verb} ROLE ${name(user)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD ${pg.escapeLiteral(password)}`,
      );
    };
    for (const { database, user, password, reader, guest } of databases) {
      await provideRole({ user, password });
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
      if (found.rowCount === 0)
        await client.query(`CREATE DATABASE ${name(database)} OWNER ${name(user)} TEMPLATE template0`);
      await client.query(`REVOKE ALL ON DATABASE ${name(database)} FROM PUBLIC`);
      await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${name(database)} TO ${name(user)}`);
      for (const other of [reader, guest]) {
        if (other === undefined) continue;
        await provideRole(other);
        await client.query(`GRANT CONNECT ON DATABASE ${name(database)} TO ${name(other.user)}`);
      }
      if (reader === undefined) continue;
      await publishTo(adminUrl, { database, owner: user, reader: reader.user });
    }
  });
}

/** Lets the reader select from everything that the owner creates in `published`. */
async function publishTo(
  adminUrl: string,
  { database, owner, reader }: { database: string; owner: string; reader: string },
): Promise<void> {
  const name = (value: string) => pg.escapeIdentifier(value);
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  await withClient(url.toString(), async (client) => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${PUBLISHED} AUTHORIZATION ${name(owner)}`);
    await client.query(`GRANT USAGE ON SCHEMA ${PUBLISHED} TO ${name(reader)}`);
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${PUBLISHED} TO ${name(reader)}`);
    await client.query(
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${name(owner)} IN SCHEMA ${PUBLISHED} GRANT SELECT ON TABLES TO ${name(reader)}`,
    );
  });
}
