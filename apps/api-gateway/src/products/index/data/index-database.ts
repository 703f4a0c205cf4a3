import { createHash } from 'node:crypto';
import { ApiError } from '@launch/http';
import type { createPool } from '@launch/platform';

/** Names the database that the indexer publishes. */
export const INDEX_DATABASE = Symbol('IndexDatabase');

/** Reads the indexer's published views under a role that may read nothing else. */
export interface IndexDatabase {
  /**
   * Runs a statement that is prepared by its text, which must be constant.
   * @throws ApiError `SERVICE_UNAVAILABLE` when this deployment reads no index: the answer is never empty instead.
   */
  query(sql: string, parameters?: readonly unknown[]): Promise<readonly unknown[]>;
}

/** The database of a deployment without an index. */
export const NO_INDEX: IndexDatabase = {
  query: () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 })),
};

/** @param pool of the reader's role; the caller ends it. */
export function createIndexDatabase(pool: ReturnType<typeof createPool>): IndexDatabase {
  const names = new Map<string, string>();
  const nameOf = (sql: string): string => {
    let name = names.get(sql);
    if (name === undefined) {
      name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
      names.set(sql, name);
    }
    return name;
  };
  return {
    query: async (text, parameters = []) =>
      (await pool.query<Record<string, unknown>>({ name: nameOf(text), text, values: [...parameters] })).rows,
  };
}
