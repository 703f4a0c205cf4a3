import { addressSchema, bytes32Schema, sha256DigestSchema } from '@launch/contracts/primitives';
import { LAUNCH_FAMILIES } from '@launch/contracts/states';
import { statement } from '@launch/platform';
import { z } from 'zod';

const unfinishedLaunchRow = z.strictObject({
  launchId: z.string(),
  family: z.enum(LAUNCH_FAMILIES),
  lineageId: z.string(),
  status: z.string(),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  controller: addressSchema,
  deadline: z.string(),
  handoffSha256: sha256DigestSchema.nullable(),
});

const COLUMNS = `launch_id AS "launchId", family, lineage_id AS "lineageId", status, request_sha256 AS "requestSha256", request_hash AS "requestHash",
  context_hash AS "contextHash", controller, deadline::text AS deadline, handoff_sha256 AS "handoffSha256"`;

// An admission that has not ended with its window cannot be recorded: each further run is delayed longer, up to a day.
const PUT_OFF = `CASE WHEN handoff_sha256 IS NULL AND now() > to_timestamp(deadline)
    THEN least(interval '1 day', greatest($2 * interval '1 second', (now() - to_timestamp(deadline)) / 2))
    ELSE $2 * interval '1 second' END`;

// Rows that another gateway is taking are skipped. Taken rows are postponed, so that no gateway takes them again soon.
export const TAKE_DUE = statement({
  name: 'launch-relay.take-due',
  row: unfinishedLaunchRow,
  text: `
  UPDATE launch SET relay_after = now() + ${PUT_OFF}
  WHERE launch_id IN (
    SELECT launch_id FROM launch WHERE status = ANY($3::text[]) AND relay_after <= now()
    ORDER BY relay_after LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  RETURNING ${COLUMNS}`,
});

export const FIND = statement({
  name: 'launch-relay.find',
  row: unfinishedLaunchRow,
  text: `SELECT ${COLUMNS} FROM launch WHERE launch_id = $1 AND status = ANY($2)`,
});

// Rows are locked in one order, so that two gateways never deadlock.
const noteStarted = (column: string): string => `UPDATE launch SET ${column} = now() WHERE launch_id IN (
          SELECT launch_id FROM launch WHERE launch_id = ANY($1) AND ${column} IS NULL ORDER BY launch_id FOR UPDATE)`;
export const NOTE_STARTED = {
  admission: statement({ name: 'launch-relay.note-admission', text: noteStarted('admission_started_at') }),
  observation: statement({ name: 'launch-relay.note-observation', text: noteStarted('observation_started_at') }),
};

export const RETRY_SOON = statement({
  name: 'launch-relay.retry-soon',
  text: `UPDATE launch SET relay_after = least(relay_after, now() + $2 * interval '1 second') WHERE launch_id = $1`,
});

export const NOTE_DELIVERED = statement({
  name: 'launch-relay.note-delivered',
  text: 'UPDATE transaction_hint SET delivered_at = coalesce(delivered_at, now()) WHERE launch_id = $1 AND transaction_hash = $2',
});
