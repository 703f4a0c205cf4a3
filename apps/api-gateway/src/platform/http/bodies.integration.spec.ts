import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { call, codeOf, newKey, noted, rawCall, type Answer, type CallOptions } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { requestBytes, testRequest } from '../../fixtures/test-request.js';

const BASE = MULTI_ROLE_BASE_PATH;
const ID = '00000000-0000-4000-8000-000000000000';
const MIB = 1024 * 1024;

let gateway: Harness;
let key: string;
const at = (path: string, options?: CallOptions): Promise<Answer> => call(`${gateway.url}${path}`, options);
const post = (body: Uint8Array | string, headers: Record<string, string> = {}, as = key): Promise<Answer> =>
  at(BASE, { key: as, body, headers: { 'idempotency-key': newKey(), ...headers } });

beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

describe('Bodies', () => {
  it('are never read from anonymous callers: the answer comes while the body is still being sent', async () => {
    const { hostname, port } = new URL(gateway.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${BASE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nidempotency-key: ${newKey()}\r\ncontent-length: 1000000\r\n\r\n{`,
        );
      });
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('of 17 MiB are refused before they are sent when their length is declared', async () => {
    const answer = await rawCall(gateway.base, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': newKey(),
        'content-length': String(17 * MIB),
      },
      chunks: [Buffer.alloc(17 * MIB, 0x20)],
    });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });

  it('of 17 MiB are refused on arrival when their length is not declared', async () => {
    const answer = await rawCall(gateway.base, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': newKey(),
        'transfer-encoding': 'chunked',
      },
      chunks: Array.from({ length: 17 }, () => Buffer.alloc(MIB, 0x20)),
    });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });

  it('of exactly 16 MiB are read, and of one byte more are not', async () => {
    expect(codeOf(await post(Buffer.alloc(16 * MIB, 0x20)))).toBe('JSON_EMPTY');
    expect(codeOf(await post(Buffer.alloc(16 * MIB + 1, 0x20)))).toBe('REQUEST_TOO_LARGE');
  });

  it('of 1,025 bytes are too large for a hint', async () => {
    for (const route of ['transaction-hints', 'transaction-hints-v3']) {
      expect(codeOf(await at(`${BASE}/${ID}/${route}`, { key, body: Buffer.alloc(1_025, 0x20) }))).toBe(
        'REQUEST_TOO_LARGE',
      );
      expect(codeOf(await at(`${BASE}/${ID}/${route}`, { key, body: Buffer.alloc(1_024, 0x20) }))).toBe('JSON_EMPTY');
    }
  });

  it('that do not arrive in time are abandoned', async () => {
    const impatient = await startHarness({ beside: gateway, limits: { bodyTimeoutMs: 100 } });
    try {
      const { hostname, port } = new URL(impatient.url);
      const text = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `POST ${BASE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\nidempotency-key: ${newKey()}\r\ncontent-length: 100\r\n\r\n{`,
          );
        });
        socket.once('data', (data) => {
          socket.destroy();
          resolve(data.toString());
        });
        socket.once('error', reject);
      });
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect(noted(JSON.parse(text.slice(text.indexOf('{')))).error.code).toBe('REQUEST_TIMEOUT');
    } finally {
      await impatient.close();
    }
  });

  it.each([
    ['text/plain', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json; charset=utf-8; x=1', {}],
    ['application/x-www-form-urlencoded', {}],
    ['nonsense', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('of content type %s with headers %j are refused with 415', async (type, more) => {
    const answer = await post('{}', { 'content-type': type, ...more });
    expect([answer.status, codeOf(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'])(
    'of content type %s are read',
    async (type) => {
      expect(codeOf(await post('{}', { 'content-type': type }))).toBe('SCHEMA_INVALID');
    },
  );

  it.each([
    ['JSON_EMPTY', ''],
    ['JSON_EMPTY', '  '],
    ['JSON_SYNTAX', '{"a":}'],
    ['JSON_SYNTAX', '\ufeff{}'],
    ['JSON_SYNTAX', '{"a":"\\ud800"}'],
    ['JSON_DUPLICATE_KEY', '{"a":1,"a":1}'],
    ['JSON_DUPLICATE_KEY', '{"a":1,"\\u0061":1}'],
    ['JSON_TRAILING_DATA', '{}{}'],
    ['JSON_NUMBER_RANGE', '{"a":1e999}'],
    ['JSON_DEPTH_EXCEEDED', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['JSON_NOT_CANONICAL', '{ }'],
    ['JSON_NOT_CANONICAL', '{"b":1,"a":1}'],
    ['JSON_NOT_CANONICAL', '{}\n'],
    ['JSON_NOT_CANONICAL', '{"a":1.0}'],
    ['SCHEMA_INVALID', '{}'],
    ['SCHEMA_INVALID', '[]'],
    ['SCHEMA_INVALID', 'null'],
  ])('are refused as %s when they are %j', async (code, text) => {
    const answer = await post(text);
    expect([codeOf(answer), answer.status]).toEqual([code, code.startsWith('JSON') ? 400 : 422]);
    expect(answer.json.error.findings.length).toBeGreaterThan(0);
  });

  it('that are not text are refused as JSON_INVALID_UTF8', async () => {
    expect(codeOf(await post(Buffer.from([0x22, 0xc3, 0x28, 0x22])))).toBe('JSON_INVALID_UTF8');
  });

  it('with more than 262,144 values are refused', async () => {
    expect(codeOf(await post(`[${'1,'.repeat(262_143)}1]`))).toBe('JSON_VALUES_EXCEEDED');
  });

  it('are never echoed', async () => {
    const answer = await post(requestBytes({ ...testRequest(), launchWallet: 'hunter2' }));
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain('hunter2');
  });
});
