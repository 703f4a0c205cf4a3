import type { ClientBase } from 'pg';
import { z } from 'zod';
import { CollectorError } from '../collector.errors.js';
import { DATABASES, type DatabaseName } from './databases.js';

export interface Column {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

const columnRows = z.array(
  z.strictObject({ schema: z.string(), table: z.string(), column: z.string(), type: z.string() }),
);

/** Types whose text form contains each digest as it was stored. */
const TEXTUAL = new Set(['text', 'varchar', 'bpchar', 'json', 'jsonb']);
/** Types that hold no digest. */
const OTHERS = new Set([
  'bool',
  'date',
  'float4',
  'float8',
  'inet',
  'int2',
  'int4',
  'int8',
  'interval',
  'numeric',
  'time',
  'timestamp',
  'timestamptz',
  'uuid',
]);
/** Columns of bytes that hold no digest. */
const BYTES_WITHOUT_DIGESTS = new Set(['api-gateway credential.secret_mac']);

// The catalog lists all columns; information_schema would omit those that the role may not read.
const COLUMNS = `
  SELECT n.nspname AS schema, c.relname AS table, a.attname AS column, coalesce(e.typname, t.typname) AS type
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
  WHERE c.relkind IN ('r', 'f', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'
  ORDER BY 1, 2, a.attnum`;

/**
 * Returns every column of a database whose text may contain digests. Each new column is therefore read without being
 * listed anywhere.
 * @throws CollectorError `DATABASE_UNEXPECTED`, `COLUMN_UNREADABLE`
 */
export async function referencingColumns(name: DatabaseName, client: ClientBase): Promise<Column[]> {
  const rows = columnRows.parse((await client.query(COLUMNS)).rows);
  const tables = new Set(rows.map(({ table }) => table));
  const missing = DATABASES[name].filter((table) => !tables.has(table));
  if (missing.length > 0)
    throw new CollectorError('DATABASE_UNEXPECTED', `database ${name} has no table ${missing.join(', ')}`);
  return rows
    .filter(({ table, column, type }) => {
      if (TEXTUAL.has(type)) return true;
      const place = `${name} ${table}.${column}`;
      if (OTHERS.has(type) || BYTES_WITHOUT_DIGESTS.has(place)) return false;
      throw new CollectorError('COLUMN_UNREADABLE', `${place} has the type ${type}: state whether it names blobs`);
    })
    .map(({ schema, table, column }) => ({ schema, table, column }));
}
