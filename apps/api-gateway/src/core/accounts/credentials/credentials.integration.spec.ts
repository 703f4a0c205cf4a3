import type { Hex } from '@launch/contracts/primitives';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { call, codeOf, newKey, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch } from '../../../fixtures/launch.driver.js';
import { requestBytes, TEST_CONTROLLER, testRequest } from '../../../fixtures/test-request.js';
import { runSql } from '../../../fixtures/run-sql.js';

const SCOPES = ['custom-launch:create', 'custom-launch:read'] as const;
const OTHER = `0x${'2'.repeat(40)}`;
const THIRD = `0x${'3'.repeat(40)}`;

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

const list = (key: string): Promise<Answer> => call(gateway.base, { key });
const partner = (...allowedControllers: string[]) =>
  gateway.credentials.issue({
    kind: 'partner',
    allowedControllers,
    scopes: SCOPES,
    chains: ['4663'],
    label: null,
    expiresAt: null,
  });
const launchAs = (key: string, controller: string, nonce: string, path = '') =>
  call(`${gateway.base}${path}`, {
    key,
    headers: path === '' ? { 'idempotency-key': newKey() } : {},
    body: requestBytes(
      testRequest({
        nonce,
        change: (request) => {
          request.launchWallet = controller as Hex;
          for (const one of request.graphBundle.components) one.salt = `${controller}${'0'.repeat(24)}` as Hex;
        },
      }),
    ),
  });

describe('Rotation', () => {
  it('keeps access within the lineage: by the old key during its grace, by the new key from then on', async () => {
    const first = await gateway.issueKey();
    const launch = await reserveLaunch(gateway, first.key);
    const second = await gateway.credentials.rotate(first.credentialId, 60);
    expect(second?.lineageId).toBe(first.lineageId);
    for (const key of [first.key, second?.key ?? ''])
      expect((await launch.get(key)).json.launchId).toBe(launch.launchId);
    gateway.clock.shiftMs = 61_000;
    try {
      expect(codeOf(await launch.get(first.key))).toBe('UNAUTHENTICATED');
      expect((await launch.get(second?.key)).status).toBe(200);
      expect(codeOf(await launch.replay(second?.key))).toBe('MULTI_ROLE_ADMISSION_PENDING');
    } finally {
      gateway.clock.shiftMs = 0;
    }
  });
});

describe('Revocation', () => {
  it('takes effect on the very next request, and leaves the rest of the lineage', async () => {
    const first = await gateway.issueKey();
    const second = await gateway.credentials.rotate(first.credentialId, 600);
    expect((await list(first.key)).status).toBe(200);
    expect(await gateway.credentials.revoke(first.credentialId)).toEqual({
      blockedWallet: TEST_CONTROLLER,
      livingKeys: expect.arrayContaining([second?.credentialId]),
    });
    expect([(await list(first.key)).status, (await list(second?.key ?? '')).status]).toEqual([401, 200]);
    expect(await gateway.credentials.revoke(first.credentialId)).toBeNull();
  });
});

describe('Revocation of a key whose request is in flight', () => {
  /** Sends a POST that is admitted, revokes its key at another gateway, and only then sends the last byte. */
  async function overtaken(path: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<number> {
    const issued = await gateway.issueKey();
    const { promise: letIn, resolve } = Promise.withResolvers<void>();
    const authenticate = gateway.credentials.authenticate.bind(gateway.credentials);
    const watched = jest
      .spyOn(gateway.credentials, 'authenticate')
      .mockImplementationOnce((...asked) => authenticate(...asked).finally(resolve));
    const answered = Promise.withResolvers<number>();
    const outgoing = httpRequest(`${gateway.base}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${issued.key}`,
        'content-type': 'application/json',
        'content-length': body.length,
        ...headers,
      },
    });
    outgoing
      .on('response', (response) => answered.resolve(response.resume().statusCode ?? 0))
      .on('error', answered.reject);
    outgoing.write(body.subarray(0, 1));
    await letIn;
    watched.mockRestore();
    expect(await another.credentials.revoke(issued.credentialId)).not.toBeNull();
    outgoing.end(body.subarray(1));
    return answered.promise;
  }
  let another: Harness;
  beforeAll(async () => {
    another = await startHarness({ beside: gateway });
  });
  afterAll(() => another.close());

  it('takes effect before the last byte of the body arrives', async () => {
    const hint = requestBytes({
      schemaVersion: 'service.multi-role-transaction-hint.v2',
      transactionHash: `0x${'7'.repeat(64)}`,
    });
    const bytes = requestBytes(testRequest({ nonce: '920001' }));
    expect(await overtaken('', bytes, { 'idempotency-key': newKey() })).toBe(401);
    expect(await overtaken('/preflight', bytes)).toBe(401);
    expect(await overtaken('/3f2b8a4e-0000-4000-8000-000000000001/transaction-hints', hint)).toBe(401);
  });

  it('stops the reservation, however far the request has come, and affects no other key of the lineage', async () => {
    const first = await gateway.issueKey();
    const second = await gateway.credentials.rotate(first.credentialId, 600);
    const bytes = requestBytes(testRequest({ nonce: '920002' }));
    const [idempotencyKey, create] = [
      newKey(),
      (key = '') => call(gateway.base, { key, body: bytes, headers: { 'idempotency-key': idempotencyKey } }),
    ];
    const judging = jest.spyOn(gateway.chain, 'nonceUsed').mockImplementationOnce(async () => {
      await another.credentials.revoke(first.credentialId);
      return false;
    });
    try {
      const answers = await Promise.all([create(first.key), create(second?.key)]);
      expect(answers.map(({ status }) => status)).toEqual([401, 202]);
    } finally {
      judging.mockRestore();
    }
    expect(
      await runSql(gateway.database, 'SELECT 1 FROM launch WHERE lineage_id = $1', [first.lineageId]),
    ).toHaveLength(1);
  });
});

describe('The plaintext', () => {
  it('is only in the answer that issued it', async () => {
    const { key } = await gateway.issueKey();
    // The secret itself may contain underscores.
    const secret = key.split('_').slice(2).join('_');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const rows = await runSql<{ row: string }>(
      gateway.database,
      'SELECT row_to_json(c)::text AS row FROM credential c',
    );
    const visible = `${JSON.stringify(rows)}${JSON.stringify(await gateway.credentials.list())}`;
    for (const form of [secret, Buffer.from(secret, 'base64url').toString('hex')]) expect(visible).not.toContain(form);
  });
});

describe("A partner's key", () => {
  it('launches only for the wallets of its list', async () => {
    const { key } = await partner(OTHER, TEST_CONTROLLER);
    expect((await launchAs(key, TEST_CONTROLLER, '910001')).status).toBe(202);
    expect((await launchAs(key, OTHER, '910001')).status).toBe(202);
    for (const path of ['', '/preflight'])
      expect(codeOf(await launchAs(key, THIRD, '910001', path))).toBe('WALLET_BINDING_MISMATCH');
    expect(
      (await list(key)).json.items.map(({ launchWallet }: { launchWallet: string }) => launchWallet).sort(),
    ).toEqual([TEST_CONTROLLER, OTHER].sort());
  });

  it("reads the launches of its own lineage for listed wallets, and none of the wallet's own keys", async () => {
    const mine = await partner(TEST_CONTROLLER);
    const wallets = await gateway.issueKey();
    const [ours, theirs] = [await reserveLaunch(gateway, mine.key), await reserveLaunch(gateway, wallets.key)];
    expect([
      (await ours.get()).status,
      (await ours.get(wallets.key)).status,
      (await theirs.get(mine.key)).status,
    ]).toEqual([200, 404, 404]);
    const next = await gateway.credentials.rotate(mine.credentialId, 0);
    expect((await ours.get(next?.key)).status).toBe(200);
    expect(codeOf(await ours.replay(next?.key))).toBe('MULTI_ROLE_ADMISSION_PENDING');
  });

  it('reaches no launch of another lineage, of the same wallet or not', async () => {
    const mine = await partner(OTHER, TEST_CONTROLLER);
    const theirs = await reserveLaunch(gateway, (await partner(TEST_CONTROLLER)).key);
    await theirs.authorized();
    await theirs.finalized();
    const hint = (version: string) => ({
      body: requestBytes({
        schemaVersion: `service.multi-role-transaction-hint.${version}`,
        transactionHash: `0x${'7'.repeat(64)}`,
      }),
    });
    const routes = [
      ['', {}],
      ['/finality', {}],
      ['/finality-v3', {}],
      ['/finality/evidence', {}],
      ['/transaction-hints', hint('v2')],
      ['/transaction-hints-v3', hint('v3')],
    ] as const;
    for (const [route, options] of routes)
      expect([
        route,
        codeOf(await call(`${gateway.url}${theirs.created.statusUrl}${route}`, { key: mine.key, ...options })),
      ]).toEqual([route, 'NOT_FOUND']);
    expect((await list(mine.key)).json.items).toEqual([]);
  });
});
