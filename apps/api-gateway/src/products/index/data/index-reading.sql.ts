import { CUSTOM_GRAPH_KIND, publishedSourceSchema } from '@launch/contracts/index';
import { bytes32Schema, sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';

const SOURCE_VERSION = 'ethereum-custom-v1';
const CHAIN = 1;

const ROUTER = `chain_id = ${CHAIN} AND source_version = '${SOURCE_VERSION}'`;
const CUSTOM = `chain_id = ${CHAIN} AND source_kind = '${SOURCE_VERSION}' AND launch_kind = ${CUSTOM_GRAPH_KIND} AND sequence IS NOT NULL`;
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

/**
 * One statement, so that counts, rows and the checkpoints that cover them are from one moment. Rows come as JSON, so that
 * an invalid row fails alone.
 */
export const READING = statement({
  name: 'index-reading.reading',
  row: z.strictObject({ readAt: z.date(), launches: z.int(), judged: z.int(), rows: z.array(indexRowSchema) }),
  text: `
  SELECT now() AS "readAt",
    (SELECT count(*)::int FROM published.launch WHERE ${CUSTOM}) AS launches,
    (SELECT count(*)::int FROM published.quarantine q JOIN published.source s USING (release_digest)
       WHERE s.chain_id = ${CHAIN} AND s.source_version = '${SOURCE_VERSION}' AND q.finalized AND q.dismissed_reason IS NULL) AS judged,
    (SELECT coalesce(json_agg(r), '[]') FROM (
       SELECT l.sequence::text, l.block_hash AS "blockHash", l.transaction_hash AS "transactionHash", l.log_index AS "logIndex",
         l.transaction_index AS "transactionIndex", l.evidence_sha256 AS "evidenceSha256", l.record,
         s.checkpoint_number::text AS "checkpointNumber", s.checkpoint_hash AS "checkpointHash", s.checkpoint_at AS "checkpointAt"
       FROM (SELECT * FROM published.launch WHERE ${CUSTOM} AND sequence > $1 ORDER BY sequence LIMIT $2) l
       JOIN published.source s ON s.release_digest = l.release_digest ORDER BY l.sequence) r) AS rows`,
});

export const SOURCES = statement({
  name: 'index-reading.sources',
  row: publishedSourceSchema,
  text: `SELECT release_digest, document, status, state, state_reason, checkpoint_number, checkpoint_hash, checkpoint_at,
  finalized_head, provisional_number, updated_at, progressed_at, has_holds, lacks_trades FROM published.source WHERE ${ROUTER}`,
});
