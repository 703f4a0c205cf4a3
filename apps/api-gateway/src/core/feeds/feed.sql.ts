import { sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';

const storedRecordRow = z.strictObject({
  publicationNumber: z.string(),
  record: z.string(),
  recordSha256: sha256DigestSchema,
  imageSha256: sha256DigestSchema,
  imageMediaType: z.string(),
});
const SELECT = `SELECT publication_number AS "publicationNumber", record, record_sha256 AS "recordSha256",
  image_sha256 AS "imageSha256", image_media_type AS "imageMediaType" FROM finalized_record`;

export const LIST = statement({
  name: 'feed.list',
  row: storedRecordRow,
  text: `${SELECT} WHERE feed = $1 AND publication_number > $3 ORDER BY publication_number LIMIT $2`,
});

export const HEAD = statement({
  name: 'feed.head',
  isPrepared: true,
  row: z.strictObject({ head: z.string() }),
  text: 'SELECT coalesce(max(publication_number), 0) AS head FROM finalized_record',
});

export const FIND = statement({
  name: 'feed.find',
  row: storedRecordRow,
  text: `${SELECT} WHERE onchain_launch_id = $1 AND feed = $2`,
});

export const EVIDENCE = statement({
  name: 'feed.evidence',
  row: z.strictObject({ evidence: sha256DigestSchema.nullable() }),
  text: `SELECT evidence_sha256 AS evidence FROM finalized_record JOIN launch USING (launch_id) WHERE launch_id = $1 AND feed = $2`,
});

// Custom launches and plans are in one feed. The partial index on `launch` has just these rows. Records that an operator
// dismissed are in neither count.
export const CUSTOM_LAUNCH_COUNTERS = statement({
  name: 'feed.custom-counters',
  row: z.strictObject({ source: z.int(), published: z.int(), quarantined: z.int(), asOf: z.date() }),
  text: `
  SELECT ((SELECT count(*) FROM launch WHERE status = 'finalized' AND family <> 'multi-role.v2')
      - (SELECT count(*) FROM dismissed_record))::int AS source,
    (SELECT count(*) FROM finalized_record WHERE feed = 'custom-launch.v4')::int AS published,
    ((SELECT count(*) FROM quarantined_record) - (SELECT count(*) FROM dismissed_record))::int AS quarantined, now() AS "asOf"`,
});
