import type { z } from 'zod';
import { nameStatement } from './statement-names.js';

/** A constant SQL text and the schema of its rows. */
export interface Statement<Row> {
  /** Names the statement in errors and, when it is prepared, on every connection: one name has one text. */
  readonly name: string;
  readonly text: string;
  /**
   * Whether every connection prepares the statement once: for the few on the way of every request, whose planning costs
   * more than their work.
   */
  readonly isPrepared: boolean;
  /** Parses the rows that PostgreSQL returned. @throws RowShapeError when a row has another shape. */
  parseRows(found: readonly unknown[]): readonly Row[];
}

interface Definition {
  readonly name: string;
  readonly text: string;
  readonly isPrepared?: boolean;
}

/** A statement returned a row of another shape than its schema: an internal fault of this version and its database. */
export class RowShapeError extends Error {
  override readonly name = 'RowShapeError';
  readonly code = 'ROW_SHAPE';
  readonly retryable = false;

  constructor(
    readonly statement: string,
    override readonly cause: z.ZodError,
  ) {
    const [issue] = cause.issues;
    super(`${statement} returned a row of another shape: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
}

/**
 * Defines a statement.
 * @param definition `row` parses one row; without it, rows are counted and never read.
 */
export function statement(definition: Definition): Statement<unknown>;
export function statement<Schema extends z.ZodType>(
  definition: Definition & { readonly row: Schema },
): Statement<z.output<Schema>>;
export function statement({ name, text, isPrepared = false, row }: Definition & { readonly row?: z.ZodType }) {
  nameStatement(text, name);
  return {
    name,
    text,
    isPrepared,
    parseRows: (found: readonly unknown[]): readonly unknown[] =>
      row === undefined ? found : found.map((one) => parsedRow(name, row, one)),
  };
}

function parsedRow(name: string, row: z.ZodType, found: unknown): unknown {
  const parsed = row.safeParse(found);
  if (!parsed.success) throw new RowShapeError(name, parsed.error);
  return parsed.data;
}

/** A Prisma client or one of its transactions, as far as it runs SQL. */
interface SqlOfPrisma {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>;
}

/** Runs a statement in a Prisma client or transaction and returns its rows. */
export async function queryRows<Row>(
  database: Pick<SqlOfPrisma, '$queryRawUnsafe'>,
  one: Statement<Row>,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return one.parseRows((await database.$queryRawUnsafe(one.text, ...values)) as readonly unknown[]);
}

/** Runs a statement in a Prisma client or transaction and returns the number of rows that it changed. */
export async function execute(
  database: Pick<SqlOfPrisma, '$executeRawUnsafe'>,
  one: Statement<unknown>,
  values: readonly unknown[] = [],
): Promise<number> {
  return database.$executeRawUnsafe(one.text, ...values);
}
