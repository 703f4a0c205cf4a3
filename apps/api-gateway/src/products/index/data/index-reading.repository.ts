import { Inject, Injectable } from '@nestjs/common';
import { CUSTOM_GRAPH_KIND, publishedSourceSchema, type ReadStatus } from '@launch/contracts/index';
import { bytes32Schema, sha256DigestSchema, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { z } from 'zod';
import { freshnessOf } from './index-freshness.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';

const SOURCE_VERSION = 'ethereum-custom-v1';
const CHAIN = 1;

const ROUTER = `chain_id = ${CHAIN} AND source_version = '${SOURCE_VERSION}'`;
const CUSTOM = `chain_id = ${CHAIN} AND source_kind = '${SOURCE_VERSION}' AND launch_kind = ${CUSTOM_GRAPH_KIND} AND sequence IS NOT NULL`;
/**
 * One statement, so that counts, rows and the checkpoints that cover them are from one moment. Rows come as JSON, so that
 * an invalid row fails alone.
 */
const READING = `
  SELECT now() AS "readAt",
    (SELECT count(*)::int FROM published.launch WHERE ${CUSTOM}) AS launches,
    (SELECT count(*)::int FROM published.quarantine q JOIN published.source s USING (release_digest)
       WHERE s.chain_id = ${CHAIN} AND s.source_version = '${SOURCE_VERSION}' AND q.finalized AND q.dismissed_reason IS NULL) AS judged,
    (SELECT coalesce(json_agg(r), '[]') FROM (
       SELECT l.sequence::text, l.block_hash AS "blockHash", l.transaction_hash AS "transactionHash", l.log_index AS "logIndex",
         l.transaction_index AS "transactionIndex", l.evidence_sha256 AS "evidenceSha256", l.record,
         s.checkpoint_number::text AS "checkpointNumber", s.checkpoint_hash AS "checkpointHash", s.checkpoint_at AS "checkpointAt"
       FROM (SELECT * FROM published.launch WHERE ${CUSTOM} AND sequence > $1 ORDER BY sequence LIMIT $2) l
       JOIN published.source s ON s.release_digest = l.release_digest ORDER BY l.sequence) r) AS rows`;
const SOURCES = `SELECT release_digest, document, status, state, state_reason, checkpoint_number, checkpoint_hash, checkpoint_at,
  finalized_head, provisional_number, updated_at, progressed_at, has_holds, lacks_trades FROM published.source WHERE ${ROUTER}`;

const indexRowSchema = z.object({
  sequence: z.string(),
  blockHash: bytes32Schema,
  transactionHash: bytes32Schema,
  logIndex: z.number().int(),
  transactionIndex: z.number().int(),
  evidenceSha256: sha256DigestSchema,
  record: z.unknown(),
  checkpointNumber: z.string().nullable(),
  checkpointHash: z.string().nullable(),
  checkpointAt: z.string().nullable(),
});

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

const readingSchema = z.tuple([
  z.object({
    readAt: z.date(),
    launches: z.number().int(),
    judged: z.number().int(),
    rows: z.array(indexRowSchema),
  }),
]);
const sourcesSchema = z.array(publishedSourceSchema);

/** Reads the published rows of Ethereum's routers. */
@Injectable()
export class IndexReadingRepository {
  constructor(@Inject(INDEX_DATABASE) private readonly index: IndexDatabase) {}

  /** Reads launches after a sequence number, `limit` at most. @throws ApiError `SERVICE_UNAVAILABLE` without an index. */
  async read(after: string, limit: number): Promise<IndexReading> {
    // Read before the rows: the rows that a checkpoint covers were committed with it.
    const sources = sourcesSchema.parse(await this.index.query(SOURCES));
    const [reading] = readingSchema.parse(await this.index.query(READING, [after, limit]));
    return { ...reading, status: freshnessOf(sources, reading.readAt.getTime()) };
  }
}
