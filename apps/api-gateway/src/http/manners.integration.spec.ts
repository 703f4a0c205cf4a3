import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { call, codeOf, newKey, type Answer } from '../fixtures/http.client.js';
import { startHarness, type Harness } from '../fixtures/gateway.harness.js';
import { reserveLaunch } from '../fixtures/launch.driver.js';
import { requestBytes, testRequest } from '../fixtures/test-request.js';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const MIB = 1024 * 1024;
/** Statements that only the relay makes, which works on its own meanwhile. */
const RELAYED = /relay_after|(admission|observation)_started_at|delivered_at/;

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
}, 60_000);
afterAll(() => gateway.close());

const hint = (generation: string) => requestBytes({ schemaVersion: `service.multi-role-transaction-hint.${generation}`, transactionHash: `0x${'1'.repeat(64)}` });
/** Every route below a launch, with what it is sent. */
const OWNED: readonly (readonly [string, Uint8Array | undefined])[] = [
  ['', undefined], ['/finality', undefined], ['/finality-v3', undefined], ['/finality/evidence', undefined], ['/transaction-hints', hint('v2')], ['/transaction-hints-v3', hint('v3')],
];

describe('what is another\'s', () => {
  it.each(OWNED)('is, at %j, the 404 of what is absent: in body, headers and work done', async (suffix, body) => {
    const theirs = await reserveLaunch(gateway, key);
    await theirs.authorized();
    const { key: stranger } = await gateway.issueKey();
    const { key: elsewhere } = await gateway.issueKey(undefined, `0x${'4'.repeat(40)}`);
    const look = async (as: string, launchId: string): Promise<{ answer: Answer; work: string[] }> => {
      const spy = jest.spyOn(gateway.database, 'query');
      try {
        const answer = await call(`${gateway.base}/${launchId}${suffix}`, { key: as, ...(body === undefined ? {} : { body }) });
        return { answer, work: spy.mock.calls.map(([sql]) => sql).filter((sql) => !RELAYED.test(sql)) };
      } finally {
        spy.mockRestore();
      }
    };
    for (const as of [stranger, elsewhere]) {
      const [foreign, absent] = [await look(as, theirs.launchId), await look(as, ABSENT)];
      expect(foreign.answer.status).toBe(404);
      const told = ({ answer }: typeof foreign) => ({
        status: answer.status,
        body: answer.text.replace(/req_\w+/, ''),
        headers: [...answer.headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)),
      });
      expect(told(foreign)).toEqual(told(absent));
      // The same statements in the same order: nothing is read, decoded or compared for the one and not for the other.
      expect(foreign.work).toEqual(absent.work);
      expect(foreign.work.length).toBeGreaterThan(0);
    }
  });

  it('leaves no trace: a stranger\'s hint is not recorded', async () => {
    const theirs = await reserveLaunch(gateway, key);
    await theirs.authorized();
    const { key: stranger } = await gateway.issueKey();
    await call(`${gateway.base}/${theirs.launchId}/transaction-hints`, { key: stranger, body: hint('v2') });
    expect(await gateway.database.query('SELECT 1 FROM transaction_hint WHERE launch_id = $1', [theirs.launchId])).toEqual([]);
  });
});

describe('caches', () => {
  it('keep nothing that belongs to an owner, and no error', async () => {
    const launch = await reserveLaunch(gateway, key);
    await launch.authorized();
    const at = (suffix: string, options = {}) => call(`${gateway.base}/${launch.launchId}${suffix}`, { key, ...options });
    const answers = [
      await launch.get(), await at('/finality'), await at('/transaction-hints', { body: hint('v2') }), await launch.replay(), await call(gateway.base, { key }),
      await at('/finality?x=1'), await call(`${gateway.base}/${ABSENT}`, { key }), await call(gateway.base), await launch.replay(key, Buffer.from('{}')), await call(`${gateway.url}/nowhere`),
    ];
    for (const { status, headers } of answers) {
      expect([status, headers.get('cache-control'), headers.get('vary')]).toEqual([status, 'private, no-store', 'Accept, Authorization']);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 200, 200, 400, 404, 401, 409, 404]);
  });

  it.each(['/capabilities', '/finalized', '/derived-finality-v3/discovery', '/derived-finality-v3/readiness'])('of the public %s ask every time, or soon', async (path) => {
    const { status, headers } = await call(`${gateway.base}${path}`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/^(no-cache|no-store|public, (no-cache|max-age=\d{1,2}))/);
  });
});

describe('a client that leaves', () => {
  /** A create of which the head and one byte have come. */
  const begin = (target: Harness, length: number): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname } = new URL(target.base);
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\nidempotency-key: ${newKey()}\r\ncontent-length: ${length}\r\n\r\n{`,
          () => resolve(socket),
        );
      });
      socket.once('error', reject);
    });
  const create = (target: Harness, nonce: string): Promise<Answer> => call(target.base, { key, body: requestBytes(testRequest({ nonce })), headers: { 'idempotency-key': newKey() } });
  /** Asks until the answer is the one; the test's time bounds it. */
  const until = async (look: () => Promise<Answer>, fits: (answer: Answer) => boolean): Promise<Answer> => {
    for (;;) {
      const answer = await look();
      if (fits(answer)) return answer;
    }
  };
  const isFull = (answer: Answer): boolean => codeOf(answer) === 'SERVICE_UNAVAILABLE';

  /** Fills the budget: as many as have no room in it are refused, and by that the others are known to hold it. */
  const fill = async (target: Harness, senders: number, held: number): Promise<Socket[]> => {
    const sockets = await Promise.all(Array.from({ length: senders }, () => begin(target, 16 * MIB)));
    let refused = 0;
    await new Promise<void>((resolve) => {
      for (const socket of sockets) socket.once('data', (data: Buffer) => {
        expect(data.toString()).toMatch(/^HTTP\/1\.1 503 /);
        if ((refused += 1) === senders - held) resolve();
      });
    });
    return sockets;
  };

  it.each([[2, 1], [12, 2]])('in the middle of its body gives back the room it held, and nothing came of it: %i senders, room for %i', async (senders, held) => {
    const small = await startHarness({ beside: gateway, limits: { bodiesInFlightBytes: held * 16 * MIB } });
    try {
      const count = async () => Number((await gateway.database.query<{ count: string }>('SELECT count(*) FROM launch'))[0]?.count);
      const before = await count();
      const sockets = await fill(small, senders, held);
      const refused = await create(small, `92000${senders}`);
      expect([codeOf(refused), refused.headers.get('retry-after')]).toEqual(['SERVICE_UNAVAILABLE', '1']);
      expect((await call(`${small.base}/capabilities`)).status).toBe(200);
      for (const socket of sockets) socket.destroy();
      expect((await until(() => create(small, `92000${senders}`), (answer) => !isFull(answer))).status).toBe(202);
      expect(await count()).toBe(before + 1);
    } finally {
      await small.close();
    }
  });

  it('too slow is answered, cut off, and gives back the room it held', async () => {
    const small = await startHarness({ beside: gateway, limits: { bodiesInFlightBytes: 16 * MIB, bodyTimeoutMs: 200 } });
    try {
      const socket = await begin(small, 16 * MIB);
      const [data] = (await once(socket, 'data')) as [Buffer];
      expect(data.toString()).toMatch(/^HTTP\/1\.1 408 /);
      expect(data.toString().toLowerCase()).toContain('connection: close');
      socket.destroy();
      expect((await until(() => create(small, '920003'), (answer) => !isFull(answer))).status).toBe(202);
    } finally {
      await small.close();
    }
  });
});
