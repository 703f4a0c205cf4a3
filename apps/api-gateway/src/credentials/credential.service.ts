import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CHAIN_ID } from '@launch/contracts';
import type { Secret } from '@launch/platform';
import type { Credential } from '@launch/prisma-api-gateway';
import { ApiError } from '../http/api.error.js';
import { CLOCK, CREDENTIAL_PEPPER, type Clock } from '../tokens.js';
import { matchesMac, newApiKey, parseApiKey, secretMac } from './api-key.js';
import { SCOPES, type Caller, type Scope } from './caller.js';
import { CredentialRepository } from './credential.repository.js';

export interface IssueKeyInput {
  readonly controller: string;
  readonly scopes: readonly Scope[];
  readonly chains: readonly string[];
  readonly label: string | null;
  readonly expiresAt: Date | null;
}

export interface IssuedKey {
  readonly credentialId: string;
  readonly lineageId: string;
  /** The only time the plaintext is told. */
  readonly key: string;
}

const BEARER = /^Bearer +([^\s]{1,256})$/i;

/** Issues, checks and ends API keys (spec 2, Authentication). */
@Injectable()
export class CredentialService {
  constructor(
    private readonly repository: CredentialRepository,
    @Inject(CREDENTIAL_PEPPER) private readonly pepper: Secret<string>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Who sends this `Authorization` header.
   * @throws ApiError `UNAUTHENTICATED`, the same for an absent, malformed, unknown, revoked or expired key;
   * `INSUFFICIENT_SCOPE` and `CHAIN_NOT_ALLOWED` for a live key that may not use the route.
   */
  async authenticate(authorization: string | undefined, needed: readonly Scope[]): Promise<Caller> {
    const key = parseApiKey(BEARER.exec(authorization ?? '')?.[1] ?? '');
    if (key === null) throw unauthenticated();
    const row = await this.repository.find(key.credentialId);
    if (!matchesMac(this.pepper.reveal(), key, row?.secretMac ?? null) || row === null || !this.isAlive(row)) throw unauthenticated();
    const scopes = SCOPES.filter((scope) => row.scopes.includes(scope));
    if (!needed.every((scope) => scopes.includes(scope))) throw new ApiError('INSUFFICIENT_SCOPE');
    if (!row.chains.includes(String(CHAIN_ID))) throw new ApiError('CHAIN_NOT_ALLOWED');
    return { credentialId: row.credentialId, lineageId: row.lineageId, controller: row.controller, scopes };
  }

  /** A first key of a new lineage. */
  async issue(input: IssueKeyInput): Promise<IssuedKey> {
    return this.create({ ...input, lineageId: randomUUID(), generation: 1, rotatedFrom: null });
  }

  /**
   * The next key of a lineage with the same wallet, scopes and grants; the old one lives on for `graceSeconds`.
   * @returns null when there is no such living key.
   */
  async rotate(credentialId: string, graceSeconds: number): Promise<IssuedKey | null> {
    const old = await this.repository.find(credentialId);
    if (old === null || !this.isAlive(old)) return null;
    const issued = await this.create({
      controller: old.controller,
      scopes: SCOPES.filter((scope) => old.scopes.includes(scope)),
      chains: old.chains,
      label: old.label,
      expiresAt: null,
      lineageId: old.lineageId,
      generation: old.generation + 1,
      rotatedFrom: old.credentialId,
    });
    await this.repository.endAt(credentialId, new Date(this.clock.now() + graceSeconds * 1_000));
    return issued;
  }

  async revoke(credentialId: string): Promise<boolean> {
    return this.repository.revoke(credentialId, new Date(this.clock.now()));
  }

  async list(): Promise<readonly Credential[]> {
    return this.repository.list();
  }

  isAlive(row: Pick<Credential, 'revokedAt' | 'expiresAt'>): boolean {
    return row.revokedAt === null && (row.expiresAt === null || row.expiresAt.getTime() > this.clock.now());
  }

  private async create(
    input: IssueKeyInput & { readonly lineageId: string; readonly generation: number; readonly rotatedFrom: string | null },
  ): Promise<IssuedKey> {
    const key = newApiKey();
    await this.repository.insert({
      credentialId: key.credentialId,
      lineageId: input.lineageId,
      generation: input.generation,
      scopes: [...input.scopes],
      chains: [...input.chains],
      controller: input.controller,
      label: input.label,
      secretMac: Uint8Array.from(secretMac(this.pepper.reveal(), key)),
      rotatedFrom: input.rotatedFrom,
      expiresAt: input.expiresAt,
    });
    return { credentialId: key.credentialId, lineageId: input.lineageId, key: key.text };
  }
}

const unauthenticated = (): ApiError => new ApiError('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer realm="custom-launch"' } });
