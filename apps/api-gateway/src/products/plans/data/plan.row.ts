import type { CustomLaunchFinding } from '@launch/contracts/errors';
import { PLAN_MODES, STEP_KINDS, type PlanMode, type PlanResourceV12, type StepKind } from '@launch/contracts/plans';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  type Hex,
  type Sha256Digest,
} from '@launch/contracts/primitives';
import { PLAN_STATUSES, STEP_STATUSES, type PlanStatus, type StepStatus } from '@launch/contracts/states';
import { z } from 'zod';

type StepResource = PlanResourceV12['steps'][number];
export type StepAuthorization = NonNullable<StepResource['authorization']>;
export type StepFinality = StepResource['finality'];
export type StepTransaction = StepResource['transactions'][number];

/** A plan and its steps for the owner's view. */
export interface PlanRow {
  readonly planId: string;
  readonly controller: Hex;
  readonly requestSha256: Sha256Digest;
  readonly contextHash: Hex;
  /** End of the permit's window. */
  readonly deadline: bigint;
  readonly status: PlanStatus;
  /** The earlier status of a superseded plan. */
  readonly statusReason: string | null;
  readonly findings: readonly CustomLaunchFinding[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly mode: PlanMode;
  readonly planDigest: Sha256Digest;
  readonly resumeUrl: string;
  /** The plan that took its place. */
  readonly successorId: string | null;
  readonly steps: readonly StepRow[];
}

export interface StepRow {
  readonly stepId: string;
  readonly ordinal: number;
  readonly kind: StepKind;
  readonly dependsOn: readonly string[];
  readonly status: StepStatus;
  readonly authorization: StepAuthorization | null;
  readonly finality: StepFinality | null;
  /** The observed transactions. */
  readonly transactions: readonly StepTransaction[];
  /** Hashes that clients named, in their order. */
  readonly proofs: readonly Hex[];
}

/** A plan as SQL returns it: JSON as text, 64-bit integers as strings. */
export const storedPlanRow = z.strictObject({
  planId: z.string(),
  controller: addressSchema,
  requestSha256: sha256DigestSchema,
  contextHash: bytes32Schema,
  deadline: z.string(),
  status: z.enum(PLAN_STATUSES),
  statusReason: z.string().nullable(),
  findings: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
  mode: z.enum(PLAN_MODES),
  planDigest: sha256DigestSchema,
  resumeUrl: z.string(),
  successorId: z.string().nullable(),
  steps: z.array(
    z.strictObject({
      stepId: z.string(),
      ordinal: z.int(),
      kind: z.enum(STEP_KINDS),
      dependsOn: z.array(z.string()),
      status: z.enum(STEP_STATUSES),
      authorization: z.string().nullable(),
      finality: z.string().nullable(),
      transactions: z.string(),
      proofs: z.array(bytes32Schema),
    }),
  ),
});
export type StoredPlan = Readonly<z.output<typeof storedPlanRow>>;

/** The columns of a `StoredPlan`, from `PLAN_AND_LAUNCH`. Without the hand-off: the steps have its visible parts. */
export const PLAN_COLUMNS = `p.plan_id AS "planId", l.controller, l.request_sha256 AS "requestSha256", l.context_hash AS "contextHash",
    l.deadline, l.status, l.status_reason AS "statusReason", l.findings, l.created_at AS "createdAt", l.updated_at AS "updatedAt",
    p.mode, p.plan_digest AS "planDigest", p.resume_url AS "resumeUrl",
    (SELECT successor.plan_id FROM plan successor WHERE successor.predecessor_id = p.plan_id) AS "successorId",
    (SELECT json_agg(json_build_object(
       'stepId', s.step_id, 'ordinal', s.ordinal, 'kind', s.kind, 'dependsOn', s.depends_on, 'status', s.status,
       'authorization', s."authorization", 'finality', s.finality, 'transactions', s.transactions,
       'proofs', ARRAY(SELECT f.transaction_hash FROM step_proof f WHERE f.plan_id = s.plan_id AND f.step_id = s.step_id
                       ORDER BY f.registered_at, f.transaction_hash)) ORDER BY s.ordinal)
     FROM plan_step s WHERE s.plan_id = p.plan_id) AS steps`;
export const PLAN_AND_LAUNCH = 'plan p JOIN launch l ON l.launch_id = p.plan_id';

/** Reads JSON that the gateway wrote from a schema's type. */
const read = <T>(text: string): T => JSON.parse(text) as T;
const readOrNull = <T>(text: string | null): T | null => (text === null ? null : read<T>(text));

export const decodePlan = (row: StoredPlan): PlanRow => ({
  ...row,
  deadline: BigInt(row.deadline),
  findings: read(row.findings),
  steps: row.steps.map((step) => ({
    ...step,
    authorization: readOrNull(step.authorization),
    finality: readOrNull(step.finality),
    transactions: read(step.transactions),
  })),
});
