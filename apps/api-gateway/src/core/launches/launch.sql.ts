import { sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';
import { LAUNCH_AND_CONTEXT, LAUNCH_COLUMNS, storedLaunchRow } from './stored-launch.js';

export const COUNT_UNFINISHED = statement({
  name: 'launch.count-unfinished',
  isPrepared: true,
  row: z.strictObject({ lineageId: z.string(), held: z.int() }),
  text: `SELECT lineage_id::text AS "lineageId", held FROM unnest($1::uuid[]) AS asked (lineage_id), LATERAL (
  SELECT count(*)::int AS held FROM (
    SELECT FROM launch l WHERE l.lineage_id = asked.lineage_id AND l.status <> ALL($2) LIMIT $3) AS unfinished) AS counted`,
});

/** The launches of many keys; `nth` is the position of a key among those asked for. */
export const FIND_BY_KEY = statement({
  name: 'launch.find-by-key',
  isPrepared: true,
  row: storedLaunchRow.extend({ nth: z.int(), bodySha256: sha256DigestSchema }),
  text: `
  SELECT asked.nth::int, r.body_sha256 AS "bodySha256", ${LAUNCH_COLUMNS} FROM ${LAUNCH_AND_CONTEXT} JOIN idempotency_record r ON r.resource_id = l.launch_id
  JOIN unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS asked (lineage_id, route, idempotency_key, kind, nth)
    ON r.resource_kind = asked.kind AND r.lineage_id = asked.lineage_id AND r.route = asked.route AND r.idempotency_key = asked.idempotency_key`,
});

const SELECT_LAUNCH = `SELECT ${LAUNCH_COLUMNS} FROM ${LAUNCH_AND_CONTEXT}`;

export const FIND_OWNED = statement({
  name: 'launch.find-owned',
  row: storedLaunchRow,
  text: `${SELECT_LAUNCH} WHERE l.launch_id = $1 AND ($2::uuid IS NULL OR l.lineage_id = $2) AND l.controller = ANY($3) AND l.family = $4`,
});

export const LIST_OWNED = statement({
  name: 'launch.list-owned',
  row: storedLaunchRow,
  text: `${SELECT_LAUNCH}
  WHERE ($1::uuid IS NULL OR l.lineage_id = $1) AND l.controller = ANY($2) AND l.family = $6
    AND ($4::timestamptz IS NULL OR l.created_at < $4 OR (l.created_at = $4 AND l.launch_id > $5))
  ORDER BY l.created_at DESC, l.launch_id LIMIT $3`,
});

export const NONCES_HELD = statement({
  name: 'launch.nonces-held',
  isPrepared: true,
  row: z.strictObject({ nth: z.int() }),
  text: `
  SELECT asked.nth::int FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (router, controller, nonce, nth)
  JOIN nonce_reservation USING (router, controller, nonce)`,
});

/** The other columns are null. */
const nothingReservedRow = z.object({ living: z.boolean(), launchId: z.null() });

// All or nothing in one statement, so in one round trip and one flush. A revocation waits for the lock on the living key:
// once it is reported, nothing more is reserved under the key. The committed idempotency key is the claim: a request that
// loses it writes nothing. Foreign keys are checked at the end of the statement. No launch is stored without its context.
export const RESERVE = statement({
  name: 'launch.reserve',
  isPrepared: true,
  row: z.union([storedLaunchRow.extend({ living: z.literal(true) }), nothingReservedRow]),
  text: `
  WITH living AS (
    SELECT credential_id FROM credential WHERE credential_id = $17 AND revoked_at IS NULL FOR SHARE
  ), kept AS (
    INSERT INTO release_context (context_hash, document) VALUES ($12, $18) ON CONFLICT DO NOTHING
  ), claim AS (
    INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
    SELECT $1, $2, $3, $4, $20, $5 FROM living ON CONFLICT (lineage_id, route, idempotency_key) DO NOTHING
    RETURNING resource_id AS launch_id
  ), held AS (
    INSERT INTO nonce_reservation (router, controller, nonce, launch_id)
    SELECT $6, $7, $8, launch_id FROM claim
  ), reserved AS (
    INSERT INTO launch (launch_id, lineage_id, controller, router, nonce, idempotency_key, request_sha256, request_hash,
      artifact_hash, onchain_launch_id, context_hash, valid_after, deadline, image_sha256, status, relay_after, family, summary)
    SELECT launch_id, $1, $7, $6, $8, $3, $4, $9, $10, $11, $12, $13, $14, $15, $19, $16, $21, $22 FROM claim
    RETURNING *
  )
  SELECT EXISTS (SELECT FROM living) AS living, ${LAUNCH_COLUMNS} FROM (SELECT $18::text AS document) c LEFT JOIN reserved l ON true`,
});
