import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BlobError } from '@launch/blob-store';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { moduleSubmission, MODULE_FILES } from '../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { call, codeOf, newKey, rawCall, type Answer } from '../../fixtures/http.client.js';
import { requestBytes, TEST_CONTROLLER, testRequest } from '../../fixtures/test-request.js';

let gateway: Harness;
let nonce = 70_000;
const fresh = (): Uint8Array => requestBytes(testRequest({ nonce: String((nonce += 1)) }) as CreateRequest);
const create = (on: Harness, key: string, body: Uint8Array, idempotencyKey = newKey()): Promise<Answer> =>
  call(on.base, { key, body, headers: { 'idempotency-key': idempotencyKey } });
const REPLAYED = 'MULTI_ROLE_ADMISSION_PENDING';
/** Room for one request of the size of `fresh()` and not for two, on any day. */
const oneRequest = {
  storage: { quantity: 1, windowSeconds: 86_400, burst: Math.ceil((fresh().length * 1.5) / 1_024) },
};

beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

async function withGateways(count: number, quotas: object, work: (...on: Harness[]) => Promise<void>): Promise<void> {
  const gateways = await Promise.all(Array.from({ length: count }, () => startHarness({ beside: gateway, quotas })));
  try {
    await work(...gateways);
  } finally {
    await Promise.all(gateways.map((one) => one.close()));
  }
}

describe('The storage quota', () => {
  it('bounds the bytes of one key over all gateways, leaves other keys alone and answers replays', () =>
    withGateways(2, oneRequest, async (one, other) => {
      const { key } = await gateway.issueKey();
      const body = fresh();
      const idempotencyKey = newKey();
      expect((await create(one as Harness, key, body, idempotencyKey)).status).toBe(202);
      for (const target of [one, other]) {
        const refused = await create(target as Harness, key, fresh());
        expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
        expect(refused.headers.get('ratelimit-policy')).toBe('"storage";q=1;w=86400');
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
        expect(codeOf(await create(target as Harness, key, body, idempotencyKey))).toBe(REPLAYED);
      }
      const { key: another } = await gateway.issueKey();
      expect((await create(other as Harness, another, fresh())).status).toBe(202);
    }));

  it('refuses a request without room before the body is read, however the body is framed', () =>
    withGateways(1, { storage: { quantity: 1, windowSeconds: 86_400, burst: 1 } }, async (one) => {
      const { key } = await gateway.issueKey();
      const kept = jest.spyOn((one as Harness).blobs, 'putAll');
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const head = Object.entries({
        ...headers,
        host: 'gateway',
        'idempotency-key': newKey(),
        'content-length': 16_777_216,
      });
      const { hostname, port, pathname } = new URL((one as Harness).base);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${pathname} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{`,
      );
      const [announced] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(announced.toString()).toMatch(/^HTTP\/1\.1 429 /);
      const chunked = await rawCall((one as Harness).base, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': newKey(), 'transfer-encoding': 'chunked' },
        chunks: [fresh()],
      });
      expect([chunked.status, codeOf(chunked)]).toEqual([429, 'RATE_LIMITED']);
      expect(kept).not.toHaveBeenCalled();
    }));

  it('counts a request once when many gateways receive it at the same time', () =>
    withGateways(2, oneRequest, async (...gateways) => {
      const { key } = await gateway.issueKey();
      const body = fresh();
      const idempotencyKey = newKey();
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          create(gateways[index % 2] as Harness, key, body, idempotencyKey).then(codeOf),
        ),
      );
      expect(answers.filter((one) => one.startsWith('202'))).toHaveLength(1);
      expect(codeOf(await create(gateways[0] as Harness, key, body, idempotencyKey))).toBe(REPLAYED);
    }));

  it('is shared by all keys that a wallet signs in for, of any purpose', () =>
    withGateways(1, oneRequest, async (one) => {
      const end = new Date(Date.now() + 86_400_000);
      const first = await gateway.credentials.issueForSignIn(TEST_CONTROLLER, end);
      expect((await create(one as Harness, first.key, fresh())).status).toBe(202);
      const again = await gateway.credentials.issueForSignIn(TEST_CONTROLLER, end);
      expect(codeOf(await create(one as Harness, again.key, fresh()))).toBe('RATE_LIMITED');
      const modules = await gateway.credentials.issueForSignIn(TEST_CONTROLLER, end, 'modules');
      const draft = moduleSubmission(
        { ...MODULE_FILES, 'src/Filler.sol': `// ${'x'.repeat(90_000)}\n` },
        {
          author: TEST_CONTROLLER as `0x${string}`,
        },
      );
      const refused = await call(`${(one as Harness).url}/v1/modules/submissions`, {
        key: modules.key,
        body: JSON.stringify(draft),
        headers: { 'idempotency-key': `module-${randomUUID()}` },
      });
      expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    }));
});

describe('A disk that is nearly full', () => {
  it('closes creates, drafts and preflights with STORAGE_LOW, while reads and replays continue', async () => {
    const { key } = await gateway.issueKey();
    const { key: modules } = await gateway.issueKey(['modules:submit', 'modules:read']);
    const body = fresh();
    const idempotencyKey = newKey();
    const created = await create(gateway, key, body, idempotencyKey);
    gateway.storageSpace.low = true;
    try {
      const refused = await create(gateway, key, fresh());
      expect([refused.status, codeOf(refused), refused.headers.get('retry-after')]).toEqual([503, 'STORAGE_LOW', '30']);
      const preflight = await call(`${gateway.base}/preflight`, { key, body: fresh() });
      expect([preflight.status, codeOf(preflight)]).toEqual([503, 'STORAGE_LOW']);
      const draft = await call(`${gateway.url}/v1/modules/submissions`, {
        key: modules,
        body: '{}',
        headers: { 'idempotency-key': `module-${randomUUID()}` },
      });
      expect([draft.status, codeOf(draft)]).toEqual([503, 'STORAGE_LOW']);
      expect(codeOf(await create(gateway, key, body, idempotencyKey))).toBe(REPLAYED);
      expect((await call(`${gateway.url}${created.json.statusUrl}`, { key })).status).toBe(200);
    } finally {
      gateway.storageSpace.low = false;
    }
    expect((await create(gateway, key, fresh())).status).toBe(202);
  });

  it('is reported by a write that finds it full, which reserves and counts nothing', async () => {
    const { key } = await gateway.issueKey();
    const full = new BlobError('BLOB_IO', { errno: 'ENOSPC' });
    const put = jest.spyOn(gateway.blobs, 'putAll').mockRejectedValueOnce(full);
    const body = fresh();
    const idempotencyKey = newKey();
    const noted = gateway.storageSpace.full;
    try {
      const refused = await create(gateway, key, body, idempotencyKey);
      expect([refused.status, codeOf(refused)]).toEqual([503, 'STORAGE_LOW']);
      expect(gateway.storageSpace.full).toBe(noted + 1);
      expect((await create(gateway, key, body, idempotencyKey)).status).toBe(202);
    } finally {
      put.mockRestore();
    }
  });
});
