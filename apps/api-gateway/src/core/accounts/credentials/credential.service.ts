import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ServedCode } from '@launch/contracts/errors';
import type { CustomLaunchCredential } from '@launch/contracts/launch';
import { CHAIN_ID } from '@launch/contracts/primitives';
import type { Secret } from '@launch/platform';
import type { BlockedWallet, Credential } from '@launch/prisma-api-gateway';
import { ApiError, detailedRefusal } from '@launch/http/requests';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { CREDENTIAL_PEPPER } from '../accounts.tokens.js';
import { matchesMac, newApiKey, parseApiKey, secretMac } from './api-key.js';
import { asksForChain, type Caller, type KeyKind } from './caller.js';
import { ALL_SCOPES, SCOPES_BY_PURPOSE, type KeyPurpose, type Scope } from '../../routes/scopes.js';
import { credentialResource } from './credential.resource.js';
import {
  CredentialRepository,
  type LiveCredential,
  type NewCredential,
  type Revocation,
} from './credential.repository.js';

/** The wallets that a new key acts for: one wallet, or a partner's list. */
export type KeyBinding =
  | { readonly kind?: 'wallet'; readonly controller: string }
  | { readonly kind: 'partner'; readonly allowedControllers: readonly string[] };

export type IssueKeyInput = KeyBinding & {
  readonly scopes: readonly Scope[];
  readonly chains: readonly string[];
  readonly label: string | null;
  readonly expiresAt: Date | null;
};

export interface IssuedKey {
  readonly credentialId: string;
  readonly lineageId: string;
  /** The plaintext, which no other answer contains. */
  readonly key: string;
}

/** A wallet has one lineage of sign-ins for each purpose. Releases that support only launches see no other. */
const SIGN_IN_ORIGINS: Readonly<Record<KeyPurpose, string>> = { launches: 'sign-in', modules: 'sign-in-modules' };

/** Living keys of a wallet and purpose from signing in: one for each of its programs and open pages, so that none ends another. */
export const SIGN_IN_KEYS = 5;

const isSignInOrigin = (origin: string): boolean => Object.values(SIGN_IN_ORIGINS).includes(origin);

/** The rows of keys and of blocked wallets. */
type Stored = Pick<
  CredentialRepository,
  'find' | 'read' | 'list' | 'insert' | 'rotate' | 'continueSignIn' | 'revoke' | 'block' | 'unblock' | 'listBlocked'
>;

const BEARER = /^Bearer +([^\s]{1,256})$/i;

/** Issues, checks and ends API keys (docs/reference/api-conventions.md#credentials). */
@Injectable()
export class CredentialService {
  constructor(
    @Inject(CredentialRepository) private readonly repository: Stored,
    @Inject(CREDENTIAL_PEPPER) private readonly pepper: Secret<string>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the caller that an `Authorization` header identifies.
   * @param missingScope the code for a missing scope in the family of the route.
   * @throws ApiError `UNAUTHENTICATED`, the same for an absent, malformed, unknown, revoked or expired key;
   * `missingScope` and `CHAIN_NOT_ALLOWED` for a live key that may not use the route.
   */
  async authenticate(
    authorization: string | undefined,
    needed: readonly string[],
    missingScope: ServedCode,
  ): Promise<Caller> {
    const key = parseApiKey(BEARER.exec(authorization ?? '')?.[1] ?? '');
    if (key === null) throw unauthenticated();
    const row = await this.repository.find(key.credentialId);
    if (!matchesMac(this.pepper.reveal(), key, row?.secretMac ?? null) || row === null || !this.isAlive(row))
      throw unauthenticated();
    return admitted(row, needed, missingScope);
  }

  /**
   * Returns the caller that a key identified before, while the key is alive.
   * @throws ApiError likewise.
   */
  async resume(credentialId: string, needed: readonly string[], missingScope: ServedCode): Promise<Caller> {
    const row = await this.repository.find(credentialId);
    if (row === null || !this.isAlive(row)) throw unauthenticated();
    return admitted(row, needed, missingScope);
  }

  /** @throws ApiError `UNAUTHENTICATED` when the key of an admitted caller has ended since. */
  async confirm({ credentialId }: Caller): Promise<void> {
    const row = await this.repository.find(credentialId);
    if (row === null || !this.isAlive(row)) throw unauthenticated();
  }

  /** Issues the first key of a new lineage. */
  async issue(input: IssueKeyInput): Promise<IssuedKey> {
    const { row, issued } = this.make({
      ...bindingOf(input),
      origin: 'operator',
      scopes: [...input.scopes],
      chains: [...input.chains],
      label: input.label,
      expiresAt: input.expiresAt,
      lineageId: randomUUID(),
      generation: 1,
      rotatedFrom: null,
    });
    await this.repository.insert(row);
    return issued;
  }

  /**
   * Issues the next key of a lineage, with the same wallets, scopes and grants and, unless another is given, the same
   * expiry. The old key stays valid for `graceSeconds`. Each key has at most one successor.
   * @returns null when no such key is alive, or it was rotated before.
   */
  async rotate(credentialId: string, graceSeconds: number, expiresAt: Date | null = null): Promise<IssuedKey | null> {
    const old = await this.repository.find(credentialId);
    if (old === null || !this.isAlive(old)) return null;
    const { row, issued } = this.make(successorOf(old, expiresAt ?? old.expiresAt));
    const now = this.clock.now();
    const rotated = await this.repository.rotate(
      { ...row, rotatedFrom: credentialId },
      new Date(now + graceSeconds * 1_000),
      new Date(now),
    );
    return rotated ? issued : null;
  }

  /**
   * Issues a key to a client that proved to hold `controller`: the next key in the lineage of this wallet's earlier
   * sign-ins. Keys of earlier sign-ins stay valid up to `SIGN_IN_KEYS`; beyond it the oldest ends.
   * @throws ApiError `SIGN_IN_REVOKED` for a wallet that the operator blocked, or of which a key was revoked.
   */
  async issueForSignIn(controller: string, expiresAt: Date, purpose: KeyPurpose = 'launches'): Promise<IssuedKey> {
    let issuedKey: IssuedKey | undefined;
    const mayHave = await this.repository.continueSignIn(
      { controller, origin: SIGN_IN_ORIGINS[purpose], most: SIGN_IN_KEYS },
      new Date(this.clock.now()),
      (last) => {
        const first = {
          kind: 'wallet' as const,
          controller,
          allowedControllers: [],
          origin: SIGN_IN_ORIGINS[purpose],
          scopes: [...SCOPES_BY_PURPOSE[purpose]],
          chains: [String(CHAIN_ID)],
          label: null,
          expiresAt,
          lineageId: randomUUID(),
          generation: 1,
          rotatedFrom: null,
        };
        const { row, issued } = this.make(last === null ? first : successorOf(last, expiresAt));
        issuedKey = issued;
        return row;
      },
    );
    if (!mayHave) throw new ApiError('SIGN_IN_REVOKED');
    if (issuedKey === undefined) throw new TypeError('a sign-in that was continued has a key');
    return issuedKey;
  }

  /** Ends a key at once and blocks its wallet from signing in. @returns null when the key is absent or revoked already. */
  async revoke(credentialId: string): Promise<Revocation | null> {
    return this.repository.revoke(credentialId, () => new Date(this.clock.now()));
  }

  /** Blocks a wallet from signing in. Living keys stay valid; the answer names them. */
  async blockWallet(controller: string): Promise<{ readonly isNew: boolean; readonly livingKeys: readonly string[] }> {
    return this.repository.block(controller, () => new Date(this.clock.now()));
  }

  /** Lets a wallet sign in again, into its earlier lineage. @returns false when it was not blocked. */
  async unblockWallet(controller: string): Promise<boolean> {
    return this.repository.unblock(controller);
  }

  async listBlockedWallets(): Promise<readonly BlockedWallet[]> {
    return this.repository.listBlocked();
  }

  /** Returns a living key without its secret. @throws ApiError `UNAUTHENTICATED` for a key that has ended. */
  async describe(credentialId: string): Promise<CustomLaunchCredential> {
    const row = await this.repository.read(credentialId);
    if (row === null || !this.isAlive(row)) throw unauthenticated();
    return credentialResource(row, true);
  }

  async list(): Promise<readonly Credential[]> {
    return this.repository.list();
  }

  isAlive(row: Pick<Credential, 'revokedAt' | 'expiresAt'>): boolean {
    return row.revokedAt === null && (row.expiresAt === null || row.expiresAt.getTime() > this.clock.now());
  }

  /** Makes a row and the plaintext of its key; only the row is ever stored. */
  private make(input: Omit<NewCredential, 'credentialId' | 'secretMac'>): {
    readonly row: NewCredential;
    readonly issued: IssuedKey;
  } {
    const key = newApiKey();
    return {
      row: {
        ...input,
        credentialId: key.credentialId,
        secretMac: Uint8Array.from(secretMac(this.pepper.reveal(), key)),
      },
      issued: { credentialId: key.credentialId, lineageId: input.lineageId, key: key.text },
    };
  }
}

/** Returns the wallets that a stored key acts for. */
export const controllersOf = (row: Pick<Credential, 'controller' | 'allowedControllers'>): readonly string[] =>
  row.controller === null ? row.allowedControllers : [row.controller];

const scopesOf = (row: LiveCredential): Scope[] => ALL_SCOPES.filter((scope) => row.scopes.includes(scope));

const bindingOf = (input: KeyBinding): { kind: KeyKind; controller: string | null; allowedControllers: string[] } =>
  input.kind === 'partner'
    ? { kind: 'partner', controller: null, allowedControllers: [...new Set(input.allowedControllers)].sort() }
    : { kind: 'wallet', controller: input.controller, allowedControllers: [] };

/** @throws ApiError `missingScope`, `CHAIN_NOT_ALLOWED` */
function admitted(row: LiveCredential, needed: readonly string[], missingScope: ServedCode): Caller {
  const scopes = scopesOf(row);
  if (!needed.every((scope) => scopes.some((one) => one === scope)))
    throw detailedRefusal(missingScope, '', { expected: needed.join(' and '), actual: listed(scopes) });
  // Routes that accept every living key belong to no chain, nor do modules (docs/reference/api-conventions.md#three-checks-on-a-key).
  if (asksForChain(needed) && !row.chains.includes(String(CHAIN_ID)))
    throw detailedRefusal('CHAIN_NOT_ALLOWED', '', { expected: String(CHAIN_ID), actual: listed(row.chains) });
  return {
    credentialId: row.credentialId,
    lineageId: row.lineageId,
    readsLineageId: row.origin === SIGN_IN_ORIGINS.launches ? null : row.lineageId,
    controllers: controllersOf(row),
    wallet: row.controller,
    scopes,
    storageOwner: isSignInOrigin(row.origin) ? `wallet ${row.controller ?? ''}` : row.lineageId,
  };
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const successorOf = (
  old: LiveCredential,
  expiresAt: Date | null,
): Omit<NewCredential, 'credentialId' | 'secretMac'> => ({
  kind: old.kind,
  origin: old.origin,
  controller: old.controller,
  allowedControllers: old.allowedControllers,
  scopes: scopesOf(old),
  chains: old.chains,
  label: old.label,
  expiresAt,
  lineageId: old.lineageId,
  generation: old.generation + 1,
  rotatedFrom: old.credentialId,
});

/** Makes the one answer to every caller without a living key. */
export const unauthenticated = (): ApiError =>
  new ApiError('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer realm="custom-launch"' } });
