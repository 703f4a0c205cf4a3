import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { call, codeOf, newKey, type Answer } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { reserveLaunch } from '../../fixtures/launch.driver.js';
import { requestBytes, testRequest } from '../../fixtures/test-request.js';
import { runSql } from '../../fixtures/run-sql.js';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const MIB = 1024 * 1024;
/** Matches the statements of the relay, which runs concurrently. */
const RELAYED = /relay_after|(admission|observation)_started_at|delivered_at/;

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

const hint = (generation: string) =>
  requestBytes({
    schemaVersion: `service.multi-role-transaction-hint.${generation}`,
    transactionHash: `0x${'1'.repeat(64)}`,
  });
/** Every route below a launch, with the body of its request. */
const OWNED: readonly (readonly [string, Uint8Array | undefined])[] = [
  ['', undefined],
  ['/finality', undefined],
  ['/finality-v3', undefined],
  ['/finality/evidence', undefined],
  ['/transaction-hints', hint('v2')],
  ['/transaction-hints-v3', hint('v3')],
];

describe('A launch of another owner', () => {
  it.each(
    OWNED.flatMap(([suffix, body]) =>
      (['authorized', 'finalized'] as const).map((state) => [suffix, state, body] as const),
    ),
  )('at %j and %s gets the 404 of an absent launch: same body, headers and work', async (suffix, state, body) => {
    const theirs = await reserveLaunch(gateway, key);
    await theirs.authorized();
    if (state === 'finalized') await theirs.finalized();
    const { key: stranger } = await gateway.issueKey();
    const { key: elsewhere } = await gateway.issueKey(undefined, `0x${'4'.repeat(40)}`);
    const read = async (as: string, launchId: string): Promise<{ answer: Answer; work: unknown[] }> => {
      const queries = jest.spyOn(gateway.database, 'query');
      const transactions = jest.spyOn(gateway.database, 'transaction');
      const blobs = jest.spyOn(gateway.blobs, 'get');
      try {
        const answer = await call(`${gateway.base}/${launchId}${suffix}`, {
          key: as,
          ...(body === undefined ? {} : { body }),
        });
        expect([transactions.mock.calls, blobs.mock.calls]).toEqual([[], []]);
        const asked = queries.mock.calls.filter(([{ text }]) => !RELAYED.test(text));
        return {
          answer,
          work: asked.map(([{ text }, parameters]) => [
            text,
            parameters?.map((value) => (value === launchId ? 'the launch' : value)),
          ]),
        };
      } finally {
        for (const spy of [queries, transactions, blobs]) spy.mockRestore();
      }
    };
    for (const as of [stranger, elsewhere]) {
      const [foreign, absent] = [await read(as, theirs.launchId), await read(as, ABSENT)];
      expect(foreign.answer.status).toBe(404);
      const compared = ({ answer }: typeof foreign) => ({
        status: answer.status,
        body: answer.text.replace(/req_\w+/, ''),
        headers: [...answer.headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)),
      });
      expect(compared(foreign)).toEqual(compared(absent));
      // Both run the same statements with the same values in the same order. Nothing is read, decoded or compared for
      // one of them alone.
      expect(foreign.work).toEqual(absent.work);
      expect(foreign.work.length).toBeGreaterThan(0);
    }
  });

  it("records no stranger's hint", async () => {
    const theirs = await reserveLaunch(gateway, key);
    await theirs.authorized();
    const { key: stranger } = await gateway.issueKey();
    await call(`${gateway.base}/${theirs.launchId}/transaction-hints`, { key: stranger, body: hint('v2') });
    expect(
      await runSql(gateway.database, 'SELECT 1 FROM transaction_hint WHERE launch_id = $1', [theirs.launchId]),
    ).toEqual([]);
  });
});

describe('Caches', () => {
  it('store no answer that belongs to an owner, and no error', async () => {
    const launch = await reserveLaunch(gateway, key);
    await launch.authorized();
    const at = (suffix: string, options = {}) =>
      call(`${gateway.base}/${launch.launchId}${suffix}`, { key, ...options });
    const answers = [
      await launch.get(),
      await at('/finality'),
      await at('/transaction-hints', { body: hint('v2') }),
      await launch.replay(),
      await call(gateway.base, { key }),
      await at('/finality?x=1'),
      await call(`${gateway.base}/${ABSENT}`, { key }),
      await call(gateway.base),
      await launch.replay(key, Buffer.from('{}')),
      await call(`${gateway.url}/nowhere`),
    ];
    for (const { status, headers } of answers) {
      expect([status, headers.get('cache-control'), headers.get('vary')]).toEqual([
        status,
        'private, no-store',
        'Accept, Authorization',
      ]);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 200, 200, 400, 404, 401, 409, 404]);
  });

  it.each(['/capabilities', '/finalized', '/derived-finality-v3/discovery', '/derived-finality-v3/readiness'])(
    'of the public %s revalidate every time, or soon',
    async (path) => {
      const { status, headers } = await call(`${gateway.base}${path}`);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toMatch(/^(no-cache|no-store|public, (no-cache|max-age=\d{1,2}))/);
    },
  );
});

describe('A client that is slow, or leaves', () => {
  const sockets: Socket[] = [];
  const leave = (): void => sockets.splice(0).forEach((socket) => socket.destroy());

  /** Begins a create: sends its head and `sent` bytes of its body. */
  const begin = (target: Harness, as: string, { announced = 16 * MIB, sent = 1 } = {}): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname } = new URL(target.base);
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${as}\r\ncontent-type: application/json\r\nidempotency-key: ${newKey()}\r\ncontent-length: ${announced}\r\n\r\n`,
        );
        socket.write(Buffer.alloc(sent, '{'), () => resolve(socket));
      });
      sockets.push(socket);
      socket.once('error', reject);
    });
  const create = (target: Harness, nonce: string): Promise<Answer> =>
    call(target.base, { key, body: requestBytes(testRequest({ nonce })), headers: { 'idempotency-key': newKey() } });
  /** Returns the code for a body of two bytes: not a request, or no room for it. */
  const knock = async (target: Harness, as = key): Promise<string> =>
    codeOf(await call(target.base, { key: as, body: '{}', headers: { 'idempotency-key': newKey() } }));
  /** Waits until the gateway holds this many bytes. */
  const holds = async (target: Harness, bytes: number): Promise<void> => {
    const deadline = performance.now() + 20_000;
    for (let held; held !== bytes;) {
      held = Number(
        /^http_request_body_held_bytes\{.*\} (\d+)$/m.exec((await call(`${target.operationsUrl}/metrics`)).text)?.[1],
      );
      if (performance.now() > deadline) throw new Error(`${held} bytes are held, not ${bytes}`);
    }
  };
  const count = async () =>
    Number((await runSql<{ count: string }>(gateway.database, 'SELECT count(*) FROM launch'))[0]?.count);

  it('blocks no other client with a body that it only announced', async () => {
    const small = await startHarness({ beside: gateway, limits: { bodiesInFlightBytes: 72 * MIB } });
    try {
      await Promise.all(Array.from({ length: 24 }, () => begin(small, key)));
      await holds(small, 24);
      expect((await create(small, '920001')).status).toBe(202);
    } finally {
      leave();
      await small.close();
    }
  });

  it('in the middle of its body releases the room it held and creates nothing', async () => {
    const small = await startHarness({ beside: gateway, limits: { bodiesInFlightBytes: 16 * MIB } });
    try {
      const { key: other } = await gateway.issueKey();
      const before = await count();
      await begin(small, other, { sent: 16 * MIB - 1 });
      await holds(small, 16 * MIB - 1);
      expect(await knock(small)).toBe('SERVICE_UNAVAILABLE');
      const refused = await create(small, '920002');
      expect([codeOf(refused), refused.headers.get('retry-after'), refused.json.error.retryAfterSeconds]).toEqual([
        'SERVICE_UNAVAILABLE',
        '1',
        1,
      ]);
      expect((await call(`${small.base}/capabilities`)).status).toBe(200);
      leave();
      await holds(small, 0);
      expect((await create(small, '920002')).status).toBe(202);
      expect(await count()).toBe(before + 1);
    } finally {
      leave();
      await small.close();
    }
  });

  it('holds at most its own share of the room', async () => {
    const small = await startHarness({ beside: gateway, limits: { bodiesInFlightBytes: 64 * MIB } });
    try {
      const { key: greedy } = await gateway.issueKey();
      await begin(small, greedy, { announced: 8 * MIB, sent: 8 * MIB - 1 });
      await begin(small, greedy, { announced: 8 * MIB + 1, sent: 8 * MIB });
      await holds(small, 16 * MIB - 1);
      expect([await knock(small, greedy), await knock(small)]).toEqual(['RATE_LIMITED', 'SCHEMA_INVALID']);
      leave();
      await holds(small, 0);
      expect(await knock(small, greedy)).toBe('SCHEMA_INVALID');
    } finally {
      leave();
      await small.close();
    }
  });

  it('after its create arrived finds the launch, once', async () => {
    const small = await startHarness({ beside: gateway });
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const clocks = small.chain.clocks.bind(small.chain);
    small.chain.clocks = async () => {
      begun.resolve();
      await held.promise;
      return clocks();
    };
    try {
      const before = await count();
      const sent = {
        key,
        body: requestBytes(testRequest({ nonce: '920006' })),
        headers: { 'idempotency-key': newKey() },
      };
      const leaving = new AbortController();
      const left = fetch(small.base, {
        method: 'POST',
        headers: { ...sent.headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: new Uint8Array(sent.body),
        signal: leaving.signal,
      });
      await begun.promise;
      expect(await count()).toBe(before);
      leaving.abort();
      await expect(left).rejects.toThrow();
      held.resolve();
      const answer = await call(small.base, sent);
      expect([answer.status, codeOf(answer), answer.json.error.statusUrl]).toEqual([
        503,
        'MULTI_ROLE_ADMISSION_PENDING',
        expect.stringContaining('/'),
      ]);
      expect((await call(`${small.url}${answer.json.error.statusUrl}`, { key })).json).toMatchObject({
        nonce: '920006',
      });
      expect(await count()).toBe(before + 1);
      await holds(small, 0);
    } finally {
      held.resolve();
      await small.close();
    }
  });

  it('too slow is answered and disconnected, and releases the room it held', async () => {
    const small = await startHarness({
      beside: gateway,
      limits: { bodiesInFlightBytes: 16 * MIB, bodyTimeoutMs: 1_500 },
    });
    try {
      const { key: other } = await gateway.issueKey();
      const socket = await begin(small, other, { sent: 16 * MIB - 1 });
      const [data] = (await once(socket, 'data')) as [Buffer];
      expect(data.toString()).toMatch(/^HTTP\/1\.1 408 /);
      expect(data.toString().toLowerCase()).toContain('connection: close');
      await holds(small, 0);
      expect(await knock(small)).toBe('SCHEMA_INVALID');
    } finally {
      leave();
      await small.close();
    }
  });
});

describe('A client that sends an expectation', () => {
  /** Returns the statuses for a head with this expectation. The body follows at once, or after 100 Continue. */
  const ask = (expectation: string, as: string | null, { length = 2, atOnce = '' } = {}): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname } = new URL(gateway.base);
      const socket = connect(Number(port), hostname);
      const lines: string[] = [];
      socket.once('error', reject);
      socket.on('data', (data) => {
        lines.push(...(data.toString().match(/^HTTP\/1\.1 \d{3}/gm) ?? []).map((line) => line.slice(-3)));
        if (lines.at(-1) === '100') socket.write('{}');
        else {
          socket.destroy();
          resolve(lines);
        }
      });
      const authorization = as === null ? '' : `authorization: Bearer ${as}\r\n`;
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\nidempotency-key: ${newKey()}\r\nexpect: ${expectation}\r\ncontent-length: ${length}\r\n\r\n${atOnce}`,
      );
    });

  it('gets 100 Continue only when its body will be read', async () => {
    expect(await ask('100-continue', key)).toEqual(['100', '422']);
    expect(await ask('100-continue', null)).toEqual(['401']);
    expect(await ask('100-continue', key, { length: 17 * MIB })).toEqual(['413']);
  });

  it('that is unknown is answered like any other client', async () => {
    expect(await ask('a-miracle', key, { atOnce: '{}' })).toEqual(['422']);
  });
});
