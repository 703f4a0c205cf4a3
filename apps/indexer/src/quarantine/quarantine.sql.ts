import { QUARANTINE_REASONS } from '@launch/contracts/index';
import { sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';

export const APPEND = statement({
  name: 'quarantine.append',
  text: `
      INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail, token_address)
      SELECT $1, $2, $3, $4::int, max(ordinal) + 1, $5, $6, $7, $8
        FROM quarantine_judgements WHERE release_digest = $1 AND block_hash = $2
         AND transaction_hash = $3 AND log_index = $4::int`,
});

/** Reads the published view, which Prisma does not know. */
export const COUNTS = statement({
  name: 'quarantine.counts',
  row: z.strictObject({ releaseDigest: sha256DigestSchema, reason: z.enum(QUARANTINE_REASONS), count: z.int() }),
  text: `
      SELECT release_digest AS "releaseDigest", reason, count(*)::int AS count FROM published.quarantine
       WHERE dismissed_reason IS NULL GROUP BY release_digest, reason`,
});
