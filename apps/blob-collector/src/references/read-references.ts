import { createPool, type Secret } from '@launch/platform';
import { sha256DigestSchema, type Sha256Digest } from '@launch/contracts/primitives';
import pg, { type PoolClient } from 'pg';
import { z } from 'zod';
import { CollectorError } from '../collector.errors.js';
import { referencingColumns, type Column } from './columns.js';
import type { DatabaseName } from './databases.js';

const digestRows = z.array(z.strictObject({ digest: sha256DigestSchema }));
const lockRows = z.tuple([z.strictObject({ held: z.boolean() })]);

const STATEMENT_MS = 60 * 60_000;
const ROWS_AT_ONCE = 5_000;
/** The key of the lock that one collection holds in the gateway's database: `blob` in ASCII. */
const LOCK = 0x62_6c_6f_62;

/** An open database, read as of one moment. */
export interface ReferenceSource {
  readonly name: DatabaseName;
  /** Returns the digests that the database names, in ascending order, each once. May be read once. */
  references(): AsyncIterable<Sha256Digest>;
  close(): Promise<void>;
}

/**
 * Opens a database and takes the snapshot from which all its references are read: a digest that moves from one table to
 * another is in one of them.
 * @throws CollectorError
 */
export async function openReferences(name: DatabaseName, url: Secret<string>): Promise<ReferenceSource> {
  const pool = createPool({
    connectionString: url,
    applicationName: 'blob-collector',
    max: 1,
    statementTimeoutMs: STATEMENT_MS,
  });
  const readable = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      if (error instanceof CollectorError) throw error;
      throw new CollectorError('DATABASE_UNREADABLE', `database ${name} cannot be read (${reasonOf(error)})`);
    }
  };
  let client: PoolClient | undefined;
  const close = async (): Promise<void> => {
    client?.release(true);
    client = undefined;
    await pool.end();
  };
  try {
    const open = await readable(() => pool.connect());
    client = open;
    // A listing of S3 keeps the cursor waiting.
    open.on('error', () => undefined);
    await readable(async () => {
      await open.query('SET idle_in_transaction_session_timeout = 0');
      await open.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const columns = await referencingColumns(name, open);
      await open.query(`DECLARE found NO SCROLL CURSOR FOR ${digestsOf(columns)}`);
    });
    return { name, references: () => fetched(open, readable), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Takes the lock of collections for as long as the returned connection is open.
 * @throws CollectorError `COLLECTION_RUNNING`, `DATABASE_UNREADABLE`
 */
export async function lockCollections(url: Secret<string>): Promise<() => Promise<void>> {
  const client = new pg.Client({
    connectionString: url.reveal(),
    application_name: 'blob-collector lock',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  let isHeld: boolean;
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS held', [LOCK]);
    isHeld = lockRows.parse(rows)[0].held;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new CollectorError('DATABASE_UNREADABLE', `database api-gateway cannot be read (${reasonOf(error)})`);
  }
  if (isHeld) return () => client.end();
  await client.end();
  throw new CollectorError('COLLECTION_RUNNING', 'another collection is running: wait for its end');
}

/**
 * Splits each text at the digests' prefix, which takes a small part of the time of a regular expression. The server
 * sorts, on its disk if the digests exceed its `work_mem`.
 */
function digestsOf(columns: readonly Column[]): string {
  const each = columns.map(({ schema, table, column }) => {
    const [at, of] = [`${quoted(schema)}.${quoted(table)}`, `${quoted(column)}::text`];
    return `SELECT left(part, 64) AS hex FROM ${at}, unnest(string_to_array(${of}, 'sha256:')) AS part WHERE ${of} LIKE '%sha256:%'`;
  });
  return `SELECT DISTINCT ('sha256:' || hex) COLLATE "C" AS digest FROM (${each.join(' UNION ALL ')}) AS every
    WHERE length(hex) = 64 AND translate(hex, '0123456789abcdef', '') = '' ORDER BY 1`;
}

const quoted = (name: string): string => pg.escapeIdentifier(name);

async function* fetched(
  client: PoolClient,
  readable: <T>(step: () => Promise<T>) => Promise<T>,
): AsyncIterable<Sha256Digest> {
  for (;;) {
    const rows = await readable(async () =>
      digestRows.parse((await client.query(`FETCH ${ROWS_AT_ONCE} FROM found`)).rows),
    );
    for (const { digest } of rows) yield digest;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Without the message: it can name hosts and values. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
