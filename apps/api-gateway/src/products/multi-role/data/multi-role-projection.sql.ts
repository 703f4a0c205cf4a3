import { sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';

export const IDENTITY = statement({
  name: 'multi-role-projection.identity',
  row: z.strictObject({
    status: z.string(),
    requestSha256: sha256DigestSchema,
    requestHash: z.string(),
    contextHash: z.string(),
    artifactHash: z.string(),
    controller: z.string(),
    router: z.string(),
    onchainLaunchId: z.string(),
    imageSha256: sha256DigestSchema,
    contextDocument: z.string(),
  }),
  text: `SELECT status, request_sha256 AS "requestSha256", request_hash AS "requestHash", context_hash AS "contextHash",
  artifact_hash AS "artifactHash", controller, router, onchain_launch_id AS "onchainLaunchId", image_sha256 AS "imageSha256",
  document AS "contextDocument"
  FROM launch JOIN release_context USING (context_hash) WHERE launch_id = $1`,
});

export const ADMITTING = statement({
  name: 'multi-role-projection.admitting',
  text: `UPDATE launch SET status = $3, status_reason = $2, updated_at = now()
       WHERE launch_id = $1 AND (status = ANY($4) OR (status = $3 AND status_reason IS DISTINCT FROM $2 AND $2 IS NOT NULL))`,
});

export const ASSESSED = statement({
  name: 'multi-role-projection.assessed',
  text: `UPDATE launch SET status = $4, assessment = $2, findings = $3, updated_at = now()
       WHERE launch_id = $1 AND (status = ANY($5) OR status = $4) AND assessment IS NULL`,
});

export const REFUSED = statement({
  name: 'multi-role-projection.refused',
  text: `UPDATE launch SET status = $4, status_reason = $3, findings = $2, updated_at = now()
         WHERE launch_id = $1 AND status = ANY($5)`,
});

export const RELEASE_NONCE = statement({
  name: 'multi-role-projection.release-nonce',
  text: `DELETE FROM nonce_reservation WHERE launch_id = $1
         AND EXISTS (SELECT 1 FROM launch WHERE launch_id = $1 AND status = $2)`,
});

export const HANDED_OFF = statement({
  name: 'multi-role-projection.handed-off',
  text: `UPDATE launch SET status = $4, status_reason = NULL, handoff_sha256 = $2, handoff = $3, updated_at = now(), relay_after = now() + interval '2 seconds'
       WHERE launch_id = $1 AND status = ANY($5) AND handoff IS NULL`,
});

export const AWAITING_SIGNATURE = statement({
  name: 'multi-role-projection.awaiting-signature',
  text: 'UPDATE launch SET status = $2, updated_at = now() WHERE launch_id = $1 AND status = ANY($3)',
});

export const SUBMITTED = statement({
  name: 'multi-role-projection.submitted',
  text: `UPDATE launch SET status = $3, transaction_hash = $2, updated_at = now()
       WHERE launch_id = $1 AND status = ANY($4)`,
});

export const FINALITY = statement({
  name: 'multi-role-projection.finality',
  text: `UPDATE launch SET finality = $2, sequence = $5
       WHERE launch_id = $1 AND status <> $4 AND handoff IS NOT NULL AND sequence <= $5
         AND (finality IS NULL OR coalesce(finality::json #>> '{observation,at}', '') <= $3)`,
});

export const FAILED = statement({
  name: 'multi-role-projection.failed',
  text: `UPDATE launch SET status = $4, status_reason = $3, findings = $2, updated_at = now()
       WHERE launch_id = $1 AND status = ANY($5) AND (handoff IS NULL OR NOT $6)`,
});

export const EXPIRED = statement({
  name: 'multi-role-projection.expired',
  text: `UPDATE launch SET status = $3, status_reason = $2, updated_at = now()
       WHERE launch_id = $1 AND status = ANY($4) AND (handoff IS NULL OR NOT $5)`,
});

export const FINALIZED = statement({
  name: 'multi-role-projection.finalized',
  text: `UPDATE launch SET status = $5, finality = $2, transaction_hash = $3, evidence_sha256 = $4
         WHERE launch_id = $1 AND status = ANY($6) RETURNING launch_id`,
});
