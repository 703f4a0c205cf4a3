import type { QuarantineReason } from '@launch/contracts/index';
import type { EventKey } from '@launch/contracts/orchestration';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { execute, queryRows } from '@launch/platform';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import { searchText } from '../rows/index-rows.js';
import { APPEND, COUNTS } from './quarantine.sql.js';

export interface Judgement {
  readonly outcome: 'fail' | 'pass' | 'dismissed';
  readonly reason: QuarantineReason | null;
  readonly detail: string;
  /** The claimed coin, if its identity is taken. */
  readonly tokenAddress?: Hex;
}

export interface QuarantineCount {
  readonly releaseDigest: Sha256Digest;
  readonly reason: QuarantineReason;
  readonly count: number;
}

export interface QuarantineRepository {
  isThere(releaseDigest: Sha256Digest, event: EventKey): Promise<boolean>;
  /** Appends a judgement; earlier ones are kept. */
  append(releaseDigest: Sha256Digest, event: EventKey, judgement: Judgement): Promise<void>;
  /** Counts quarantined logs that no operator dismissed. */
  counts(): Promise<readonly QuarantineCount[]>;
}

export const createQuarantineRepository = (database: IndexerDatabase): QuarantineRepository => ({
  isThere: async (releaseDigest, event) =>
    (await database.quarantine.count({ where: { releaseDigest, ...event } })) === 1,
  async append(releaseDigest, { blockHash, transactionHash, logIndex }, { outcome, reason, detail, tokenAddress }) {
    await execute(database, APPEND, [
      releaseDigest,
      blockHash,
      transactionHash,
      logIndex,
      outcome,
      reason,
      searchText(detail),
      tokenAddress ?? null,
    ]);
  },
  counts: () => queryRows(database, COUNTS),
});
