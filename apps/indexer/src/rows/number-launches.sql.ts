import { statement } from '@launch/platform';
import { z } from 'zod';

/** Moves the finalized checkpoint of source $1 to block $2 with hash $3 at the time $4. */
export const MOVE_CHECKPOINT = statement({
  name: 'number-launches.move-checkpoint',
  text: `
    WITH kept AS (INSERT INTO checkpoints (release_digest, number, hash, finalized)
                  VALUES ($1, $2::bigint, $3, true)
                  ON CONFLICT (release_digest, number) DO UPDATE SET finalized = true),
         gone AS (DELETE FROM checkpoints WHERE release_digest = $1 AND number < $2::bigint)
    UPDATE sources SET checkpoint_number = $2::bigint, checkpoint_hash = $3, checkpoint_at = $4::timestamptz, progressed_at = now()
     WHERE release_digest = $1`,
});

/** Shows the quarantine of source $1 up to block $2, and counts the launches that are due for a number. */
export const COUNT_DUE = statement({
  name: 'number-launches.count-due',
  row: z.strictObject({ due: z.int() }),
  text: `
    WITH shown AS (UPDATE quarantine SET finalized = true
                    WHERE release_digest = $1 AND NOT finalized AND block_number <= $2::bigint)
    SELECT count(*)::int AS due FROM launches
     WHERE release_digest = $1 AND sequence IS NULL AND block_number <= $2::bigint`,
});

/** Numbers the launches of source $1 up to block $2, after the number $3. */
export const NUMBER = statement({
  name: 'number-launches.number',
  text: `
    WITH due AS (
      SELECT id, row_number() OVER (ORDER BY block_number, transaction_index, log_index) AS place FROM launches
       WHERE release_digest = $1 AND sequence IS NULL AND block_number <= $2::bigint)
    UPDATE launches SET sequence = $3::bigint + due.place, finality_stage = 'ethereum_finalized', admitted_at = now()
      FROM due WHERE launches.id = due.id`,
});
