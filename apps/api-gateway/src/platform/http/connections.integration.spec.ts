import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestIdSchema } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { errorBodySchema } from '@launch/contracts/validation';
import { newKey, noted } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';

const BASE = MULTI_ROLE_BASE_PATH;
const MIB = 1024 * 1024;
const ID = '00000000-0000-4000-8000-000000000000';

let gateway: Harness;
let key: string;
let readOnly: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
  ({ key: readOnly } = await gateway.issueKey(['custom-launch:read']));
});
afterAll(() => gateway.close());

/** Sends bytes and returns the whole answer. Like a blocking client, it reads nothing before everything is sent. */
function exchange(bytes: string | readonly (string | Uint8Array)[], target: Harness = gateway): Promise<string> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(port), hostname).pause();
    socket
      .once('error', reject)
      .on('data', (data) => (heard += data.toString('latin1')))
      .once('end', () => resolve(heard));
    const pieces = [bytes].flat();
    pieces.forEach((piece, index) =>
      socket.write(piece, index === pieces.length - 1 ? () => socket.resume() : undefined),
    );
  });
}

interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}
/** Splits the answers on a connection by their declared lengths. */
function answersOf(text: string): Heard[] {
  const answers: Heard[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(
      fields.map(
        (field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()] as [string, string],
      ),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    expect(body).toHaveLength(length);
    answers.push({ status: Number(line.split(' ')[1]), headers, text: body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
const codeIn = ({ text }: Heard): string => noted(errorBodySchema.parse(JSON.parse(text))).error.code;
const head = (line: string, headers: Readonly<Record<string, string>>): string =>
  `${line}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
/** Expects the headers that every error has. */
function expectManners({ status, headers, text }: Heard): void {
  const { error } = errorBodySchema.parse(JSON.parse(text));
  expect(requestIdSchema.safeParse(error.requestId).success).toBe(true);
  const named = [
    'x-request-id',
    'content-type',
    'cache-control',
    'vary',
    'x-content-type-options',
    'ratelimit',
    'ratelimit-policy',
  ].map((name) => headers.get(name));
  expect([status, ...named]).toEqual([
    status,
    error.requestId,
    'application/json; charset=utf-8',
    'private, no-store',
    'Accept, Authorization',
    'nosniff',
    expect.stringMatching(/^"public";r=\d+;t=\d+$/),
    expect.stringMatching(/^"public";q=\d+;w=\d+$/),
  ]);
}

describe('A refused body of a client that closes its connection', () => {
  const full = () => ({
    host: 'x',
    connection: 'close',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': newKey(),
  });
  type Fields = Record<string, string>;
  const without = (name: string): Fields => Object.fromEntries(Object.entries(full()).filter(([one]) => one !== name));
  it.each<[number, string, string, () => Fields]>([
    [413, 'REQUEST_TOO_LARGE', `POST ${BASE} HTTP/1.1`, full],
    [413, 'REQUEST_TOO_LARGE', `POST ${BASE}/preflight HTTP/1.1`, full],
    [413, 'REQUEST_TOO_LARGE', `POST ${BASE} HTTP/1.0`, full],
    [401, 'UNAUTHENTICATED', `POST ${BASE} HTTP/1.1`, () => without('authorization')],
    [403, 'INSUFFICIENT_SCOPE', `POST ${BASE} HTTP/1.1`, () => ({ ...full(), authorization: `Bearer ${readOnly}` })],
    [
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      `POST ${BASE} HTTP/1.1`,
      () => ({ ...full(), 'content-type': 'text/plain', 'content-length': String(16 * MIB) }),
    ],
    [
      400,
      'IDEMPOTENCY_KEY_REQUIRED',
      `POST ${BASE} HTTP/1.1`,
      () => ({ ...without('idempotency-key'), 'content-length': String(16 * MIB) }),
    ],
    [404, 'NOT_FOUND', 'POST /nowhere HTTP/1.1', full],
    [405, 'METHOD_NOT_ALLOWED', `POST ${BASE}/${ID} HTTP/1.1`, full],
  ])('is answered %i %s to %s, and the whole answer is read', async (status, code, line, headers) => {
    for (let round = 0; round < 4; round += 1) {
      const fields = { 'content-length': String(17 * MIB), ...headers() };
      const [answer, ...more] = answersOf(
        await exchange([head(line, fields), Buffer.alloc(Number(fields['content-length']), 0x20)]),
      );
      expect([answer?.status, codeIn(answer!), more]).toEqual([status, code, []]);
    }
  });

  it('that is chunked is answered when one byte too many arrives', async () => {
    const chunk = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), Buffer.alloc(MIB, 0x20), Buffer.from('\r\n')]);
    const [answer] = answersOf(
      await exchange([
        head(`POST ${BASE} HTTP/1.1`, { ...full(), 'transfer-encoding': 'chunked' }),
        ...Array<Buffer>(24).fill(chunk),
        '0\r\n\r\n',
      ]),
    );
    expect(codeIn(answer!)).toBe('REQUEST_TOO_LARGE');
  });

  it('is not followed by another request: bytes after the answer are discarded', async () => {
    const second = head(`GET ${BASE}/capabilities HTTP/1.1`, { host: 'x' });
    const answers = answersOf(
      await exchange([
        head(`POST ${BASE} HTTP/1.1`, { ...without('authorization'), 'content-length': '2' }),
        '{}',
        second.repeat(5_000),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });
});

describe('The method', () => {
  it.each(METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'].includes(method)))(
    '%s belongs to no route',
    async (method) => {
      for (const more of [{}, { 'content-type': 'application/json', 'content-length': '2' }] as Record<
        string,
        string
      >[]) {
        const [answer] = answersOf(
          await exchange([
            head(`${method} ${BASE} HTTP/1.1`, { host: 'x', connection: 'close', ...more }),
            'content-length' in more ? '{}' : '',
          ]),
        );
        expect([answer?.status, codeIn(answer!), answer?.headers.get('allow')]).toEqual([
          405,
          'METHOD_NOT_ALLOWED',
          'GET, HEAD, POST, OPTIONS',
        ]);
        expectManners(answer!);
      }
      const [nowhere] = answersOf(
        await exchange(head(`${method} /nowhere HTTP/1.1`, { host: 'x', connection: 'close' })),
      );
      expect(codeIn(nowhere!)).toBe('NOT_FOUND');
    },
  );

  it('CONNECT asks for a tunnel, which no route offers', async () => {
    const [answer] = answersOf(await exchange(head('CONNECT elsewhere:443 HTTP/1.1', { host: 'elsewhere:443' })));
    expect([answer?.status, codeIn(answer!), answer?.headers.get('connection')]).toEqual([404, 'NOT_FOUND', 'close']);
    expectManners(answer!);
  });
});

describe('A head', () => {
  const get = `GET ${BASE}/capabilities HTTP/1.1\r\n`;
  it.each([
    ['two hosts', `${get}host: a\r\nhost: b\r\n`, 'one host header'],
    ['the same host twice', `${get}Host: a\r\nhOST: a\r\n`, 'one host header'],
    [
      'two authorizations',
      `GET ${BASE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer KEY\r\nauthorization: Bearer other\r\n`,
      'one authorization header',
    ],
    [
      'two authorizations, where none is asked for',
      `${get}host: x\r\nauthorization: a\r\nauthorization: b\r\n`,
      'one authorization header',
    ],
    [
      'two hosts, below a thousand other headers',
      `${get}host: a\r\n${'a:\r\n'.repeat(2_000)}host: b\r\n`,
      'one host header',
    ],
    [
      'two media types',
      `POST ${BASE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-type: text/plain\r\ncontent-length: 0\r\n`,
      'one content-type header',
    ],
    ['no host', get, 'a host header'],
    ['a host that is none', `${get}host: a b\r\n`, 'a host header'],
    ['a version that is none', `GET ${BASE}/capabilities HTTP/2.0\r\nhost: x\r\n`, 'HTTP/1.1'],
    ...['gzip', 'identity', 'xchunked', 'gzip, chunked'].map(
      (coding) =>
        [
          `a transfer coding ${coding}`,
          `POST ${BASE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer KEY\r\ncontent-type: application/json\r\nidempotency-key: ${newKey()}\r\ntransfer-encoding: ${coding}\r\n`,
          'transfer-encoding: chunked',
        ] as const,
    ),
    [
      'more than 16 KiB of headers',
      `${get}host: x\r\nx-padding: ${'a'.repeat(17 * 1024)}\r\n`,
      'a head below 16384 bytes',
    ],
  ])('with %s is refused', async (_what, text, expected) => {
    const [answer] = answersOf(await exchange(`${text.replace('KEY', key)}connection: close\r\n\r\n`));
    expect([answer?.status, codeIn(answer!)]).toEqual([400, 'HEADER_INVALID']);
    expect(errorBodySchema.parse(JSON.parse(answer!.text)).error.findings).toMatchObject([
      { code: 'HEADER_INVALID', expected },
    ]);
    expectManners(answer!);
  });

  it.each([
    ['of 20 KB', `/${'a'.repeat(20_000)}`],
    ['of 20 KB in the query', `${BASE}?cursor=${'a'.repeat(20_000)}`],
    ['of 20 KB below a route', `${BASE}/finalized/${'a'.repeat(20_000)}`],
    ['of 20 KB that is malformed', `/%zz${'a'.repeat(20_000)}`],
    ['above what the parser reads', `/${'a'.repeat(60_000)}`],
  ])('with a target %s is refused with 414', async (_what, target) => {
    for (const method of ['GET', 'POST', 'QUERY']) {
      const [answer] = answersOf(
        await exchange(head(`${method} ${target} HTTP/1.1`, { host: 'x', connection: 'close' })),
      );
      expect([answer?.status, codeIn(answer!)]).toEqual([414, 'TARGET_TOO_LONG']);
      expectManners(answer!);
    }
  });

  it('of HTTP/1.0 needs no host', async () => {
    const [answer] = answersOf(await exchange(head(`GET ${BASE}/capabilities HTTP/1.0`, {})));
    expect(answer?.status).toBe(200);
  });

  it.each([
    ['no request at all', 'nonsense\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost x\r\n\r\n'],
    [
      'headers above what the parser reads',
      `${get}host: x\r\n${`x-padding: ${'a'.repeat(1_000)}\r\n`.repeat(200)}\r\n`,
    ],
  ])('that is %s is answered with the headers of every error, and the whole answer is read', async (_what, bytes) => {
    for (let round = 0; round < 4; round += 1) {
      const [answer, ...more] = answersOf(await exchange([bytes, Buffer.alloc(4 * MIB, 0x20)]));
      expect([answer?.status, codeIn(answer!), more]).toEqual([400, 'HEADER_INVALID', []]);
      expectManners(answer!);
    }
  });

  it('that cannot be parsed is counted like any request of its address', async () => {
    const strict = await startHarness({
      beside: gateway,
      quotas: { public: { quantity: 1, windowSeconds: 3_600, burst: 1 } },
    });
    try {
      const once = async () => answersOf(await exchange('nonsense\r\n\r\n', strict))[0]!;
      expect(codeIn(await once())).toBe('HEADER_INVALID');
      const refused = await once();
      expect([refused.status, codeIn(refused), Number(refused.headers.get('retry-after'))]).toEqual([
        429,
        'RATE_LIMITED',
        expect.any(Number),
      ]);
    } finally {
      await strict.close();
    }
  });
});

describe('A body that is not framed as HTTP frames bodies', () => {
  const chunked = () =>
    head(`POST ${BASE} HTTP/1.1`, {
      host: 'x',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': newKey(),
      'transfer-encoding': 'chunked',
    });
  it.each([
    ['chunks of no size', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['chunks below zero', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', '1\r\n{}\r\n0\r\n\r\n'],
    ['endless extensions of a chunk', `2;a=${'b'.repeat(70_000)}\r\n{}\r\n0\r\n\r\n`],
    ['trailers above what the parser reads', `2\r\n{}\r\n0\r\nx: ${'y'.repeat(60_000)}\r\n\r\n`],
  ])('and has %s is refused at once', async (_what, body) => {
    const [answer, ...more] = answersOf(await exchange(`${chunked()}${body}`));
    expect([answer?.status, codeIn(answer!), answer?.headers.get('connection'), more]).toEqual([
      400,
      'HEADER_INVALID',
      'close',
      [],
    ]);
  });

  it('and ends before it is whole is refused at once', async () => {
    const { hostname, port } = new URL(gateway.url);
    const text = await new Promise<string>((resolve, reject) => {
      let heard = '';
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).once('error', reject);
      socket.on('data', (data) => (heard += data.toString('latin1'))).once('end', () => resolve(heard));
      socket.end(`${chunked()}2\r\n{`);
    });
    expect(answersOf(text).map(codeIn)).toEqual(['HEADER_INVALID']);
  });

  it('costs no answer to earlier requests on the same connection', async () => {
    const get = head(`GET ${BASE}/capabilities HTTP/1.1`, { host: 'x' });
    expect(answersOf(await exchange(`${get}${chunked()}zz\r\n`)).map(({ status }) => status)).toEqual([200, 400]);
  });

  it('is ignored by a route that reads no body', async () => {
    expect(
      answersOf(
        await exchange(
          `${head(`GET ${BASE}/capabilities HTTP/1.1`, { host: 'x', 'transfer-encoding': 'chunked' })}zz\r\n`,
        ),
      ).map(({ status }) => status),
    ).toEqual([200]);
  });
});

describe('A target', () => {
  it.each([
    ['with its origin', 'GET', `http://elsewhere.example${BASE}/capabilities`, 200, null],
    ['with its origin and nothing else', 'GET', 'http://elsewhere.example', 200, null],
    ['with its origin and a slash', 'DELETE', `http://x${BASE}/`, 405, 'GET, HEAD, POST, OPTIONS'],
    ['with letters encoded', 'GET', `${BASE}/%63apabilities`, 200, null],
    ['with letters encoded, for another method', 'DELETE', `${BASE}/%63apabilities`, 405, 'GET, HEAD, OPTIONS'],
    ['with a slash encoded', 'GET', `/v4%2fchains/4663/multi-role-custom-launches/capabilities`, 404, null],
    ['that is a star', 'GET', '*', 404, null],
    ['that is a star, for options', 'OPTIONS', '*', 404, null],
  ])('%s is resolved: %s %s answers %i', async (_what, method, target, status, allow) => {
    const [answer] = answersOf(
      await exchange(head(`${method} ${target} HTTP/1.1`, { host: 'x', connection: 'close' })),
    );
    expect([answer?.status, answer?.headers.get('allow')]).toEqual([status, allow]);
    if (status >= 400) expectManners(answer!);
  });
});

it('A request of HTTP/1.0 never gets 100 Continue.', async () => {
  const fields = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': newKey(),
    expect: '100-continue',
    'content-length': '2',
  };
  expect(answersOf(await exchange(`${head(`POST ${BASE} HTTP/1.0`, fields)}{}`)).map(({ status }) => status)).toEqual([
    422,
  ]);
});

describe('Pipelined requests', () => {
  const get = head(`GET ${BASE}/capabilities HTTP/1.1`, { host: 'x' });
  it('are answered in order, refused ones included', async () => {
    const refused = head(`POST ${BASE} HTTP/1.1`, { host: 'x', 'content-length': '2' });
    const last = head(`GET /nowhere HTTP/1.1`, { host: 'x', connection: 'close' });
    expect(answersOf(await exchange([get, refused, '{}', get, last])).map(({ status }) => status)).toEqual([
      200, 401, 200, 404,
    ]);
  });

  it('keep their answers when the last of them is not a request', async () => {
    expect(answersOf(await exchange([`${get}${get}nonsense\r\n\r\n`])).map(({ status }) => status)).toEqual([
      200, 200, 400,
    ]);
  });
});
