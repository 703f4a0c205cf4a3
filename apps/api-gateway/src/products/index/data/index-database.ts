import { ApiError } from '@launch/http';
import type { createPool, Statement } from '@launch/platform';

/** Names the database that the indexer publishes. */
export const INDEX_DATABASE = Symbol('IndexDatabase');

/** Reads the indexer's published views under a role that may read nothing else. */
export interface IndexDatabase {
  /**
   * Runs a statement, which every connection prepares once, and returns its rows.
   * @throws ApiError `SERVICE_UNAVAILABLE` when this deployment reads no index: the answer is never empty instead.
   */
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The database of a deployment without an index. */
export const NO_INDEX: IndexDatabase = {
  query: () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 })),
};

/** @param pool of the reader's role; the caller ends it. */
export function createIndexDatabase(pool: ReturnType<typeof createPool>): IndexDatabase {
  return {
    query: async ({ name, text, parseRows }, values = []) =>
      parseRows((await pool.query({ name, text, values: [...values] })).rows),
  };
}
