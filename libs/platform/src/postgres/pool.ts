import pg from 'pg';
import type { Logger } from 'pino';
import type { Secret } from '../config/secret.js';
import { traceDatabase } from '../tracing/tracing.js';

export interface PoolOptions {
  connectionString: Secret<string> | string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** The most connections; default 10. */
  max?: number;
  /** The timeout of a statement in milliseconds, default 15,000. */
  statementTimeoutMs?: number;
  logger?: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** The server cancels a statement first; the client gives up this much later. */
const ANSWER_GRACE_MS = 5_000;

/** Creates a bounded pool. Logs and replaces a connection lost while idle; it never ends the process. */
export function createPool(options: PoolOptions): pg.Pool {
  const { connectionString, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: typeof connectionString === 'string' ? connectionString : connectionString.reveal(),
    application_name: options.applicationName,
    max: options.max ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
  });
  pool.on('error', (error) => options.logger?.warn({ err: error }, 'database connection lost'));
  traceDatabase(pool);
  return pool;
}
