import { statement } from '@launch/platform';
import { z } from 'zod';
import { PLAN_AND_LAUNCH, PLAN_COLUMNS, storedPlanRow } from './plan.row.js';

const OWNED = "($1::uuid IS NULL OR l.lineage_id = $1) AND l.family = 'plan.v1' AND l.controller = ANY($2)";
const AFTER = '($3::timestamptz IS NULL OR l.created_at < $3 OR (l.created_at = $3 AND l.launch_id > $4))';

export const FIND = statement({
  name: 'plan.find',
  isPrepared: true,
  row: storedPlanRow,
  text: `SELECT ${PLAN_COLUMNS} FROM ${PLAN_AND_LAUNCH} WHERE ${OWNED} AND p.plan_id = $3`,
});

export const LIST = statement({
  name: 'plan.list',
  isPrepared: true,
  row: storedPlanRow,
  text: `SELECT ${PLAN_COLUMNS} FROM ${PLAN_AND_LAUNCH} WHERE ${OWNED} AND ${AFTER} AND p.mode = ANY($5)
  ORDER BY l.created_at DESC, l.launch_id LIMIT $6`,
});

export const COUNT_ATOMIC = statement({
  name: 'plan.count-atomic',
  row: z.strictObject({ omitted: z.int() }),
  text: `SELECT count(*)::int AS omitted FROM ${PLAN_AND_LAUNCH} WHERE ${OWNED} AND ${AFTER} AND p.mode = 'atomic'
  AND ($5::timestamptz IS NULL OR l.created_at > $5 OR (l.created_at = $5 AND l.launch_id <= $6))`,
});
