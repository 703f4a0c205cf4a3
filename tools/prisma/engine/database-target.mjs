// Translates a Prisma datasource URL for `pg`: removes Prisma's own query parameters and keeps the schema.
import pg from 'pg';

const PRISMA_PARAMETERS = ['schema', 'connection_limit', 'pool_timeout', 'connect_timeout', 'pgbouncer'];

/** @returns {{connectionString: string, schema: string, database: string}} */
export function parseDatasource(url) {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get('schema') ?? 'public';
  const database = decodeURIComponent(parsed.pathname.slice(1));
  for (const name of PRISMA_PARAMETERS) parsed.searchParams.delete(name);
  return { connectionString: parsed.toString(), schema, database };
}

/** The same server, another database. */
export function withDatabase(connectionString, database) {
  const url = new URL(connectionString);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.toString();
}

/** Runs one statement from a maintenance database, as creating and dropping databases needs. */
export async function runAsMaintenance(connectionString, sql) {
  let lastError;
  for (const database of ['postgres', 'template1']) {
    const client = new pg.Client({ connectionString: withDatabase(connectionString, database) });
    try {
      await client.connect();
    } catch (error) {
      lastError = error;
      continue;
    }
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }
  throw lastError;
}
