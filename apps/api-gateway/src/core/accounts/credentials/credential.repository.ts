import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { BlockedWallet, Credential, GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

/** The columns of a key that every authenticated request needs. */
export type LiveCredential = Pick<
  Credential,
  | 'credentialId'
  | 'lineageId'
  | 'generation'
  | 'kind'
  | 'origin'
  | 'controller'
  | 'allowedControllers'
  | 'scopes'
  | 'chains'
  | 'label'
  | 'secretMac'
  | 'expiresAt'
  | 'revokedAt'
>;

const FIND = `SELECT credential_id AS "credentialId", lineage_id AS "lineageId", generation, kind, origin, controller, allowed_controllers AS "allowedControllers", scopes, chains, label,
  secret_mac AS "secretMac", expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM credential`;
const FIND_BY_ID = `${FIND} WHERE credential_id = ANY($1)`;
/** A wallet has one lineage of sign-ins for each origin. Its generations give their order. Creation times are the starts of transactions, which may overlap. */
const LATEST_SIGN_IN = `${FIND} WHERE origin = $2 AND controller = $1 ORDER BY generation DESC LIMIT 1`;
const INSERT = `INSERT INTO credential (credential_id, lineage_id, generation, kind, origin, controller, allowed_controllers, scopes, chains, label, secret_mac, rotated_from, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;
/** A replaced key ends with its grace, or at its own earlier end. Only a living key is replaced, and only once. */
const REPLACE = `UPDATE credential SET expires_at = least(expires_at, $2::timestamptz)
  WHERE credential_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
    AND NOT EXISTS (SELECT 1 FROM credential next WHERE next.rotated_from = $1)
  RETURNING credential_id`;

/** Serialises sign-ins, revocations and blocks of one wallet. */
const LOCK_WALLET = `SELECT pg_advisory_xact_lock(hashtextextended('sign-in ' || $1, 0))`;
const REVOKE = `UPDATE credential SET revoked_at = $2 WHERE credential_id = $1 AND revoked_at IS NULL RETURNING credential_id`;
const BLOCK = `INSERT INTO blocked_wallet (controller, revoked_credential, blocked_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING controller`;
const LIVING_OF = `SELECT credential_id AS "credentialId" FROM credential
  WHERE controller = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at, credential_id`;

export type NewCredential = Omit<Credential, 'createdAt' | 'revokedAt'>;

/** Reads and writes rows of API keys. */
@Injectable()
export class CredentialRepository {
  private readonly finding = new Gathering<string, LiveCredential | null>(async (ids) => {
    const rows = await this.database.query<LiveCredential & Record<string, unknown>>(
      FIND_BY_ID,
      [[...new Set(ids)]],
      'prepared',
    );
    return ids.map((id) => rows.find(({ credentialId }) => credentialId === id) ?? null);
  });

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Finds the row of a key, no older than the call: a key that ended before the call is returned as ended. */
  find(credentialId: string): Promise<LiveCredential | null> {
    return this.finding.ask(credentialId);
  }

  /** Reads the whole row. */
  async read(credentialId: string): Promise<Credential | null> {
    return this.database.prisma.credential.findUnique({ where: { credentialId } });
  }

  async insert(row: NewCredential): Promise<void> {
    await this.database.prisma.credential.create({ data: row });
  }

  /**
   * Stores the next key of a lineage and ends its predecessor, together. Returns false when the predecessor is not alive or
   * has a successor.
   */
  async rotate(next: NewCredential & { readonly rotatedFrom: string }, endAt: Date, now: Date): Promise<boolean> {
    return this.database.transaction(async (session) => {
      // Locks the row first: only a statement begun under the lock sees a concurrent rotation.
      await session.query('SELECT 1 FROM credential WHERE credential_id = $1 FOR UPDATE', [next.rotatedFrom]);
      const replaced = await session.query(REPLACE, [next.rotatedFrom, endAt, now]);
      if (replaced.length === 1) await session.query(INSERT, valuesOf(next));
      return replaced.length === 1;
    });
  }

  /**
   * Stores the next key that a wallet signed in for, one sign-in after another. `next` receives the wallet's last such key,
   * which ends now. Returns false, and stores no key, for a blocked wallet.
   */
  async continueSignIn(
    controller: string,
    origin: string,
    now: Date,
    next: (last: LiveCredential | null) => NewCredential,
  ): Promise<boolean> {
    return this.database.transaction(async (session) => {
      await session.query(LOCK_WALLET, [controller]);
      if ((await session.query('SELECT 1 FROM blocked_wallet WHERE controller = $1', [controller])).length > 0)
        return false;
      const [last] = await session.query<LiveCredential & Record<string, unknown>>(LATEST_SIGN_IN, [
        controller,
        origin,
      ]);
      const row = next(last ?? null);
      if (row.rotatedFrom !== null) await session.query(REPLACE, [row.rotatedFrom, now, now]);
      await session.query(INSERT, valuesOf(row));
      return true;
    });
  }

  async list(): Promise<readonly Credential[]> {
    return this.database.prisma.credential.findMany({ orderBy: [{ createdAt: 'asc' }, { credentialId: 'asc' }] });
  }

  /** Ends a key now and blocks the wallet that it is bound to; a partner's key is bound to none. Returns null when the key is absent or revoked already. */
  async revoke(credentialId: string, now: () => Date): Promise<Revocation | null> {
    const row = await this.find(credentialId);
    if (row === null) return null;
    const { controller } = row;
    return this.database.transaction(async (session) => {
      if (controller !== null) await session.query(LOCK_WALLET, [controller]);
      // Read under the lock: a key that a sign-in replaced during the wait has ended by now.
      const at = now();
      if ((await session.query(REVOKE, [credentialId, at])).length === 0) return null;
      if (controller === null) return { blockedWallet: null, livingKeys: [] };
      await session.query(BLOCK, [controller, credentialId, at]);
      return { blockedWallet: controller, livingKeys: await livingKeysOf(session, controller, at) };
    });
  }

  /** Blocks a wallet unless it is blocked already. Its living keys stay valid and are returned. */
  async block(
    controller: string,
    now: () => Date,
  ): Promise<{ readonly isNew: boolean; readonly livingKeys: readonly string[] }> {
    return this.database.transaction(async (session) => {
      await session.query(LOCK_WALLET, [controller]);
      const at = now();
      const isNew = (await session.query(BLOCK, [controller, null, at])).length === 1;
      return { isNew, livingKeys: await livingKeysOf(session, controller, at) };
    });
  }

  /** Unblocks a wallet. Returns whether it was blocked. */
  async unblock(controller: string): Promise<boolean> {
    return (await this.database.prisma.blockedWallet.deleteMany({ where: { controller } })).count === 1;
  }

  async listBlocked(): Promise<readonly BlockedWallet[]> {
    return this.database.prisma.blockedWallet.findMany({ orderBy: [{ blockedAt: 'asc' }, { controller: 'asc' }] });
  }
}

export interface Revocation {
  /** The wallet that can no longer sign in; null for a partner's key. */
  readonly blockedWallet: string | null;
  /** Keys of that wallet that are still alive, including one that was issued concurrently. */
  readonly livingKeys: readonly string[];
}

const livingKeysOf = async (session: Session, controller: string, at: Date): Promise<readonly string[]> =>
  (await session.query<{ credentialId: string }>(LIVING_OF, [controller, at])).map(({ credentialId }) => credentialId);

const valuesOf = (row: NewCredential): readonly unknown[] => [
  row.credentialId,
  row.lineageId,
  row.generation,
  row.kind,
  row.origin,
  row.controller,
  row.allowedControllers,
  row.scopes,
  row.chains,
  row.label,
  Buffer.from(row.secretMac),
  row.rotatedFrom,
  row.expiresAt,
];
