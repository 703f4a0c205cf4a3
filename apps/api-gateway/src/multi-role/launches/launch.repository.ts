import { Inject, Injectable } from '@nestjs/common';
import type { LaunchStatus } from '@launch/contracts';
import { violatedUniqueConstraint, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { keepRelease } from '../context/release.repository.js';
import { GATEWAY_DATABASE } from '../../tokens.js';
import { decodeLaunch, LAUNCH_AND_CONTEXT, LAUNCH_COLUMNS, type LaunchRow, type StoredLaunch } from './launch.row.js';

/** What one idempotency key is looked up by. */
export interface KeyScope {
  readonly lineageId: string;
  readonly route: string;
  readonly key: string;
}

/** Whose launches: a lineage's, of the wallets its key speaks for. */
export interface Owner {
  readonly lineageId: string;
  readonly controllers: readonly string[];
}

/** Everything a reservation writes, in one statement. */
export interface Reservation {
  readonly scope: KeyScope;
  /** The key that asks; it must be alive when the reservation commits. */
  readonly credentialId: string;
  readonly launchId: string;
  readonly controller: string;
  readonly router: string;
  readonly nonce: string;
  readonly requestSha256: string;
  readonly requestHash: string;
  readonly artifactHash: string;
  readonly onchainLaunchId: string;
  readonly contextHash: string;
  readonly contextText: string;
  readonly validAfter: bigint;
  readonly deadline: bigint;
  readonly imageSha256: string;
  /** When the relay may look, should the immediate start not happen. */
  readonly relayAfter: Date;
}

export type ReservationOutcome =
  | { readonly kind: 'reserved'; readonly launch: LaunchRow }
  | { readonly kind: 'key-taken' | 'nonce-taken' | 'credential-revoked' };

const FINISHED: readonly LaunchStatus[] = ['action_required', 'finalized', 'failed', 'expired'];
const COUNT_UNFINISHED = `SELECT count(*)::int AS held FROM (
  SELECT FROM launch WHERE lineage_id = $1 AND status <> ALL($2) LIMIT $3) AS unfinished`;

const FIND_BY_KEY = `
  SELECT r.body_sha256 AS "bodySha256", ${LAUNCH_COLUMNS} FROM ${LAUNCH_AND_CONTEXT} JOIN idempotency_record r USING (launch_id)
  WHERE r.lineage_id = $1 AND r.route = $2 AND r.idempotency_key = $3 AND l.controller = ANY($4)`;
const SELECT_LAUNCH = `SELECT ${LAUNCH_COLUMNS} FROM ${LAUNCH_AND_CONTEXT}`;
const FIND_OWNED = `${SELECT_LAUNCH} WHERE l.launch_id = $1 AND l.lineage_id = $2 AND l.controller = ANY($3)`;
const LIST_OWNED = `${SELECT_LAUNCH}
  WHERE l.lineage_id = $1 AND l.controller = ANY($2)
    AND ($4::timestamptz IS NULL OR l.created_at < $4 OR (l.created_at = $4 AND l.launch_id > $5))
  ORDER BY l.created_at DESC, l.launch_id LIMIT $3`;
const NONCE_HELD = 'SELECT 1 FROM nonce_reservation WHERE router = $1 AND controller = $2 AND nonce = $3';

// All or nothing in one statement, so in one round trip and one flush. A revocation waits for the lock on the living key:
// once it is told, nothing is reserved under it any more. The committed idempotency key is the claim: whoever loses it
// writes nothing. Foreign keys are checked at the statement's end.
const RESERVE = `
  WITH living AS (
    SELECT credential_id FROM credential WHERE credential_id = $17 AND revoked_at IS NULL FOR SHARE
  ), kept AS (
    ${keepRelease('$12', '$18')}
  ), claim AS (
    INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, launch_id)
    SELECT $1, $2, $3, $4, $5 FROM living ON CONFLICT (lineage_id, route, idempotency_key) DO NOTHING
    RETURNING launch_id
  ), held AS (
    INSERT INTO nonce_reservation (router, controller, nonce, launch_id)
    SELECT $6, $7, $8, launch_id FROM claim
  ), reserved AS (
    INSERT INTO launch (launch_id, lineage_id, controller, router, nonce, idempotency_key, request_sha256, request_hash,
      artifact_hash, onchain_launch_id, context_hash, valid_after, deadline, image_sha256, status, relay_after)
    SELECT launch_id, $1, $7, $6, $8, $3, $4, $9, $10, $11, $12, $13, $14, $15, 'reserved', $16 FROM claim
    RETURNING *
  )
  SELECT EXISTS (SELECT FROM living) AS living, ${LAUNCH_COLUMNS} FROM (SELECT $18::text AS document) c LEFT JOIN reserved l ON true`;

/** Rows of launches and of the keys that reserved them. */
@Injectable()
export class LaunchRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** The launch a key is bound to and the digest of the bytes it is bound by. */
  async findByKey(
    scope: KeyScope,
    controllers: readonly string[],
  ): Promise<{ readonly bodySha256: string; readonly launch: LaunchRow } | null> {
    const [row] = await this.database.query<StoredLaunch & { bodySha256: string }>(FIND_BY_KEY, [
      scope.lineageId,
      scope.route,
      scope.key,
      controllers,
    ]);
    return row === undefined ? null : { bodySha256: row.bodySha256, launch: decodeLaunch(row) };
  }

  /** A launch of this lineage and one of these wallets; null for absent and foreign alike. */
  async findOwned(launchId: string, owner: Owner): Promise<LaunchRow | null> {
    const [row] = await this.database.query<StoredLaunch>(FIND_OWNED, [launchId, owner.lineageId, owner.controllers]);
    return row === undefined ? null : decodeLaunch(row);
  }

  /** Newest first; `after` is the last row of the page before. Returns one row more than `limit` when there is more. */
  async listOwned(
    owner: Owner,
    limit: number,
    after: { readonly createdAt: Date; readonly launchId: string } | null,
  ): Promise<readonly LaunchRow[]> {
    const rows = await this.database.query<StoredLaunch>(LIST_OWNED, [
      owner.lineageId,
      owner.controllers,
      limit + 1,
      after?.createdAt ?? null,
      after?.launchId ?? null,
    ]);
    return rows.map(decodeLaunch);
  }

  /** How many launches of a lineage are not finished, counted up to `enough`. */
  async countUnfinished(lineageId: string, enough: number): Promise<number> {
    const [row] = await this.database.query<{ held: number }>(COUNT_UNFINISHED, [lineageId, FINISHED, enough]);
    return row?.held ?? 0;
  }

  async isNonceReserved(router: string, controller: string, nonce: string): Promise<boolean> {
    return (await this.database.query(NONCE_HELD, [router, controller, nonce])).length > 0;
  }

  /** Claims key, nonce and launch together, or nothing at all. */
  async reserve(one: Reservation): Promise<ReservationOutcome> {
    const values = [
      one.scope.lineageId,
      one.scope.route,
      one.scope.key,
      one.requestSha256,
      one.launchId,
      one.router,
      one.controller,
      one.nonce,
      one.requestHash,
      one.artifactHash,
      one.onchainLaunchId,
      one.contextHash,
      one.validAfter,
      one.deadline,
      one.imageSha256,
      one.relayAfter,
      one.credentialId,
      one.contextText,
    ];
    try {
      const [row] = await this.database.query<
        { readonly living: boolean } & (StoredLaunch | { readonly launchId: null })
      >(RESERVE, values);
      if (row === undefined) throw new TypeError('a reservation answers one row');
      if (!row.living) return { kind: 'credential-revoked' };
      return row.launchId === null ? { kind: 'key-taken' } : { kind: 'reserved', launch: decodeLaunch(row) };
    } catch (error) {
      if (violatedUniqueConstraint(error) === 'nonce_reservation_pkey') return { kind: 'nonce-taken' };
      throw error;
    }
  }
}
