import { sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';

/** The same final statuses as in the partial index. A launch with a hand-off or a transaction keeps its bytes for ever. */
export const DUE = statement({
  name: 'refused-requests.due',
  row: z.strictObject({
    launchId: z.string(),
    requestSha256: sha256DigestSchema,
    imageSha256: sha256DigestSchema,
  }),
  text: `SELECT launch_id AS "launchId", request_sha256 AS "requestSha256", image_sha256 AS "imageSha256" FROM launch
  WHERE bytes_retired_at IS NULL AND handoff_sha256 IS NULL AND status IN ('action_required', 'failed', 'expired', 'superseded')
    AND transaction_hash IS NULL AND evidence_sha256 IS NULL AND updated_at < now() - $1 * interval '1 day'
  ORDER BY updated_at LIMIT $2`,
});

/** Blobs are shared: a record of any kind that names one keeps it. */
export const NEEDED = statement({
  name: 'refused-requests.needed',
  row: z.strictObject({ digest: sha256DigestSchema }),
  text: `SELECT asked.digest FROM unnest($1::text[]) AS asked(digest)
  WHERE EXISTS (SELECT FROM launch l WHERE l.request_sha256 = asked.digest AND l.bytes_retired_at IS NULL AND l.launch_id <> ALL($2::uuid[]))
    OR EXISTS (SELECT FROM launch l WHERE l.image_sha256 = asked.digest AND l.bytes_retired_at IS NULL AND l.launch_id <> ALL($2::uuid[]))
    OR EXISTS (SELECT FROM module_submission s WHERE s.request_digest = asked.digest)
    OR EXISTS (SELECT FROM module_submission s WHERE s.file_digests @> ARRAY[asked.digest])`,
});

export const IS_RETIRED = statement({
  name: 'refused-requests.is-retired',
  row: z.strictObject({ retired: z.boolean() }),
  text: 'SELECT bytes_retired_at IS NOT NULL AS retired FROM launch WHERE launch_id = $1',
});

export const NOTE_RETIRED = statement({
  name: 'refused-requests.note-retired',
  text: 'UPDATE launch SET bytes_retired_at = now() WHERE launch_id = ANY($1::uuid[]) AND bytes_retired_at IS NULL',
});
