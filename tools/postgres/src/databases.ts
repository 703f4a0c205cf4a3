import pg from 'pg';
import { withClient } from './postmaster.js';

/** One service's database and the only role that may enter it. */
export interface ServiceDatabase {
  database: string;
  user: string;
  password: string;
}

/**
 * Creates or refreshes each database with a login role of its own. The role owns its database, and CONNECT
 * is taken from everyone else, so that no service can read another's rows. Safe to repeat.
 */
export async function provisionDatabases(adminUrl: string, databases: readonly ServiceDatabase[]): Promise<void> {
  const name = (value: string) => pg.escapeIdentifier(value);
  await withClient(adminUrl, async (client) => {
    for (const closed of ['postgres', 'template1'])
      await client.query(`REVOKE CONNECT ON DATABASE ${name(closed)} FROM PUBLIC`);
    for (const { database, user, password } of databases) {
      const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [user]);
      const verb = role.rowCount === 0 ? 'CREATE' : 'ALTER';
      await client.query(
        `${verb} ROLE ${name(user)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD ${pg.escapeLiteral(password)}`,
      );
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
      if (found.rowCount === 0)
        await client.query(`CREATE DATABASE ${name(database)} OWNER ${name(user)} TEMPLATE template0`);
      await client.query(`REVOKE ALL ON DATABASE ${name(database)} FROM PUBLIC`);
      await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${name(database)} TO ${name(user)}`);
    }
  });
}
