import { bytes32Schema, sha256DigestSchema } from '@launch/contracts/primitives';
import { STEP_STATUSES } from '@launch/contracts/states';
import { statement } from '@launch/platform';
import { z } from 'zod';

/** The step's row is locked, so that the bound of its proofs holds under concurrency. */
export const LOCK_STEP = statement({
  name: 'step-proof.lock-step',
  row: z.strictObject({ status: z.enum(STEP_STATUSES), offered: z.boolean() }),
  text: `SELECT status, "authorization" IS NOT NULL AS offered FROM plan_step WHERE plan_id = $1 AND step_id = $2 FOR UPDATE`,
});

export const BOUND_BODY = statement({
  name: 'step-proof.bound-body',
  row: z.strictObject({ bodySha256: sha256DigestSchema }),
  text: `SELECT body_sha256 AS "bodySha256" FROM step_proof_key
     WHERE plan_id = $1 AND step_id = $2 AND idempotency_key = $3`,
});

export const NAMED_OF_STEP = statement({
  name: 'step-proof.named-of-step',
  row: z.strictObject({ transactionHash: bytes32Schema }),
  text: 'SELECT transaction_hash AS "transactionHash" FROM step_proof WHERE plan_id = $1 AND step_id = $2',
});

export const INSERT = statement({
  name: 'step-proof.insert',
  text: 'INSERT INTO step_proof (plan_id, step_id, transaction_hash) VALUES ($1, $2, $3)',
});

export const BIND_KEY = statement({
  name: 'step-proof.bind-key',
  text: 'INSERT INTO step_proof_key (plan_id, step_id, idempotency_key, body_sha256) VALUES ($1, $2, $3, $4)',
});

export const NOTE_DELIVERED = statement({
  name: 'step-proof.note-delivered',
  text: `UPDATE step_proof SET delivered_at = coalesce(delivered_at, now())
       WHERE plan_id = $1 AND step_id = $2 AND transaction_hash = $3`,
});

export const SWEEP = statement({
  name: 'step-proof.sweep',
  text: `DELETE FROM step_proof_key WHERE created_at < now() - $1 * interval '1 day'`,
});
