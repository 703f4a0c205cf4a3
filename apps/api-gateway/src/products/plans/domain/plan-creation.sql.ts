import { statement } from '@launch/platform';
import { z } from 'zod';

export const WRITE_PLAN = statement({
  name: 'plan-creation.write-plan',
  isPrepared: true,
  text: `
  WITH written AS (INSERT INTO plan (plan_id, mode, plan_digest, resume_url, predecessor_id) VALUES ($1, $2, $3, $4, $5) RETURNING plan_id)
  INSERT INTO plan_step (plan_id, step_id, ordinal, kind, depends_on)
  SELECT written.plan_id, step_id, ordinal, kind, CASE WHEN before IS NULL THEN '{}' ELSE ARRAY[before] END
  FROM written, unnest($6::text[], $7::int[], $8::text[], $9::text[]) AS steps (step_id, ordinal, kind, before)`,
});

// The row's lock decides between two successors: the second finds it superseded.
export const SUPERSEDE = statement({
  name: 'plan-creation.supersede',
  text: `
  UPDATE launch l SET status = 'superseded', status_reason = l.status, updated_at = now() FROM plan p
  WHERE p.plan_id = l.launch_id AND p.plan_id = $1 AND p.plan_digest = $2 AND l.lineage_id = $3 AND l.controller = $4
    AND l.status = ANY($5) RETURNING l.launch_id`,
});

export const RESUME_URL = statement({
  name: 'plan-creation.resume-url',
  row: z.strictObject({ resumeUrl: z.string() }),
  text: `SELECT p.resume_url AS "resumeUrl" FROM plan p JOIN launch l ON l.launch_id = p.plan_id
     WHERE p.plan_id = $1 AND l.lineage_id = $2 AND l.controller = ANY($3)`,
});
