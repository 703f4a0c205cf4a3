import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { openGatewayDatabase, type OpenedDatabase } from '../../fixtures/gateway-database.js';
import { runSql } from '../../fixtures/run-sql.js';
import { CredentialRepository, type LiveCredential, type NewCredential } from './credentials/credential.repository.js';
import { NonceRepository } from './sign-in/nonce.repository.js';

const anyWallet = (): string => `0x${randomBytes(20).toString('hex')}`;
const NOW = new Date('2026-11-20T10:00:00.000Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

let opened: OpenedDatabase;
let database: GatewayDatabase;
beforeAll(async () => {
  opened = await openGatewayDatabase();
  ({ database } = opened);
});
afterAll(() => opened.close());

const credential = (more: Partial<NewCredential> = {}): NewCredential => ({
  credentialId: randomUUID(),
  lineageId: randomUUID(),
  generation: 1,
  kind: 'wallet',
  origin: 'operator',
  controller: anyWallet(),
  allowedControllers: [],
  scopes: ['custom-launch:read'],
  chains: ['4663'],
  label: null,
  secretMac: randomBytes(32),
  rotatedFrom: null,
  expiresAt: null,
  ...more,
});

describe('The repository of credentials', () => {
  let credentials: CredentialRepository;
  beforeAll(() => {
    credentials = new CredentialRepository(database);
  });
  const inserted = async (more: Partial<NewCredential> = {}): Promise<NewCredential> => {
    const row = credential(more);
    await credentials.insert(row);
    return row;
  };
  const successor = (row: NewCredential, more: Partial<NewCredential> = {}) => ({
    ...credential({ ...row, credentialId: randomUUID(), generation: row.generation + 1, ...more }),
    rotatedFrom: row.credentialId,
  });

  it('reads back the columns of a key, also when many requests look keys up at once', async () => {
    const [one, other] = [await inserted({ label: 'mine', expiresAt: later(60) }), await inserted()];
    const found = await Promise.all(
      [one.credentialId, other.credentialId, 'unknown', one.credentialId].map((id) => credentials.find(id)),
    );
    const { rotatedFrom: _, ...columns } = one;
    const expected = { ...columns, revokedAt: null, secretMac: Buffer.from(one.secretMac) };
    expect(found).toEqual([
      expected,
      expect.objectContaining({ credentialId: other.credentialId, label: null, expiresAt: null }),
      null,
      expected,
    ]);
    expect(await credentials.read(one.credentialId)).toMatchObject({ rotatedFrom: null, createdAt: expect.any(Date) });
    expect(await credentials.read('unknown')).toBeNull();
  });

  it('accepts no second key with the id or the generation of another', async () => {
    const one = await inserted();
    await expect(inserted({ credentialId: one.credentialId })).rejects.toMatchObject({ code: 'P2002' });
    await expect(inserted({ lineageId: one.lineageId })).rejects.toMatchObject({ code: 'P2002' });
  });

  it('lists keys by their time and id', async () => {
    const ids = (await credentials.list()).map(({ createdAt, credentialId }) => [
      createdAt.toISOString(),
      credentialId,
    ]);
    expect(ids.length).toBeGreaterThan(1);
    expect(ids).toEqual([...ids].sort());
  });

  it('replaces a living key once, however many rotations come at once', async () => {
    const first = await inserted({ expiresAt: later(30) });
    const rotated = await Promise.all(
      Array.from({ length: 5 }, () => credentials.rotate(successor(first), later(600), NOW)),
    );
    expect(rotated.filter((isRotated) => isRotated)).toHaveLength(1);
    // A grace never lengthens a life.
    expect((await credentials.find(first.credentialId))?.expiresAt).toEqual(later(30));
    const rows = await runSql(database, 'SELECT 1 FROM credential WHERE rotated_from = $1', [first.credentialId]);
    expect(rows).toHaveLength(1);
  });

  it('rotates neither an expired nor a revoked key, and stores no successor', async () => {
    const [expired, revoked] = [await inserted({ expiresAt: NOW }), await inserted()];
    await credentials.revoke(revoked.credentialId, () => NOW);
    for (const row of [expired, revoked]) {
      const next = successor(row);
      expect(await credentials.rotate(next, later(600), NOW)).toBe(false);
      expect(await credentials.find(next.credentialId)).toBeNull();
    }
  });

  it('continues the sign-ins of a wallet one after another, each with the latest key of its origin', async () => {
    const controller = anyWallet();
    await inserted({ controller, origin: 'sign-in-modules' });
    const lasts: (LiveCredential | null)[] = [];
    const signIn = () =>
      credentials.continueSignIn({ controller, origin: 'sign-in', most: 2 }, NOW, (last) => {
        lasts.push(last);
        return credential({
          controller,
          origin: 'sign-in',
          ...(last === null
            ? {}
            : { lineageId: last.lineageId, generation: last.generation + 1, rotatedFrom: last.credentialId }),
        });
      });
    expect(await Promise.all([signIn(), signIn(), signIn()])).toEqual([true, true, true]);
    expect(lasts.map((last) => last?.generation ?? null)).toEqual([null, 1, 2]);
    const ends = await Promise.all(lasts.slice(1).map((last) => credentials.find(last?.credentialId ?? '')));
    expect(ends.map((row) => row?.expiresAt ?? null)).toEqual([NOW, null]);
  });

  it('ends a key and blocks its wallet, which has no sign-in until it is unblocked', async () => {
    const controller = anyWallet();
    const [revoked, living] = [await inserted({ controller }), await inserted({ controller })];
    await inserted({ controller, expiresAt: NOW });
    expect(await credentials.revoke(revoked.credentialId, () => NOW)).toEqual({
      blockedWallet: controller,
      livingKeys: [living.credentialId],
    });
    expect((await credentials.find(revoked.credentialId))?.revokedAt).toEqual(NOW);
    expect(await credentials.revoke(revoked.credentialId, () => later(1))).toBeNull();
    expect(await credentials.revoke('unknown', () => NOW)).toBeNull();
    const signIn = () =>
      credentials.continueSignIn({ controller, origin: 'sign-in', most: 2 }, NOW, () =>
        credential({ controller, origin: 'sign-in' }),
      );
    expect(await signIn()).toBe(false);
    expect(await credentials.block(controller, () => NOW)).toEqual({ isNew: false, livingKeys: [living.credentialId] });
    expect(await credentials.listBlocked()).toContainEqual({
      controller,
      revokedCredential: revoked.credentialId,
      blockedAt: NOW,
    });
    expect([await credentials.unblock(controller), await credentials.unblock(controller)]).toEqual([true, false]);
    expect(await signIn()).toBe(true);
  });

  it("blocks no wallet for a partner's key", async () => {
    const row = await inserted({ kind: 'partner', controller: null, allowedControllers: [anyWallet()] });
    expect(await credentials.revoke(row.credentialId, () => NOW)).toEqual({ blockedWallet: null, livingKeys: [] });
  });

  it('lists blocked wallets in the order in which they were blocked', async () => {
    const [second, first] = [anyWallet(), anyWallet()];
    expect(await credentials.block(second, () => later(20))).toEqual({ isNew: true, livingKeys: [] });
    await credentials.block(first, () => later(10));
    const listed = (await credentials.listBlocked()).map(({ controller }) => controller);
    expect(listed.filter((controller) => [first, second].includes(controller))).toEqual([first, second]);
  });

  it('keeps an issued key and the end of a revoked one, despite writes to its row', async () => {
    const { credentialId } = await inserted();
    await credentials.revoke(credentialId, () => NOW);
    const write = (set: string) =>
      runSql(database, `UPDATE credential SET ${set} WHERE credential_id = $1`, [credentialId]);
    await expect(write('revoked_at = NULL')).rejects.toThrow(/revoked/);
    await expect(write(`controller = '${anyWallet()}'`)).rejects.toThrow(/stays/);
  });

  it('refuses a key that is bound to both a wallet and a list, or to neither, and a key of another kind', async () => {
    const wallet = anyWallet();
    const bindings: readonly [string, string | null, string[]][] = [
      ['partner', wallet, [wallet]],
      ['partner', null, []],
      ['wallet', null, []],
      ['wallet', wallet, [wallet]],
      ['robot', wallet, []],
    ];
    for (const [kind, controller, allowedControllers] of bindings)
      await expect(inserted({ kind, controller, allowedControllers })).rejects.toThrow(/credential_binding/);
  });
});

describe('The repository of sign-in nonces', () => {
  let nonces: NonceRepository;
  beforeAll(() => {
    nonces = new NonceRepository(database);
  });

  it('lets one of concurrent requests use a nonce, before it expires', async () => {
    await nonces.keep('one', later(60), NOW);
    await nonces.keep('late', later(60), NOW);
    const used = await Promise.all(Array.from({ length: 5 }, () => nonces.use('one', NOW)));
    expect(used.filter((isUsed) => isUsed)).toHaveLength(1);
    expect([await nonces.use('late', later(60)), await nonces.use('late', NOW), await nonces.use('no', NOW)]).toEqual([
      false,
      false,
      false,
    ]);
    await nonces.keep('twice', later(60), NOW);
    await expect(nonces.keep('twice', later(60), NOW)).rejects.toMatchObject({ code: 'P2002' });
  });

  it('forgets up to fifty expired nonces whenever it keeps one', async () => {
    await runSql(
      database,
      `INSERT INTO sign_in_nonce (nonce, expires_at) SELECT 'old ' || n, $1 FROM generate_series(1, 70) AS n`,
      [later(-1)],
    );
    const left = async () => database.prisma.signInNonce.count({ where: { nonce: { startsWith: 'old ' } } });
    await nonces.keep('new', later(60), NOW);
    expect(await left()).toBe(20);
    await nonces.keep('newer', later(60), NOW);
    expect(await left()).toBe(0);
  });
});
