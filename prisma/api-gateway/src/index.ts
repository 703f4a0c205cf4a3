import type { Statement } from '@launch/platform';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.js';

export type { BlockedWallet, Credential, LaunchGate } from './generated/client.js';

/** Runs statements, each of which parses its rows. */
export interface Session {
  /** @throws RowShapeError when a row has another shape than the statement's schema. */
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The only door to the gateway's database. */
export interface GatewayDatabase extends Session {
  readonly prisma: PrismaClient;
  /** Runs `work` in one READ COMMITTED transaction; rolls back when it throws. Nothing is retried. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs the smallest statement. Rejects while the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the gateway's database: Prisma for everyday reads and writes, statements over the same pool where
 * one round trip or a locking clause counts. `close` ends the pool too.
 */
export function createGatewayDatabase(pool: pg.Pool): GatewayDatabase {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  const sessionOf = (client: pg.Pool | pg.PoolClient): Session => ({
    async query({ name, text, isPrepared, parseRows }, values = []) {
      const { rows } = await client.query({ ...(isPrepared ? { name } : {}), text, values: [...values] });
      return parseRows(rows);
    },
  });

  return {
    ...sessionOf(pool),
    prisma,
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(sessionOf(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async ping() {
      await pool.query('SELECT 1');
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** The name of the unique constraint an insert ran into, or undefined for any other failure. */
export function violatedUniqueConstraint(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '23505') return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
}
