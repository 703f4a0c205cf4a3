import { Inject, Injectable } from '@nestjs/common';
import type { ReadStatus } from '@launch/contracts/index';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { freshnessOf } from './index-freshness.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';
import { READING, SOURCES } from './index-reading.sql.js';

/** A row as the index publishes it: its position comes from the database, its record is not parsed yet. */
export interface IndexRow {
  readonly sequence: string;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
  readonly transactionIndex: number;
  readonly evidenceSha256: Sha256Digest;
  readonly record?: unknown;
  readonly checkpointNumber: string | null;
  readonly checkpointHash: string | null;
  readonly checkpointAt: string | null;
}

/** The index's Custom launches on Ethereum at one moment. */
export interface IndexReading {
  readonly readAt: Date;
  /** Number of final launches. */
  readonly launches: number;
  /** Number of logs in final blocks that were judged not to be launches and not dismissed. */
  readonly judged: number;
  readonly rows: readonly IndexRow[];
  readonly status: ReadStatus;
}

/** Reads the published rows of Ethereum's routers. */
@Injectable()
export class IndexReadingRepository {
  constructor(@Inject(INDEX_DATABASE) private readonly index: IndexDatabase) {}

  /** Reads launches after a sequence number, `limit` at most. @throws ApiError `SERVICE_UNAVAILABLE` without an index. */
  async read(after: string, limit: number): Promise<IndexReading> {
    // Read before the rows: the rows that a checkpoint covers were committed with it.
    const sources = await this.index.query(SOURCES);
    const [reading] = await this.index.query(READING, [after, limit]);
    if (reading === undefined) throw new TypeError('a query without a table answers one row');
    return { ...reading, status: freshnessOf(sources, reading.readAt.getTime()) };
  }
}
