import { statement } from '@launch/platform';
import { z } from 'zod';

// One statement decides by the status it finds and by the database's time. A write of an older observation matches no row.
export const MOVE = statement({
  name: 'custom-launch-projection.move',
  text: `
  UPDATE launch SET status = move."to", sequence = greatest(sequence, $3),
    status_reason = CASE WHEN move.keeps THEN status_reason ELSE move.reason END,
    failure = coalesce(move.failure, launch.failure), findings = coalesce($4, findings),
    handoff_sha256 = coalesce(handoff_sha256, $5), handoff = coalesce(handoff, $6),
    finality = coalesce($7, finality), transaction_hash = coalesce($8, transaction_hash), evidence_sha256 = coalesce($9, evidence_sha256),
    relay_after = CASE WHEN $6::text IS NULL THEN relay_after ELSE now() + interval '2 seconds' END,
    updated_at = CASE WHEN status = move."to" AND (move.keeps OR status_reason IS NOT DISTINCT FROM move.reason) THEN updated_at ELSE now() END
  FROM jsonb_to_recordset($2::jsonb) AS move("from" text, "to" text, reason text, keeps boolean, failure text)
  WHERE launch_id = $1 AND family = 'custom-launch.v4' AND status = move."from" AND sequence <= $3
  RETURNING launch_id`,
});

export const RELEASE_NONCE = statement({
  name: 'custom-launch-projection.release-nonce',
  text: `DELETE FROM nonce_reservation WHERE launch_id = $1
         AND EXISTS (SELECT 1 FROM launch WHERE launch_id = $1 AND status = $2)`,
});

export const LOCK = statement({
  name: 'custom-launch-projection.lock',
  row: z.strictObject({ status: z.string() }),
  text: 'SELECT status FROM launch WHERE launch_id = $1 FOR UPDATE',
});
