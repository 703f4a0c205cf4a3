import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import { errorBodySchema } from '@launch/contracts/validation';
import { AnsweringServer, json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { ApiClient, type ApiClientOptions } from './api-client.js';
import { createLaunch, getHealth, getLaunch, inviteSignIn, listLaunches } from './index.js';

const service = new AnsweringServer();
const elsewhere = new AnsweringServer();
let origin: string;
let otherOrigin: string;
beforeAll(async () => {
  [origin, otherOrigin] = await Promise.all([service.start(), elsewhere.start()]);
});
afterAll(() => Promise.all([service.stop(), elsewhere.stop()]));

const KEY = 'sentinel-key-of-this-test';
const LAUNCH = '0b6f7b0e-95f5-4a3c-8d53-6a2f9a1f2b3c';
const client = (bounds = {}): ApiClient => new ApiClient(origin, { apiKey: () => KEY, bounds });
const refusal = (code: string, retryable = false) =>
  errorBodySchema.parse({
    error: {
      code,
      message: 'Nothing of it.',
      requestId: `req_${'0'.repeat(26)}`,
      retryable,
      retryAfterSeconds: null,
      statusUrl: null,
      findings: [finding('NOT_FOUND', '')],
    },
  });

describe('a call', () => {
  it('returns the answer of its status, and sends the key with the path filled in', async () => {
    service.answer = json(404, refusal('NOT_FOUND'));
    const answer = await client().call(getLaunch, { path: { launchId: LAUNCH } });
    if (answer.status !== 404) throw new Error('another status');
    expect(answer.value.error.code).toBe('NOT_FOUND');
    const seen = service.seen.at(-1);
    expect([seen?.method, seen?.url, seen?.headers.authorization]).toEqual([
      'GET',
      `/v4/chains/4663/multi-role-custom-launches/${LAUNCH}`,
      `Bearer ${KEY}`,
    ]);
  });

  it('sends a body as its bytes, a query and headers as they are', async () => {
    service.answer = json(429, refusal('RATE_LIMITED', true));
    const body = new TextEncoder().encode('{ "b": 1, "a": 2 }');
    const header = { 'Idempotency-Key': 'sixteen-characters' };
    expect((await client().call(createLaunch, { header, body })).status).toBe(429);
    expect(service.seen.at(-1)?.body.equals(body)).toBe(true);
    expect(service.seen.at(-1)?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'sixteen-characters',
    });
    await client().call(listLaunches, { query: { limit: 2, cursor: 'a+b/=' } });
    expect(service.seen.at(-1)?.url).toMatch(/\?limit=2&cursor=a%2Bb%2F%3D$/);
  });

  it('to a route without a key sends no key and does not read one', async () => {
    service.answer = json(200, { status: 'ok' });
    const apiKey = (): string => {
      throw new Error('asked for the key');
    };
    const answer = await new ApiClient(origin, { apiKey }).call(getHealth, {});
    expect([answer.status, service.seen.at(-1)?.headers.authorization]).toEqual([200, undefined]);
  });
});

describe('A server that calls on behalf of a visitor', () => {
  const VISITOR = '203.0.113.9';
  const named = (more: ApiClientOptions = {}): ApiClient =>
    new ApiClient(origin, { headers: { 'x-forwarded-for': VISITOR }, ...more });

  it('adds its headers to every call, of routes with and without a key', async () => {
    service.answer = json(200, { status: 'ok' });
    await named().call(getHealth, {});
    service.answer = json(404, refusal('NOT_FOUND'));
    await named({ apiKey: () => KEY }).call(getLaunch, { path: { launchId: LAUNCH } });
    const seen = service.seen.slice(-2).map(({ headers }) => [headers['x-forwarded-for'], headers.authorization]);
    expect(seen).toEqual([
      [VISITOR, undefined],
      [VISITOR, `Bearer ${KEY}`],
    ]);
  });

  it('cannot replace the key, the accepted types or a header of the call', async () => {
    service.answer = json(429, refusal('RATE_LIMITED', true));
    const headers = { authorization: 'Bearer another', accept: 'text/html', 'idempotency-key': 'of-every-call-123' };
    const header = { 'Idempotency-Key': 'of-this-call-1234' };
    await named({ apiKey: () => KEY, headers }).call(createLaunch, { header, body: new Uint8Array([123, 125]) });
    expect(service.seen.at(-1)?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      accept: expect.stringMatching(/^application\/json/),
      'idempotency-key': 'of-this-call-1234',
    });
  });

  it('gives a read the time of its client, and a single call its own', async () => {
    service.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const patient = named({ bounds: { readMs: 60_000 } }).call(getHealth, {}, { readMs: 50 });
    await expect(patient).rejects.toMatchObject({ code: 'ANSWER_TOO_SLOW' });
    const hasty = named({ bounds: { readMs: 50, writeMs: 60_000 } }).call(getHealth, {});
    await expect(hasty).rejects.toMatchObject({ code: 'ANSWER_TOO_SLOW' });
  });

  it('gives up every call in progress when the visitor leaves', async () => {
    service.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const leaves = new AbortController();
    const visited = named({ signal: leaves.signal });
    const calls = [visited.call(getHealth, {}), visited.call(getHealth, {})];
    const ends = calls.map((call) => expect(call).rejects.toThrow('the visitor left'));
    leaves.abort(new Error('the visitor left'));
    await Promise.all(ends);
  });

  it('reaches a host without TLS in a private network only if it says so', () => {
    const address = 'http://api-gateway:8080';
    expect(() => new ApiClient(address)).toThrow(expect.objectContaining({ code: 'ORIGIN_UNUSABLE' }));
    expect(new ApiClient(address, { isNetworkPrivate: true }).origin).toBe(address);
  });
});

describe('an unusable answer', () => {
  const nonce = {
    schemaVersion: 'service.sign-in-nonce.v1',
    nonce: 'abc',
    domain: 'launch.example',
    uri: 'https://launch.example',
    version: '1',
    chainId: '4663',
    statement: 'Sign in.',
    issuedAt: '2026-01-01T00:00:00.000Z',
    expirationTime: '2026-01-01T00:05:00.000Z',
  };
  const invited = () => client({ bytes: 65_536, readMs: 60_000, writeMs: 60_000 }).call(inviteSignIn, {});

  it.each<[string, string, Answering]>([
    ['a redirect', 'ANSWER_REDIRECTED', (one) => void one.writeHead(307, { location: `${otherOrigin}/x` }).end()],
    ['a status that the route does not have', 'ANSWER_STATUS_UNKNOWN', json(418, {})],
    ['more bytes than allowed', 'ANSWER_TOO_LARGE', json(201, { ...nonce, more: 'x'.repeat(70_000) })],
    ['text', 'ANSWER_NOT_JSON', (one) => void one.writeHead(201, { 'content-type': 'text/plain' }).end('{}')],
    ['no JSON', 'ANSWER_NOT_JSON', json(201, '{"a":')],
    ['a member twice', 'ANSWER_NOT_JSON', json(201, '{"a":1,"a":2}')],
    ['a member missing', 'ANSWER_SCHEMA_MISMATCH', json(201, { ...nonce, nonce: undefined })],
    ['a member of another type', 'ANSWER_SCHEMA_MISMATCH', json(201, { ...nonce, nonce: 7 })],
    ['a body cut off', 'ANSWER_BROKEN_OFF', cutOff],
  ])('is refused with its own code: %s', async (_what, code, answering) => {
    service.answer = answering;
    await expect(invited()).rejects.toMatchObject({ code });
    expect(elsewhere.seen).toEqual([]);
  });

  it('may have unknown members, except on the multi-role API', async () => {
    service.answer = json(201, { ...nonce, later: true });
    expect((await invited()).status).toBe(201);
    const { error } = refusal('NOT_FOUND');
    service.answer = json(404, { error: { ...error, later: true } });
    const call = client().call(getLaunch, { path: { launchId: LAUNCH } });
    await expect(call).rejects.toMatchObject({ code: 'ANSWER_SCHEMA_MISMATCH', httpStatus: 404 });
  });

  it('may have an unknown error code, except on the multi-role API', async () => {
    const { error } = refusal('NOT_FOUND');
    service.answer = json(429, { error: { ...error, code: 'CODE_OF_LATER' } });
    expect((await invited()).status).toBe(429);
    service.answer = json(404, refusal('RATE_LIMITED'));
    const call = client().call(getLaunch, { path: { launchId: LAUNCH } });
    await expect(call).rejects.toMatchObject({ code: 'ANSWER_SCHEMA_MISMATCH' });
  });

  it('is refused when it exceeds the deadline', async () => {
    service.answer = (response) => void response.writeHead(201, { 'content-type': 'application/json' }).write('{');
    await expect(client({ writeMs: 50 }).call(inviteSignIn, {})).rejects.toMatchObject({ code: 'ANSWER_TOO_SLOW' });
  });

  it('is missing when no server listens, and the error contains no key', async () => {
    const unused = new AnsweringServer();
    const gone = new ApiClient(await unused.start(), { apiKey: () => KEY });
    await unused.stop();
    const error: unknown = await gone.call(listLaunches, {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', retryable: true });
    expect(JSON.stringify([error, String(error)])).not.toContain(KEY);
  });

  it("ends with the caller's abort reason", async () => {
    const ends = new AbortController();
    service.answer = () => ends.abort(new Error('enough'));
    const call = new ApiClient(origin, { signal: ends.signal }).call(getHealth, {});
    await expect(call).rejects.toThrow('enough');
  });
});

function cutOff(...[response]: Parameters<Answering>): void {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{', () => response.destroy());
}

describe('the client sends nothing', () => {
  it.each(['http://launch.example', 'ftp://127.0.0.1', 'https://a:b@launch.example', 'https://launch.example/v4', ''])(
    'to an unusable origin: %s',
    (text) => expect(() => new ApiClient(text)).toThrow(expect.objectContaining({ code: 'ORIGIN_UNUSABLE' })),
  );

  it.each(['', '.', '..'])('for an empty or dot path parameter: "%s"', async (launchId) => {
    const before = service.seen.length;
    await expect(client().call(getLaunch, { path: { launchId } })).rejects.toMatchObject({ code: 'INPUT_UNUSABLE' });
    expect(service.seen.length).toBe(before);
  });

  it('without a key to a route that requires one', async () => {
    const before = service.seen.length;
    await expect(new ApiClient(origin).call(listLaunches, {})).rejects.toMatchObject({ code: 'INPUT_UNUSABLE' });
    expect(service.seen.length).toBe(before);
  });
});
