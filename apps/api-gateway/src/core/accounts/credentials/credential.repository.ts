import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { BlockedWallet, Credential, GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import {
  BLOCK,
  END_OLDEST_SIGN_INS,
  FIND_BLOCK,
  FIND_BY_ID,
  INSERT,
  LATEST_SIGN_IN,
  LIVING_OF,
  LOCK,
  LOCK_WALLET,
  REPLACE,
  REVOKE,
} from './credential.sql.js';

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

export type NewCredential = Omit<Credential, 'createdAt' | 'revokedAt'>;

/** Reads and writes rows of API keys. */
@Injectable()
export class CredentialRepository {
  private readonly finding = new Gathering<string, LiveCredential | null>(async (ids) => {
    const rows = await this.database.query(FIND_BY_ID, [[...new Set(ids)]]);
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
      await session.query(LOCK, [next.rotatedFrom]);
      const replaced = await session.query(REPLACE, [next.rotatedFrom, endAt, now]);
      if (replaced.length === 1) await session.query(INSERT, valuesOf(next));
      return replaced.length === 1;
    });
  }

  /**
   * Stores the next key that a wallet signed in for, one sign-in after another. `next` receives the wallet's last such key.
   * The oldest living keys end now, so that with the next one the wallet has at most `most`. Returns false, and stores no key,
   * for a blocked wallet.
   */
  async continueSignIn(
    { controller, origin, most }: { readonly controller: string; readonly origin: string; readonly most: number },
    now: Date,
    next: (last: LiveCredential | null) => NewCredential,
  ): Promise<boolean> {
    return this.database.transaction(async (session) => {
      await session.query(LOCK_WALLET, [controller]);
      if ((await session.query(FIND_BLOCK, [controller])).length > 0) return false;
      const [last] = await session.query(LATEST_SIGN_IN, [controller, origin]);
      const row = next(last ?? null);
      await session.query(END_OLDEST_SIGN_INS, [controller, origin, now, most - 1]);
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
  (await session.query(LIVING_OF, [controller, at])).map(({ credentialId }) => credentialId);

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
