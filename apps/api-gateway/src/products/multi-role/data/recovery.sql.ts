import { addressSchema, bytes32Schema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';

/** Selects launches with a hand-off and without an end. The parameter holds their statuses. */
const observed = (statuses: string): string => `handoff IS NOT NULL AND status = ANY(${statuses}::text[])`;

/** A search begins at the block on which a hand-off was simulated, because its launch cannot be included earlier. */
export const TARGETS = statement({
  name: 'recovery.targets',
  row: z.strictObject({ router: addressSchema, fromBlock: z.string().nullable() }),
  text: `
  SELECT router, min((handoff::json #>> '{simulation,blockNumber}')::numeric)::text AS "fromBlock"
  FROM launch WHERE ${observed('$2')} GROUP BY router ORDER BY min(created_at) LIMIT $1`,
});

export const STAMPED = statement({
  name: 'recovery.stamped',
  row: z.strictObject({ launchId: z.string(), transactionHash: z.string() }),
  text: `
  SELECT launch_id AS "launchId", found.transaction_hash AS "transactionHash"
  FROM launch JOIN unnest($2::text[], $3::text[]) AS found (onchain_launch_id, transaction_hash) USING (onchain_launch_id)
  WHERE router = $1 AND ${observed('$4')}`,
});

export const REPORT = statement({
  name: 'recovery.report',
  text: `
  INSERT INTO recovery_report (router, checkpoint_number, checkpoint_hash, head_number, observation, reason, reported_at)
  VALUES ($1, $2, $3, $4, $5, $6, now())
  ON CONFLICT (router) DO UPDATE SET checkpoint_number = $2, checkpoint_hash = $3, head_number = $4, observation = $5, reason = $6, reported_at = now()`,
});

export const READ_REPORTS = statement({
  name: 'recovery.read-reports',
  row: z.strictObject({
    router: addressSchema,
    checkpointNumber: z.string().nullable(),
    checkpointHash: bytes32Schema.nullable(),
    headNumber: z.string().nullable(),
    observation: z.enum(['agreed', 'indeterminate']),
    reportedAt: z.date(),
  }),
  text: `
  SELECT router, checkpoint_number AS "checkpointNumber", checkpoint_hash AS "checkpointHash", head_number AS "headNumber", observation, reported_at AS "reportedAt"
  FROM recovery_report WHERE router = $1 OR router IN (SELECT router FROM launch WHERE family = 'multi-role.v2' AND ${observed('$2')})
  ORDER BY router <> $1, router`,
});
