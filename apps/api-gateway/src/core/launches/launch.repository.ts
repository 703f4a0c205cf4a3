import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { violatedUniqueConstraint, type GatewayDatabase, type Session } from '@launch/prisma-api-gateway';
import { keepRelease } from '../context/release.repository.js';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { ENDED_STATUSES, familyOfRows } from './launch-families.js';
import { LAUNCH_AND_CONTEXT, LAUNCH_COLUMNS, type StoredLaunch } from './stored-launch.js';

/** The columns that identify one idempotency key. */
export interface KeyScope {
  readonly family: LaunchFamily;
  readonly lineageId: string;
  readonly route: string;
  readonly key: string;
}

/** The owner of launches: a lineage, for the wallets that its key acts for. */
export interface Owner {
  readonly lineageId: string;
  readonly controllers: readonly string[];
}

/** The launch to reserve for a request. */
export interface NewLaunch {
  readonly controller: string;
  readonly router: string;
  readonly nonce: string;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: string;
  readonly artifactHash: string;
  readonly onchainLaunchId: string;
  readonly contextHash: string;
  readonly contextText: string;
  readonly validAfter: bigint;
  readonly deadline: bigint;
  readonly imageSha256: Sha256Digest;
  /** Canonical JSON of the members that the resource repeats from the request; null in a family that repeats none. */
  readonly summary: string | null;
}

/** All that a reservation writes, in one statement. */
export interface Reservation extends NewLaunch {
  readonly scope: KeyScope;
  /** The caller's key; it must be alive when the reservation commits. */
  readonly credentialId: string;
  readonly launchId: string;
  /** When the relay takes over if the immediate start fails. */
  readonly relayAfter: Date;
}

/** Writes a family's further rows in the transaction of the launch; an error rolls back both. */
export type WrittenBeside = (session: Session) => Promise<void>;

export type ReservationOutcome =
  | { readonly kind: 'reserved'; readonly launch: StoredLaunch }
  | { readonly kind: 'key-taken' | 'nonce-taken' | 'credential-revoked' };

/** The launch that a key is bound to, and the digest of the bytes that bound it. */
export interface KeyRecord {
  readonly bodySha256: Sha256Digest;
  readonly launch: StoredLaunch;
}

interface Unfinished {
  readonly lineageId: string;
  readonly enough: number;
}

interface ControllerNonce {
  readonly router: string;
  readonly controller: string;
  readonly nonce: string;
}

/** The columns of a found key beside its launch; `nth` is the position of its query. */
interface KeyRow {
  readonly nth: number;
  readonly bodySha256: Sha256Digest;
}

const COUNT_UNFINISHED = `SELECT lineage_id::text AS "lineageId", held FROM unnest($1::uuid[]) AS asked (lineage_id), LATERAL (
  SELECT count(*)::int AS held FROM (
    SELECT FROM launch l WHERE l.lineage_id = asked.lineage_id AND l.status <> ALL($2) LIMIT $3) AS unfinished) AS counted`;

const FIND_BY_KEY = `
  SELECT asked.nth::int, r.body_sha256 AS "bodySha256", ${LAUNCH_COLUMNS} FROM ${LAUNCH_AND_CONTEXT} JOIN idempotency_record r ON r.resource_id = l.launch_id
  JOIN unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS asked (lineage_id, route, idempotency_key, kind, nth)
    ON r.resource_kind = asked.kind AND r.lineage_id = asked.lineage_id AND r.route = asked.route AND r.idempotency_key = asked.idempotency_key`;
const SELECT_LAUNCH = `SELECT ${LAUNCH_COLUMNS} FROM ${LAUNCH_AND_CONTEXT}`;
const FIND_OWNED = `${SELECT_LAUNCH} WHERE l.launch_id = $1 AND l.lineage_id = $2 AND l.controller = ANY($3) AND l.family = $4`;
const LIST_OWNED = `${SELECT_LAUNCH}
  WHERE l.lineage_id = $1 AND l.controller = ANY($2) AND l.family = $6
    AND ($4::timestamptz IS NULL OR l.created_at < $4 OR (l.created_at = $4 AND l.launch_id > $5))
  ORDER BY l.created_at DESC, l.launch_id LIMIT $3`;
const NONCES_HELD = `
  SELECT asked.nth::int FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (router, controller, nonce, nth)
  JOIN nonce_reservation USING (router, controller, nonce)`;

// All or nothing in one statement, so in one round trip and one flush. A revocation waits for the lock on the living key:
// once it is reported, nothing more is reserved under the key. The committed idempotency key is the claim: a request that
// loses it writes nothing. Foreign keys are checked at the end of the statement.
const RESERVE = `
  WITH living AS (
    SELECT credential_id FROM credential WHERE credential_id = $17 AND revoked_at IS NULL FOR SHARE
  ), kept AS (
    ${keepRelease('$12', '$18')}
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
  SELECT EXISTS (SELECT FROM living) AS living, ${LAUNCH_COLUMNS} FROM (SELECT $18::text AS document) c LEFT JOIN reserved l ON true`;

/** Reads and writes rows of launches and of the keys that reserved them. */
@Injectable()
export class LaunchRepository {
  // Lookups of concurrent creates are gathered into one statement.
  private readonly findingByKey = new Gathering<KeyScope, (StoredLaunch & KeyRow) | null>(async (scopes) => {
    const rows = await this.database.query<StoredLaunch & KeyRow>(
      FIND_BY_KEY,
      [
        scopes.map(({ lineageId }) => lineageId),
        scopes.map(({ route }) => route),
        scopes.map(({ key }) => key),
        scopes.map(({ family }) => familyOfRows(family).resourceKind),
      ],
      'prepared',
    );
    return scopes.map((_, index) => rows.find(({ nth }) => nth === index + 1) ?? null);
  });
  private readonly countingUnfinished = new Gathering<Unfinished, number>((asked) => this.countTogether(asked));
  private readonly lookingForNonces = new Gathering<ControllerNonce, boolean>(async (asked) => {
    const rows = await this.database.query<{ nth: number }>(
      NONCES_HELD,
      [asked.map(({ router }) => router), asked.map(({ controller }) => controller), asked.map(({ nonce }) => nonce)],
      'prepared',
    );
    return asked.map((_, index) => rows.some(({ nth }) => nth === index + 1));
  });

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Finds the record of a key; null also for a launch of another wallet. */
  async findByKey(scope: KeyScope, controllers: readonly string[]): Promise<KeyRecord | null> {
    const row = await this.findingByKey.ask(scope);
    return row === null || !controllers.includes(row.controller) ? null : { bodySha256: row.bodySha256, launch: row };
  }

  /** Finds a launch of this family, this lineage and one of these wallets; null for absent and foreign launches. */
  async findOwned(family: LaunchFamily, launchId: string, owner: Owner): Promise<StoredLaunch | null> {
    const { lineageId, controllers } = owner;
    const [row] = await this.database.query<StoredLaunch>(FIND_OWNED, [launchId, lineageId, controllers, family]);
    return row ?? null;
  }

  /** Lists launches, the newest first; `after` is the last row of the previous page. Returns one row more than `limit` when more follow. */
  async listOwned(
    family: LaunchFamily,
    owner: Owner,
    limit: number,
    after: { readonly createdAt: Date; readonly launchId: string } | null,
  ): Promise<readonly StoredLaunch[]> {
    return this.database.query<StoredLaunch>(LIST_OWNED, [
      owner.lineageId,
      owner.controllers,
      limit + 1,
      after?.createdAt ?? null,
      after?.launchId ?? null,
      family,
    ]);
  }

  /** Counts the unfinished launches of a lineage, up to `enough`. */
  countUnfinished(lineageId: string, enough: number): Promise<number> {
    return this.countingUnfinished.ask({ lineageId, enough });
  }

  isNonceReserved(router: string, controller: string, nonce: string): Promise<boolean> {
    return this.lookingForNonces.ask({ router, controller, nonce });
  }

  private async countTogether(asked: readonly Unfinished[]): Promise<readonly number[]> {
    const enough = Math.max(...asked.map((one) => one.enough));
    const lineages = [...new Set(asked.map(({ lineageId }) => lineageId))];
    const rows = await this.database.query<{ lineageId: string; held: number }>(
      COUNT_UNFINISHED,
      [lineages, ENDED_STATUSES, enough],
      'prepared',
    );
    const held = new Map(rows.map((row) => [row.lineageId, row.held]));
    return asked.map((one) => Math.min(one.enough, held.get(one.lineageId) ?? 0));
  }

  /**
   * Claims key, nonce and launch together, or nothing.
   * @param beside further writes, once they are claimed.
   * @throws the error of `beside`; then nothing is claimed.
   */
  async reserve(one: Reservation, beside?: WrittenBeside): Promise<ReservationOutcome> {
    const { resourceKind, firstStatus } = familyOfRows(one.scope.family);
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
      firstStatus,
      resourceKind,
      one.scope.family,
      one.summary,
    ];
    try {
      if (beside === undefined) return await claim(this.database, values);
      return await this.database.transaction(async (session) => {
        const outcome = await claim(session, values);
        if (outcome.kind === 'reserved') await beside(session);
        return outcome;
      });
    } catch (error) {
      if (violatedUniqueConstraint(error) === 'nonce_reservation_pkey') return { kind: 'nonce-taken' };
      throw error;
    }
  }
}

async function claim(session: Session, values: readonly unknown[]): Promise<ReservationOutcome> {
  const [row] = await session.query<{ readonly living: boolean } & (StoredLaunch | { readonly launchId: null })>(
    RESERVE,
    values,
    'prepared',
  );
  if (row === undefined) throw new TypeError('a reservation answers one row');
  if (!row.living) return { kind: 'credential-revoked' };
  return row.launchId === null ? { kind: 'key-taken' } : { kind: 'reserved', launch: row };
}
