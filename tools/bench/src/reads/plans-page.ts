import { setTimeout as sleep } from 'node:timers/promises';
import { PLAN_LIMITS, planResourceSchema } from '@launch/contracts/plans';
import { Pool } from 'pg';
import { itemsPerSecond } from '../measure/sampling.js';
import type { BenchStack } from '../stack/bench-stack.js';
import type { GatewayClient } from '../stack/gateway.client.js';
import { packedPlan, PLANS, renoncedText } from '../stack/custom-launch-requests.js';

/** The gateway's statement of a page of plans (apps/api-gateway/src/products/plans/data/plan.repository.ts). */
const PAGE = `
  SELECT p.plan_id AS "planId", l.controller, l.request_sha256 AS "requestSha256", l.context_hash AS "contextHash",
    l.deadline, l.status, l.status_reason AS "statusReason", l.findings, l.created_at AS "createdAt", l.updated_at AS "updatedAt",
    p.mode, p.plan_digest AS "planDigest", p.resume_url AS "resumeUrl",
    (SELECT successor.plan_id FROM plan successor WHERE successor.predecessor_id = p.plan_id) AS "successorId",
    (SELECT json_agg(json_build_object(
       'stepId', s.step_id, 'ordinal', s.ordinal, 'kind', s.kind, 'dependsOn', s.depends_on, 'status', s.status,
       'authorization', s."authorization", 'finality', s.finality, 'transactions', s.transactions,
       'proofs', ARRAY(SELECT f.transaction_hash FROM step_proof f WHERE f.plan_id = s.plan_id AND f.step_id = s.step_id
                       ORDER BY f.registered_at, f.transaction_hash)) ORDER BY s.ordinal)
     FROM plan_step s WHERE s.plan_id = p.plan_id) AS steps
  FROM plan p JOIN launch l ON l.launch_id = p.plan_id
  WHERE l.lineage_id = $1 AND l.family = 'plan.v1' AND l.controller = ANY($2)
    AND ($3::timestamptz IS NULL OR l.created_at < $3 OR (l.created_at = $3 AND l.launch_id > $4)) AND p.mode = ANY($5)
  ORDER BY l.created_at DESC, l.launch_id LIMIT $6`;
const LINEAGE = 'SELECT lineage_id FROM launch WHERE launch_id = $1';

/** A full page, and one that tells whether there is another. */
const ROWS = PLAN_LIMITS.listMax + 1;
const LOOK_MS = 100;
const OFFERED_WITHIN_MS = 300_000;

/** Plans whose first step is offered, and the question to the database for a page of them. */
export interface OfferedPlans {
  readonly apiKey: string;
  readonly databaseUrl: string;
  readonly question: string;
  readonly values: readonly unknown[];
  readonly rows: number;
}

/**
 * So many plans that there is a page after the first, all of a separate key, so that other benches' plans are not among them.
 * Their requests differ only in the nonce, and no wallet sends the offered steps.
 */
export async function offeredPlans(stack: BenchStack): Promise<OfferedPlans> {
  const { gateway, apiKey } = await stack.planAuthor();
  const bodies = renoncedText(await packedPlan(stack), ROWS);
  const planIds: string[] = [];
  await itemsPerSecond(bodies, 4, async (bytes) => void planIds.push(await gateway.create(bytes, PLANS)));
  for (const planId of planIds) await untilOffered(gateway, planId);
  return {
    apiKey,
    databaseUrl: stack.gatewayDatabaseUrl,
    question: PAGE,
    values: [await lineageOf(stack, planIds[0] ?? ''), [stack.controller], null, null, ['sequential', 'atomic'], ROWS],
    rows: ROWS,
  };
}

async function untilOffered(gateway: GatewayClient, planId: string): Promise<void> {
  for (const end = Date.now() + OFFERED_WITHIN_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const { status, steps } = planResourceSchema.parse(await gateway.read(`${PLANS}/${planId}`));
    if (steps[0]?.authorization != null) return;
    if (['action_required', 'failed', 'expired'].includes(status)) throw new Error(`the plan is ${status}`);
  }
  throw new Error('the plan is not offered');
}

async function lineageOf({ gatewayDatabaseUrl }: BenchStack, planId: string): Promise<string> {
  const pool = new Pool({ connectionString: gatewayDatabaseUrl, max: 1 });
  try {
    const { rows } = await pool.query<{ lineage_id: string }>(LINEAGE, [planId]);
    if (rows[0] === undefined) throw new Error('the plan is not in the database');
    return rows[0].lineage_id;
  } finally {
    await pool.end();
  }
}
