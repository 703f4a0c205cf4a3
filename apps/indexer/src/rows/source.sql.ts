import { INDEX_STATES, indexSourceSchema } from '@launch/contracts/index';
import { statement } from '@launch/platform';
import { z } from 'zod';

/** A source with its last checkpoint. One query, run at every poll of every source: Prisma would make two. */
export const FIND = statement({
  name: 'source.find',
  row: z.strictObject({
    document: indexSourceSchema,
    state: z.enum(INDEX_STATES),
    stateReason: z.string().nullable(),
    checkpoint: z.bigint().nullable(),
    checkpointAt: z.date().nullable(),
    progressedAt: z.date(),
    finalizedHead: z.bigint().nullable(),
    next: z.bigint().nullable(),
    last: z.bigint().nullable(),
    number: z.bigint().nullable(),
    hash: z.string().nullable(),
    hasHolds: z.boolean(),
    nextRetryAt: z.date().nullable(),
  }),
  text: `
        SELECT document, state, state_reason AS "stateReason", checkpoint_number AS checkpoint,
               checkpoint_at AS "checkpointAt", progressed_at AS "progressedAt", finalized_head AS "finalizedHead", rescan_next AS next, rescan_last AS last,
               read.number, read.hash, held.is_there AS "hasHolds", held.next AS "nextRetryAt"
          FROM sources CROSS JOIN LATERAL (
            SELECT EXISTS (SELECT FROM holds WHERE holds.release_digest = sources.release_digest AND subject = 'launches') AS is_there,
                   (SELECT min(next_attempt_at) FROM holds WHERE holds.release_digest = sources.release_digest) AS next) AS held
          LEFT JOIN LATERAL (
            SELECT number, hash FROM checkpoints WHERE checkpoints.release_digest = sources.release_digest
             ORDER BY number DESC LIMIT 1) AS read ON true
         WHERE release_digest = $1`,
});

/** Reads the published view, which Prisma does not know. */
export const COUNT_QUARANTINED = statement({
  name: 'source.count-quarantined',
  row: z.strictObject({ count: z.int() }),
  text: `
          SELECT count(*)::int AS count FROM published.quarantine
           WHERE release_digest = $1 AND dismissed_reason IS NULL`,
});

export const REQUEST_RESCAN = statement({
  name: 'source.request-rescan',
  text: `
        UPDATE sources SET rescan_next = LEAST(rescan_next, $2::bigint), rescan_last = checkpoint_number, updated_at = now()
         WHERE release_digest = $1 AND checkpoint_number >= $2::bigint`,
});
