import { Inject, Injectable } from '@nestjs/common';
import type { ReadStatus } from '@launch/contracts/index';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import type { JudgedRow } from './ethereum-record.js';
import type { IndexReading } from './index-reading.repository.js';

/** The progress of reading the index. */
export interface FeedState {
  /** A 64-bit number as a string. */
  readonly lastSequence: string;
  readonly source: number;
  readonly published: number;
  readonly quarantined: number;
  readonly indexStatus: ReadStatus;
  readonly readAt: Date | null;
}

export interface EthereumRow {
  readonly publicationNumber: string;
  readonly record: string;
}

/** Plain SQL: the result of a reading is one transaction, and a page of public readers one round trip. */
const STATE = `SELECT last_sequence::text AS "lastSequence", source_row_count AS source, published_row_count AS published,
  quarantined_row_count AS quarantined, index_status AS "indexStatus", read_at AS "readAt" FROM ethereum_feed`;
// The first statement of a reading's transaction locks the row, so that publications follow one another, and requires the
// start of the reading. A reading that another gateway overtook writes nothing.
const ADVANCE = `UPDATE ethereum_feed SET last_sequence = $2, index_status = $3, read_at = $4
  WHERE last_sequence = $1 AND (read_at IS NULL OR read_at <= $4) RETURNING one`;
// Records that an operator dismissed are in neither count.
const HELD =
  'ethereum_held_record h LEFT JOIN dismissed_ethereum_record d USING (block_hash, transaction_hash, log_index)';
const COUNT = `UPDATE ethereum_feed SET source_row_count = $1 - (SELECT count(*) FROM ${HELD} WHERE d.reason IS NOT NULL),
    published_row_count = (SELECT count(*) FROM ethereum_record),
    quarantined_row_count = (SELECT count(*) FROM ${HELD} WHERE d.reason IS NULL) + $2
  RETURNING source_row_count AS source, published_row_count AS published, quarantined_row_count AS quarantined`;
// A rebuilt index has the same launches under other numbers.
const PUBLISH = `INSERT INTO ethereum_record (publication_number, router_launch_id, record, record_sha256, evidence_sha256, block_hash, transaction_hash, log_index)
  SELECT coalesce(max(publication_number), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM ethereum_record
  ON CONFLICT (block_hash, transaction_hash, log_index) DO NOTHING RETURNING publication_number`;
const HOLD = `INSERT INTO ethereum_held_record (block_hash, transaction_hash, log_index, reason)
  SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM ethereum_record WHERE block_hash = $1 AND transaction_hash = $2 AND log_index = $3)
  ON CONFLICT (block_hash, transaction_hash, log_index) DO UPDATE SET reason = excluded.reason`;
const RELEASE = 'DELETE FROM ethereum_held_record WHERE block_hash = $1 AND transaction_hash = $2 AND log_index = $3';
const READ_AGAIN = 'UPDATE ethereum_feed SET last_sequence = 0';

/** Stores rows of the feed of Ethereum. */
@Injectable()
export class EthereumFeedRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async state(): Promise<FeedState> {
    const [row] = await this.database.query<FeedState & Record<string, unknown>>(STATE);
    if (row === undefined) throw new TypeError('the migration made the row');
    return row;
  }

  /** Lists rows in the order of publication, after a publication number; one row more than `limit` when more follow. */
  list(limit: number, after: string): Promise<readonly EthereumRow[]> {
    return this.database.query<EthereumRow & Record<string, unknown>>(
      'SELECT publication_number AS "publicationNumber", record FROM ethereum_record WHERE publication_number > $2 ORDER BY publication_number LIMIT $1',
      [limit + 1, after],
    );
  }

  /** Returns whether a digest belongs to the evidence of a launch in the feed. */
  async hasEvidence(routerLaunchId: string, sha256: Sha256Digest): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM ethereum_record WHERE router_launch_id = $1 AND evidence_sha256 = $2 LIMIT 1',
      [routerLaunchId, sha256],
    );
    return rows.length > 0;
  }

  /**
   * Writes the result of a reading, all or nothing.
   * @param from the sequence number that the reading began after.
   * @returns the new records; null when another gateway has advanced from there.
   */
  record(
    from: string,
    reading: IndexReading,
    judged: readonly JudgedRow[],
    isComplete: boolean,
  ): Promise<{ readonly published: number; readonly held: number } | null> {
    return this.database.transaction(async (session) => {
      const through = judged.at(-1)?.row.sequence ?? from;
      const taken = await session.query(ADVANCE, [from, through, reading.status, reading.readAt]);
      if (taken.length === 0) return null;
      let [published, held] = [0, 0];
      for (const one of judged)
        if (await write(session, one)) published += 1;
        else if ('held' in one) held += 1;
      const [counted] = await session.query<{ source: number; published: number; quarantined: number }>(COUNT, [
        reading.launches + reading.judged,
        reading.judged,
      ]);
      // Everything was read and a row is missing: the index renumbered it below the position of the reading.
      if (
        isComplete &&
        counted !== undefined &&
        counted.source > counted.published + counted.quarantined &&
        from !== '0'
      )
        await session.query(READ_AGAIN);
      return { published, held };
    });
  }
}

/** Writes a record. @returns whether it is new in the feed. */
async function write(session: Session, judged: JudgedRow): Promise<boolean> {
  const { blockHash, transactionHash, logIndex, evidenceSha256 } = judged.row;
  const place = [blockHash, transactionHash, logIndex];
  if ('held' in judged) {
    await session.query(HOLD, [...place, judged.held]);
    return false;
  }
  await session.query(RELEASE, place);
  const { routerLaunchId, record, recordSha256 } = judged;
  const rows = await session.query(PUBLISH, [routerLaunchId, record, recordSha256, evidenceSha256, ...place]);
  return rows.length > 0;
}
