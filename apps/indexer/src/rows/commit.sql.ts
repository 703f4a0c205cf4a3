import { statement } from '@launch/platform';
import { z } from 'zod';

export const LOCK_SOURCE = statement({
  name: 'commit.lock-source',
  row: z.strictObject({ checkpoint: z.bigint().nullable(), chainId: z.int() }),
  text: `SELECT checkpoint_number AS checkpoint, chain_id AS "chainId" FROM sources WHERE release_digest = $1 FOR UPDATE`,
});

/** Adds the checkpoint of a range that ends at block $2 with hash $3. */
export const END_RANGE = statement({
  name: 'commit.end-range',
  text: `
          WITH read AS (INSERT INTO checkpoints (release_digest, number, hash)
                        VALUES ($1, $2::bigint, $3))
          UPDATE sources SET provisional_number = $2::bigint, progressed_at = now() WHERE release_digest = $1`,
});

/** Moves a requested second reading past block $2. */
export const MOVE_RESCAN = statement({
  name: 'commit.move-rescan',
  text: `
          UPDATE sources SET progressed_at = now(), rescan_next = NULLIF($2::bigint + 1, rescan_last + 1),
                             rescan_last = CASE WHEN $2::bigint < rescan_last THEN rescan_last END
           WHERE release_digest = $1 AND rescan_next <= $2::bigint`,
});

/** The lowest launch in stage $2 and the highest in stage $3. */
export const OPEN_POSTINGS = statement({
  name: 'commit.open-postings',
  row: z.strictObject({ stage: z.string(), number: z.bigint(), hash: z.string() }),
  text: `
        (SELECT finality_stage AS stage, block_number AS number, block_hash AS hash FROM launches
          WHERE release_digest = $1 AND finality_stage = $2 ORDER BY block_number ASC LIMIT 1)
        UNION ALL
        (SELECT finality_stage, block_number, block_hash FROM launches
          WHERE release_digest = $1 AND finality_stage = $3 ORDER BY block_number DESC LIMIT 1)`,
});
