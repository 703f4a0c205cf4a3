import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { violatedUniqueConstraint, type GatewayDatabase, type Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { ENDED_STATUSES, familyOfRows } from './launch-families.js';
import { COUNT_UNFINISHED, FIND_BY_KEY, FIND_OWNED, LIST_OWNED, NONCES_HELD, RESERVE } from './launch.sql.js';
import type { StoredLaunch } from './stored-launch.js';

/** The columns that identify one idempotency key. */
export interface KeyScope {
  readonly family: LaunchFamily;
  readonly lineageId: string;
  readonly route: string;
  readonly key: string;
}

/** The owner of launches: the wallets that a key acts for, and the lineage to which it is limited; null reads every lineage. */
export interface Owner {
  readonly readsLineageId: string | null;
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
  /** Time from which the relay starts the workflow if the immediate start failed. */
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

/** Reads and writes rows of launches and of the keys that reserved them. */
@Injectable()
export class LaunchRepository {
  // Lookups of concurrent creates are gathered into one statement.
  private readonly findingByKey = new Gathering<KeyScope, KeyRecord | null>(async (scopes) => {
    const rows = await this.database.query(FIND_BY_KEY, [
      scopes.map(({ lineageId }) => lineageId),
      scopes.map(({ route }) => route),
      scopes.map(({ key }) => key),
      scopes.map(({ family }) => familyOfRows(family).resourceKind),
    ]);
    const records = new Map(rows.map(({ nth, bodySha256, ...launch }) => [nth, { bodySha256, launch }]));
    return scopes.map((_, index) => records.get(index + 1) ?? null);
  });
  private readonly countingUnfinished = new Gathering<Unfinished, number>((asked) => this.countTogether(asked));
  private readonly lookingForNonces = new Gathering<ControllerNonce, boolean>(async (asked) => {
    const rows = await this.database.query(NONCES_HELD, [
      asked.map(({ router }) => router),
      asked.map(({ controller }) => controller),
      asked.map(({ nonce }) => nonce),
    ]);
    return asked.map((_, index) => rows.some(({ nth }) => nth === index + 1));
  });

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Finds the record of a key; null also for a launch of another wallet. */
  async findByKey(scope: KeyScope, controllers: readonly string[]): Promise<KeyRecord | null> {
    const record = await this.findingByKey.ask(scope);
    return record === null || !controllers.includes(record.launch.controller) ? null : record;
  }

  /** Finds a launch of this family that the owner reads; null for absent and foreign launches. */
  async findOwned(family: LaunchFamily, launchId: string, owner: Owner): Promise<StoredLaunch | null> {
    const { readsLineageId, controllers } = owner;
    const [row] = await this.database.query(FIND_OWNED, [launchId, readsLineageId, controllers, family]);
    return row ?? null;
  }

  /** Lists launches, the newest first; `after` is the last row of the previous page. Returns one row more than `limit` when more follow. */
  async listOwned(
    family: LaunchFamily,
    owner: Owner,
    limit: number,
    after: { readonly createdAt: Date; readonly launchId: string } | null,
  ): Promise<readonly StoredLaunch[]> {
    return this.database.query(LIST_OWNED, [
      owner.readsLineageId,
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
    const rows = await this.database.query(COUNT_UNFINISHED, [lineages, ENDED_STATUSES, enough]);
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
  const [row] = await session.query(RESERVE, values);
  if (row === undefined) throw new TypeError('a reservation answers one row');
  if (!row.living) return { kind: 'credential-revoked' };
  if (row.launchId === null) return { kind: 'key-taken' };
  const { living: _, ...launch } = row;
  return { kind: 'reserved', launch };
}
