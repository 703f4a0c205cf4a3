import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestIdSchema } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { errorBodySchema } from '@launch/contracts/validation';
import { call, codeOf, newKey, rawCall, type Answer, type CallOptions } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { requestBytes } from '../../fixtures/test-request.js';

const BASE = MULTI_ROLE_BASE_PATH;
const ID = '00000000-0000-4000-8000-000000000000';
const WORD = `0x${'0'.repeat(64)}`;

let gateway: Harness;
let key: string;
let createOnly: string;
let readOnly: string;
const at = (path: string, options?: CallOptions): Promise<Answer> => call(`${gateway.url}${path}`, options);
const post = (body: Uint8Array | string, headers: Record<string, string> = {}, as = key): Promise<Answer> =>
  at(BASE, { key: as, body, headers: { 'idempotency-key': newKey(), ...headers } });

beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
  ({ key: createOnly } = await gateway.issueKey(['custom-launch:create']));
  ({ key: readOnly } = await gateway.issueKey(['custom-launch:read']));
});
afterAll(() => gateway.close());

describe('Every answer', () => {
  it.each([
    ['a public page', `${BASE}/capabilities`, 200],
    ['an unknown path', '/nowhere', 404],
    ['a missing key', `${BASE}/${ID}`, 401],
    ['a wrong method', `${BASE}/preflight`, 405],
    ['a malformed path', '/%zz', 404],
    ['a path that never ends', `${BASE}/finalized/${'a'.repeat(2_000)}`, 404],
  ])('to %s carries a request id and the quota', async (_name, path, status) => {
    const answer = await rawCall(gateway.url, { method: 'GET', path });
    expect(answer.status).toBe(status);
    expect(requestIdSchema.safeParse(answer.headers.get('x-request-id')).success).toBe(true);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('ratelimit')).toMatch(/^"public";r=\d+;t=\d+$/);
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"public";q=\d+;w=\d+$/);
    if (status >= 400) {
      const { error } = errorBodySchema.parse(answer.json);
      expect(error.requestId).toBe(answer.headers.get('x-request-id'));
    }
  });

  it('reports to a caller its own quota', async () => {
    expect((await at(BASE, { key })).headers.get('ratelimit-policy')).toMatch(/^"read";/);
  });

  it('is problem details on request, with the same content', async () => {
    const answer = await at(`${BASE}/${ID}`, { key, headers: { accept: 'application/problem+json' } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.json).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      type: '/v4/errors#NOT_FOUND',
      error: { code: 'NOT_FOUND' },
    });
    expect((await at(`${BASE}/${ID}`, { key, headers: { accept: '*/*' } })).headers.get('content-type')).toBe(
      'application/json; charset=utf-8',
    );
  });
});

describe('Routing', () => {
  it.each([
    ['/nowhere'],
    [`${BASE}/capabilities/`],
    [`${BASE}//`],
    [`${BASE}/${ID}/`],
    [`${BASE}/${ID.toUpperCase().replace('8000', '8ABC')}`],
    [`${BASE}/not-a-uuid`],
    [`${BASE}/${ID}/finality/`],
    [`${BASE}/finalized/0x12`],
    [`${BASE}/finalized/${WORD}/image/${'g'.repeat(64)}`],
    ['/v4/chains/1/multi-role-custom-launches'],
    ['/%zz'],
    [`${BASE}/${'a'.repeat(600)}`],
  ])('answers 404 to every caller at %s', async (path) => {
    const answer = await rawCall(gateway.url, { method: 'GET', path });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['GET', `${BASE}/preflight`, 'POST, OPTIONS'],
    ['DELETE', BASE, 'GET, HEAD, POST, OPTIONS'],
    ['PUT', `${BASE}/${ID}`, 'GET, HEAD, OPTIONS'],
    ['POST', `${BASE}/capabilities`, 'GET, HEAD, OPTIONS'],
    ['GET', `${BASE}/${ID}/transaction-hints`, 'POST, OPTIONS'],
    ['POST', `${BASE}/finalized/${WORD}`, 'GET, HEAD, OPTIONS'],
  ])('answers %s %s with 405 and Allow', async (method, path, allow) => {
    const answer = await rawCall(gateway.url, { method, path });
    expect([answer.status, codeOf(answer), answer.headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', allow]);
  });

  it.each([
    ['POST', '/nowhere', 404],
    ['PUT', `${BASE}/${ID}`, 405],
    ['POST', `${BASE}/capabilities`, 405],
    ['DELETE', BASE, 405],
    ['POST', `${BASE}/${ID}/finality`, 405],
  ])('answers %s %s with the same status with a body as without: %i', async (method, path, status) => {
    for (const headers of [
      { 'content-type': 'application/json', 'content-length': '2' },
      { 'transfer-encoding': 'chunked' },
    ] as Record<string, string>[]) {
      const answer = await rawCall(gateway.url, { method, path, headers, chunks: [Buffer.from('{}')] });
      expect([answer.status, codeOf(answer)]).toEqual([status, status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED']);
    }
  });

  it('answers OPTIONS with the methods', async () => {
    const answer = await rawCall(gateway.url, { method: 'OPTIONS', path: BASE });
    expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([204, 'GET, HEAD, POST, OPTIONS', '']);
  });

  it.each(['/capabilities', '/finalized', `/finalized/${WORD}`])('mirrors GET by HEAD on %s', async (path) => {
    const [head, get] = await Promise.all([at(`${BASE}${path}`, { method: 'HEAD' }), at(`${BASE}${path}`)]);
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-type', 'content-length', 'cache-control', 'vary']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  it.each([`${BASE}/capabilities?x=1`, '/openapi.json?x', `${BASE}/finalized/${WORD}?limit=1`])(
    'accepts no query at %s',
    async (path) => {
      expect(codeOf(await at(path))).toBe('QUERY_NOT_ALLOWED');
    },
  );

  it('accepts no query on any described route except lists', async () => {
    const { paths } = (await at('/openapi.json')).json as {
      paths: Record<string, Record<string, { parameters?: readonly { in: string }[] }>>;
    };
    const values: Record<string, string> = { launchId: ID, onchainLaunchId: WORD, sha256hex: '0'.repeat(64) };
    const lists: string[] = [];
    let asked = 0;
    for (const [path, methods] of Object.entries(paths).filter(([one]) => one.startsWith(BASE))) {
      for (const [method, { parameters = [] }] of Object.entries(methods).filter(([name]) =>
        ['get', 'post'].includes(name),
      )) {
        const answer = await rawCall(gateway.url, {
          method: method.toUpperCase(),
          path: `${path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}?x=1`,
          headers: { authorization: `Bearer ${key}` },
        });
        asked += 1;
        if (parameters.some((one) => one.in === 'query')) lists.push(`${path} ${codeOf(answer)}`);
        else expect([method, path, answer.status, codeOf(answer)]).toEqual([method, path, 400, 'QUERY_NOT_ALLOWED']);
      }
    }
    expect(asked).toBeGreaterThan(20);
    expect(lists.sort()).toEqual(['', '/finalized', '/finalized-v3'].map((list) => `${BASE}${list} QUERY_INVALID`));
  });

  it('checks the key before the query', async () => {
    expect(codeOf(await at(`${BASE}/${ID}?x=1`))).toBe('UNAUTHENTICATED');
    expect(codeOf(await at(`${BASE}/${ID}?x=1`, { key }))).toBe('QUERY_NOT_ALLOWED');
  });
});

describe('A request that is not HTTP', () => {
  it.each([
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost x\r\n\r\n'],
    ['a length that is no number', `POST ${BASE} HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n`],
    ['two lengths', `POST ${BASE} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`],
    [
      'a head above 48 KiB',
      `GET ${BASE}/capabilities HTTP/1.1\r\nhost: x\r\nx-padding: ${'a'.repeat(49 * 1024)}\r\n\r\n`,
    ],
  ])('but %s is refused in the error contract, and its connection ends', async (_what, bytes) => {
    const { hostname, port } = new URL(gateway.url);
    const text = await new Promise<string>((resolve, reject) => {
      let heard = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket
        .on('data', (data) => (heard += data.toString()))
        .once('end', () => resolve(heard))
        .once('error', reject);
    });
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const { error } = errorBodySchema.parse(JSON.parse(body));
    expect([error.code, error.retryable]).toEqual(['HEADER_INVALID', false]);
    expect(head).toContain(`x-request-id: ${error.requestId}`);
  });
});

describe('A credential', () => {
  it.each([
    ['none', {}],
    ['no scheme', { authorization: 'clk_x' }],
    ['another scheme', { authorization: 'Basic abc' }],
    ['no key of ours', { authorization: 'Bearer abc' }],
    ['an unknown key', { authorization: `Bearer clk_${'0'.repeat(20)}_${'A'.repeat(43)}` }],
  ])('is refused with 401 and a challenge: %s', async (_name, headers) => {
    const answer = await at(`${BASE}/${ID}`, { headers });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('with a wrong secret under a known id is refused with 401', async () => {
    const forged = key.replace(/.{4}$/, (tail) => (tail === 'AAAA' ? 'AAAB' : 'AAAA').slice(0, 4));
    expect(codeOf(await at(BASE, { key: forged }))).toBe('UNAUTHENTICATED');
  });

  it('is checked for each scope separately', async () => {
    const body = requestBytes({ schemaVersion: 'service.multi-role-transaction-hint.v2', transactionHash: WORD });
    expect(codeOf(await at(BASE, { key: createOnly }))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await post('{}', {}, readOnly))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await at(`${BASE}/preflight`, { key: readOnly, body: '{}' }))).toBe('INSUFFICIENT_SCOPE');
    for (const half of [createOnly, readOnly]) {
      for (const route of ['transaction-hints', 'transaction-hints-v3'])
        expect(codeOf(await at(`${BASE}/${ID}/${route}`, { key: half, body }))).toBe('INSUFFICIENT_SCOPE');
    }
    for (const route of ['', '/finality', '/finality-v3', '/finality/evidence']) {
      expect([route, codeOf(await at(`${BASE}/${ID}${route}`, { key: createOnly }))]).toEqual([
        route,
        'INSUFFICIENT_SCOPE',
      ]);
      expect([route, codeOf(await at(`${BASE}/${ID}${route}`, { key: readOnly }))]).toEqual([route, 'NOT_FOUND']);
    }
  });

  it('without the chain is refused', async () => {
    const { key: elsewhere } = await gateway.credentials.issue({
      controller: `0x${'1'.repeat(40)}`,
      scopes: ['custom-launch:read'],
      chains: [],
      label: null,
      expiresAt: null,
    });
    expect(codeOf(await at(BASE, { key: elsewhere }))).toBe('CHAIN_NOT_ALLOWED');
  });

  it('ends at once when it is revoked, ends at its expiry, and keeps its lineage when it is rotated', async () => {
    const issued = await gateway.issueKey();
    const next = await gateway.credentials.rotate(issued.credentialId, 3_600);
    expect(next?.lineageId).toBe(issued.lineageId);
    expect((await at(BASE, { key: issued.key })).status).toBe(200);
    expect((await at(BASE, { key: next?.key ?? '' })).status).toBe(200);
    gateway.clock.shiftMs = 3_601_000;
    expect(codeOf(await at(BASE, { key: issued.key }))).toBe('UNAUTHENTICATED');
    gateway.clock.shiftMs = 0;
    await gateway.credentials.revoke(next?.credentialId ?? '');
    expect(codeOf(await at(BASE, { key: next?.key ?? '' }))).toBe('UNAUTHENTICATED');
  });

  it('is ignored on a public route', async () => {
    expect((await at(`${BASE}/capabilities`, { key: 'nonsense' })).status).toBe(200);
  });
});

describe('The Idempotency-Key', () => {
  it.each([
    ['IDEMPOTENCY_KEY_REQUIRED', undefined],
    ['IDEMPOTENCY_KEY_REQUIRED', ''],
    ['IDEMPOTENCY_KEY_INVALID', 'short'],
    ['IDEMPOTENCY_KEY_INVALID', 'x'.repeat(129)],
    ['IDEMPOTENCY_KEY_INVALID', 'has spaces in it 12'],
    ['IDEMPOTENCY_KEY_INVALID', 'slash/slash/slash/'],
  ])('is refused with %s when it is %j', async (code, value) => {
    const answer = await at(BASE, {
      key,
      body: '{}',
      headers: value === undefined ? {} : { 'idempotency-key': value },
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
  });

  it('is refused when the request has two of them', async () => {
    const answer = await rawCall(gateway.base, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `${newKey()}, ${newKey()}`,
        'content-length': '2',
      },
      chunks: [Buffer.from('{}')],
    });
    expect(codeOf(answer)).toBe('IDEMPOTENCY_KEY_INVALID');
  });
});

describe('An unreachable database', () => {
  it('causes a 503 that states when to retry, and affects no route that needs no database', async () => {
    const lost = await startHarness({ databaseUrl: 'postgresql://nobody:nothing@127.0.0.1:1/none' });
    try {
      const answer = await call(lost.base, { key });
      expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '1',
      ]);
      expect(answer.headers.get('ratelimit')).toMatch(/^"public";r=\d+;t=1$/);
      for (const path of [`${BASE}/capabilities`, '/healthz', '/docs'])
        expect([path, (await call(`${lost.url}${path}`)).status]).toEqual([path, 200]);
      expect((await call(`${lost.operationsUrl}/readyz`)).status).toBe(503);
    } finally {
      await lost.close();
    }
  });
});
