import { beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@launch/platform';
import type { Credential } from '@launch/prisma-api-gateway';
import { refusalOfWork } from '../../../fixtures/refused.js';
import type { NewCredential } from './credential.repository.js';
import {
  controllersOf,
  CredentialService,
  SIGN_IN_KEYS,
  type IssuedKey,
  type IssueKeyInput,
} from './credential.service.js';

const WALLET = `0x${'1'.repeat(40)}`;
const OTHER = `0x${'2'.repeat(40)}`;
const SCOPES = ['custom-launch:create', 'custom-launch:read'] as const;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const later = (seconds: number): Date => new Date(NOW + seconds * 1_000);

let rows: Map<string, Credential>;
let blocked: Set<string>;
let clock: { at: number };
let service: CredentialService;

const stored = (row: NewCredential): Credential => ({ ...row, createdAt: new Date(clock.at), revokedAt: null });
function change(credentialId: string, more: Partial<Credential>): void {
  const row = rows.get(credentialId);
  if (row !== undefined) rows.set(credentialId, { ...row, ...more });
}

beforeEach(() => {
  rows = new Map();
  blocked = new Set();
  clock = { at: NOW };
  service = new CredentialService(
    {
      find: async (credentialId) => rows.get(credentialId) ?? null,
      read: async (credentialId) => rows.get(credentialId) ?? null,
      list: async () => [...rows.values()],
      insert: async (row) => void rows.set(row.credentialId, stored(row)),
      rotate: async (next, endAt) => {
        if ([...rows.values()].some(({ rotatedFrom }) => rotatedFrom === next.rotatedFrom)) return false;
        const { expiresAt = null } = rows.get(next.rotatedFrom) ?? {};
        change(next.rotatedFrom, { expiresAt: expiresAt !== null && expiresAt < endAt ? expiresAt : endAt });
        rows.set(next.credentialId, stored(next));
        return true;
      },
      continueSignIn: async ({ controller, origin, most }, now, next) => {
        if (blocked.has(controller)) return false;
        const own = [...rows.values()].filter((row) => row.controller === controller && row.origin === origin);
        const row = next(own.at(-1) ?? null);
        const living = own.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
        for (const one of living.slice(0, Math.max(0, living.length + 1 - most)))
          change(one.credentialId, { expiresAt: now });
        rows.set(row.credentialId, stored(row));
        return true;
      },
      revoke: () => Promise.reject(new Error('no test revokes here')),
      block: () => Promise.reject(new Error('no test blocks here')),
      unblock: async (controller) => blocked.delete(controller),
      listBlocked: async () => [],
    },
    new Secret('test pepper, long enough to be one'),
    { now: () => clock.at },
  );
});

const issue = (more: Partial<Extract<IssueKeyInput, { kind?: 'wallet' }>> = {}): Promise<IssuedKey> =>
  service.issue({ controller: WALLET, scopes: SCOPES, chains: ['4663'], label: null, expiresAt: null, ...more });
const callerOf = (key: string | undefined, needed: readonly string[] = SCOPES) =>
  service.authenticate(key === undefined ? undefined : `Bearer ${key}`, needed, 'INSUFFICIENT_SCOPE');
const codeOf = async (work: () => unknown): Promise<string> => (await refusalOfWork(work)).code;

describe('An issued key', () => {
  it('identifies its caller, and its plaintext is in no stored column', async () => {
    const { credentialId, lineageId, key } = await issue();
    expect(await callerOf(key)).toEqual({
      credentialId,
      lineageId,
      readsLineageId: lineageId,
      controllers: [WALLET],
      wallet: WALLET,
      scopes: expect.arrayContaining([...SCOPES]),
      storageOwner: lineageId,
    });
    const secret = key.slice(-43);
    const { secretMac, ...columns } = rows.get(credentialId)!;
    expect(JSON.stringify(columns)).not.toContain(secret);
    expect(Buffer.from(secretMac).equals(Buffer.from(secret, 'base64url'))).toBe(false);
  });

  it('of a partner acts for each wallet of its list, and for no wallet of its own', async () => {
    const { key, credentialId } = await service.issue({
      kind: 'partner',
      allowedControllers: [OTHER, WALLET, OTHER],
      scopes: SCOPES,
      chains: ['4663'],
      label: null,
      expiresAt: null,
    });
    expect(await callerOf(key)).toMatchObject({ controllers: [WALLET, OTHER], wallet: null });
    expect(controllersOf(rows.get(credentialId)!)).toEqual([WALLET, OTHER]);
  });

  it('gets one refusal while it is absent, malformed, unknown, revoked or expired', async () => {
    const [revoked, expired, unknown] = [await issue(), await issue({ expiresAt: later(10) }), await issue()];
    change(revoked.credentialId, { revokedAt: later(0) });
    rows.delete(unknown.credentialId);
    const other = await issue();
    const foreignSecret = `${other.key.slice(0, 25)}${revoked.key.slice(25)}`;
    clock.at = later(10).getTime();
    for (const key of [undefined, '', 'no key', revoked.key, expired.key, unknown.key, foreignSecret])
      expect(await codeOf(() => callerOf(key))).toBe('UNAUTHENTICATED');
    expect(await codeOf(() => service.authenticate(other.key, SCOPES, 'INSUFFICIENT_SCOPE'))).toBe('UNAUTHENTICATED');
    for (const { credentialId } of [revoked, expired, unknown]) {
      expect(await codeOf(() => service.resume(credentialId, SCOPES, 'INSUFFICIENT_SCOPE'))).toBe('UNAUTHENTICATED');
      expect(await codeOf(() => service.describe(credentialId))).toBe('UNAUTHENTICATED');
    }
    const caller = await callerOf(other.key);
    await service.confirm(caller);
    change(other.credentialId, { revokedAt: later(10) });
    expect(await codeOf(() => service.confirm(caller))).toBe('UNAUTHENTICATED');
  });

  it('without a scope or the chain of a route gets the refusal for it', async () => {
    const [reader, chainless] = [await issue({ scopes: ['custom-launch:read'] }), await issue({ chains: [] })];
    const scopeRefusal = await refusalOfWork(() => callerOf(reader.key));
    expect([scopeRefusal.code, scopeRefusal.detailedFindings[0]]).toEqual([
      'INSUFFICIENT_SCOPE',
      expect.objectContaining({ expected: SCOPES.join(' and '), actual: 'custom-launch:read' }),
    ]);
    expect(await codeOf(() => callerOf(chainless.key))).toBe('CHAIN_NOT_ALLOWED');
    expect(await callerOf(chainless.key, [])).toMatchObject({ credentialId: chainless.credentialId });
  });
});

describe('A rotation', () => {
  it('issues the next key of the lineage with the same grants, and ends the old one after its grace', async () => {
    const first = await issue({ label: 'mine' });
    const second = await service.rotate(first.credentialId, 60);
    expect(second?.lineageId).toBe(first.lineageId);
    expect(rows.get(second?.credentialId ?? '')).toMatchObject({
      generation: 2,
      controller: WALLET,
      label: 'mine',
      chains: ['4663'],
      rotatedFrom: first.credentialId,
      expiresAt: null,
    });
    for (const key of [first.key, second?.key]) expect((await callerOf(key)).lineageId).toBe(first.lineageId);
    clock.at = later(60).getTime();
    expect(await codeOf(() => callerOf(first.key))).toBe('UNAUTHENTICATED');
    expect((await callerOf(second?.key)).credentialId).toBe(second?.credentialId);
  });

  it('without grace ends the old key at once', async () => {
    const first = await issue();
    const second = await service.rotate(first.credentialId, 0);
    expect(await codeOf(() => callerOf(first.key))).toBe('UNAUTHENTICATED');
    expect((await callerOf(second?.key)).lineageId).toBe(first.lineageId);
  });

  it('gives a successor the end of its predecessor, unless it has its own', async () => {
    const soon = await issue({ expiresAt: later(10) });
    const next = await service.rotate(soon.credentialId, 3_600);
    const last = await service.rotate(next?.credentialId ?? '', 3_600, later(60));
    expect([soon, next, last].map((one) => rows.get(one?.credentialId ?? '')?.expiresAt)).toEqual([
      later(10),
      later(10),
      later(60),
    ]);
  });

  it('is refused for a key that has ended, is absent, or has a successor', async () => {
    const [expired, revoked, rotated] = [await issue({ expiresAt: later(0) }), await issue(), await issue()];
    change(revoked.credentialId, { revokedAt: later(0) });
    await service.rotate(rotated.credentialId, 60);
    for (const credentialId of [expired.credentialId, revoked.credentialId, rotated.credentialId, 'absent'])
      expect(await service.rotate(credentialId, 60)).toBeNull();
    expect(rows.size).toBe(4);
  });
});

describe('A sign-in', () => {
  it('continues the lineage of its wallet and purpose, and leaves their other keys alive', async () => {
    const first = await service.issueForSignIn(WALLET, later(60));
    const modules = await service.issueForSignIn(WALLET, later(60), 'modules');
    const second = await service.issueForSignIn(WALLET, later(120));
    expect([second.lineageId === first.lineageId, modules.lineageId === first.lineageId]).toEqual([true, false]);
    expect(rows.get(second.credentialId)).toMatchObject({ generation: 2, expiresAt: later(120) });
    // Every key of a wallet's sign-ins stores under the wallet.
    for (const { key } of [first, second]) expect((await callerOf(key)).storageOwner).toBe(`wallet ${WALLET}`);
    expect((await callerOf(modules.key, ['modules:submit'])).storageOwner).toBe(`wallet ${WALLET}`);
  });

  it('ends the oldest key of a wallet that has as many as it may have', async () => {
    const keys: IssuedKey[] = [];
    for (let index = 0; index <= SIGN_IN_KEYS; index += 1) keys.push(await service.issueForSignIn(WALLET, later(60)));
    expect(await codeOf(() => callerOf(keys[0]!.key))).toBe('UNAUTHENTICATED');
    for (const { key } of keys.slice(1)) expect((await callerOf(key)).controllers).toEqual([WALLET]);
  });

  it('is refused for a blocked wallet', async () => {
    blocked.add(WALLET);
    expect(await codeOf(() => service.issueForSignIn(WALLET, later(60)))).toBe('SIGN_IN_REVOKED');
    expect(rows.size).toBe(0);
  });
});
