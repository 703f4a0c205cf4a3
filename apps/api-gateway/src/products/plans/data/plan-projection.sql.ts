import { sha256DigestSchema } from '@launch/contracts/primitives';
import { PLAN_STATUSES, STEP_STATUSES } from '@launch/contracts/states';
import { statement } from '@launch/platform';
import { z } from 'zod';

const planStatus = z.enum(PLAN_STATUSES);

/** A plan with its steps, in one round trip. */
export const STATE = statement({
  name: 'plan-projection.state',
  row: z.strictObject({
    status: planStatus,
    handoffSha256: sha256DigestSchema.nullable(),
    requestSha256: sha256DigestSchema,
    steps: z.array(z.strictObject({ stepId: z.string(), offered: z.boolean() })),
  }),
  text: `SELECT l.status, l.handoff_sha256 AS "handoffSha256", l.request_sha256 AS "requestSha256",
         (SELECT json_agg(json_build_object('stepId', s.step_id, 'offered', s."authorization" IS NOT NULL) ORDER BY s.ordinal)
          FROM plan_step s WHERE s.plan_id = l.launch_id) AS steps
       FROM launch l WHERE l.launch_id = $1 AND l.family = 'plan.v1'`,
});

export const WAITS = statement({
  name: 'plan-projection.waits',
  text: `UPDATE launch SET status_reason = $2, updated_at = now() WHERE launch_id = $1 AND status = $3 AND status_reason IS DISTINCT FROM $2`,
});

export const FOUND = statement({
  name: 'plan-projection.found',
  text: 'UPDATE launch SET findings = $2, updated_at = now() WHERE launch_id = $1 AND status = $3',
});

export const RELEASE_NONCE = statement({
  name: 'plan-projection.release-nonce',
  text: `DELETE FROM nonce_reservation WHERE launch_id = $1
         AND EXISTS (SELECT FROM launch WHERE launch_id = $1 AND status = 'action_required')`,
});

export const END_ADMISSION = statement({
  name: 'plan-projection.end-admission',
  text: `UPDATE launch SET status = $2, status_reason = $3, findings = $4, updated_at = now() WHERE launch_id = $1 AND status = $5`,
});

export const HANDED_OFF = statement({
  name: 'plan-projection.handed-off',
  text: `UPDATE launch SET status = $3, status_reason = NULL, handoff_sha256 = $2, updated_at = now(), relay_after = now() + interval '2 seconds'
       WHERE launch_id = $1 AND status = $4 AND handoff_sha256 IS NULL`,
});

export const LOCK = statement({
  name: 'plan-projection.lock',
  row: z.strictObject({ status: planStatus }),
  text: `SELECT status FROM launch WHERE launch_id = $1 AND family = 'plan.v1' FOR UPDATE`,
});

const stepsRow = z.strictObject({
  stepId: z.string(),
  dependsOn: z.array(z.string()),
  status: z.enum(STEP_STATUSES),
  polls: z.int(),
  sequence: z.string().transform(BigInt),
  offered: z.boolean(),
  transactions: z.string(),
});
export type StepsRow = Readonly<z.output<typeof stepsRow>>;

export const STEPS = statement({
  name: 'plan-projection.steps',
  row: stepsRow,
  text: `SELECT step_id AS "stepId", depends_on AS "dependsOn", status, polls, sequence, "authorization" IS NOT NULL AS offered,
           transactions
         FROM plan_step WHERE plan_id = $1 ORDER BY ordinal`,
});

export const WRITE_STEP = statement({
  name: 'plan-projection.write-step',
  text: `UPDATE plan_step SET status = $3, polls = $4, sequence = $5, finality = $6, transactions = $7,
             evidence_sha256 = coalesce($8, evidence_sha256), "authorization" = coalesce("authorization", $9)
           WHERE plan_id = $1 AND step_id = $2`,
});

export const WRITE_STATUS = statement({
  name: 'plan-projection.write-status',
  text: 'UPDATE launch SET status = $2, updated_at = now() WHERE launch_id = $1',
});

export const END = statement({
  name: 'plan-projection.end',
  text: 'UPDATE launch SET status = $2, status_reason = $3, findings = $4, updated_at = now() WHERE launch_id = $1',
});

export const FINALIZE = statement({
  name: 'plan-projection.finalize',
  text: `UPDATE launch SET status = 'finalized', status_reason = NULL, transaction_hash = $2, evidence_sha256 = $3, updated_at = now()
         WHERE launch_id = $1`,
});
