import { Pool } from 'pg';
import type { BenchStack } from '../stack/bench-stack.js';
import { packedPlan, PLANS, renoncedText } from '../stack/v4-requests.js';
import { itemsPerSecond } from '../measure/sampling.js';

/** The gateway's statement of a page of plans (apps/api-gateway/src/plans/plan.repository.ts). */
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
const OWN = `SELECT lineage_id, count(*)::int AS plans FROM launch WHERE controller = $1 AND family = 'plan.v1' GROUP BY lineage_id`;

async function ownPlans({ gatewayDatabaseUrl, controller }: BenchStack) {
  const pool = new Pool({ connectionString: gatewayDatabaseUrl, max: 1 });
  try {
    const { rows } = await pool.query<{ lineage_id: string; plans: number }>(OWN, [controller]);
    return rows[0];
  } finally {
    await pool.end();
  }
}

/** At least so many plans of the bench's key, which nobody admits: their requests are the same but for the nonce. */
export async function fillPlans(stack: BenchStack, count: number): Promise<void> {
  const missing = count - ((await ownPlans(stack))?.plans ?? 0);
  if (missing <= 0) return;
  await stack.running.services.kill('admission-worker', 'SIGTERM', { hold: true });
  const bodies = renoncedText(await packedPlan(stack), missing);
  await itemsPerSecond(bodies, 4, async (bytes) => void (await stack.gateway.create(bytes, PLANS)));
}

/** What the database is asked for a page of plans, and how many rows it answers. */
export async function plansPage(stack: BenchStack) {
  const own = await ownPlans(stack);
  if (own === undefined) throw new Error('there are no plans');
  const rows = Math.min(own.plans, ROWS);
  const values = [own.lineage_id, [stack.controller], null, null, ['sequential', 'atomic'], ROWS];
  return { databaseUrl: stack.gatewayDatabaseUrl, question: PAGE, values, rows };
}

/** A full page, and one that tells whether there is another. */
const ROWS = 26;
