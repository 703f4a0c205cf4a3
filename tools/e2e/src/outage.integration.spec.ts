import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, isOutage } from '@launch/platform';
import { openCustodyDatabase, type CustodyDatabase } from '../../../prisma/custody/src/index.js';
import { createTestDatabase, type TestDatabase } from '@launch/testing';

let database: TestDatabase;
const pools: ReturnType<typeof createPool>[] = [];
beforeAll(async () => {
  database = await createTestDatabase('custody');
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end().catch(() => undefined)));
  await database.drop();
});

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new TypeError('it did not fail');
    },
    (error: unknown) => error,
  );
const poolTo = (connectionString: string, statementTimeoutMs?: number): ReturnType<typeof createPool> => {
  const pool = createPool({
    connectionString,
    applicationName: 'outage-tests',
    max: 2,
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
  });
  pools.push(pool);
  return pool;
};
const LAUNCH = '3f2b8a4e-0000-4000-8000-000000000001';
const find = (prisma: CustodyDatabase): Promise<unknown> => prisma.decision.findUnique({ where: { launchId: LAUNCH } });

/** Opens a port without a listener, and one that hangs up at once. */
async function ports(): Promise<{ readonly closed: number; readonly rude: number; end(): void }> {
  const [gone, rude] = [createServer(), createServer((socket) => socket.destroy())];
  const listen = (server: typeof gone): Promise<number> =>
    new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)));
  const closed = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
  return { closed, rude: await listen(rude), end: () => void rude.close() };
}

describe('An outage', () => {
  it('includes an absent database, and one that hangs up, with and without Prisma', async () => {
    const { closed, rude, end } = await ports();
    try {
      for (const port of [closed, rude]) {
        const url = new URL(database.url);
        url.port = String(port);
        const pool = poolTo(url.toString());
        expect([
          port,
          isOutage(await failure(pool.query('SELECT 1'))),
          isOutage(await failure(find(openCustodyDatabase(pool)))),
        ]).toEqual([port, true, true]);
      }
    } finally {
      end();
    }
  });

  it('includes a connection that the server ended during a statement', async () => {
    const [pool, other] = [poolTo(database.url), poolTo(database.adminUrl)];
    const client = await pool.connect();
    client.on('error', () => undefined);
    const { pid } = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0] as { pid: number };
    const slow = failure(client.query('SELECT pg_sleep(30)'));
    await other.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(isOutage(await slow)).toBe(true);
    client.release(true);
  });

  it('includes a statement that took too long, also through Prisma', async () => {
    const pool = poolTo(database.url, 200);
    expect(isOutage(await failure(pool.query('SELECT pg_sleep(10)')))).toBe(true);
    expect(isOutage(await failure(openCustodyDatabase(pool).$queryRaw`SELECT 1 FROM pg_sleep(10)`))).toBe(true);
  });

  it('includes an unreachable host, as fetch reports it', async () => {
    const { closed, end } = await ports();
    end();
    const error = await failure(fetch(`http://127.0.0.1:${closed}/`));
    expect([(error as Error).name, isOutage(error)]).toEqual(['TypeError', true]);
  });

  it.each([
    [
      'an error that a library of the product marks as retryable',
      Object.assign(new Error('BLOB_IO'), { retryable: true }),
    ],
    [
      'an error with a broken connection as its cause, at any depth',
      new Error('a', { cause: new Error('b', { cause: Object.assign(new Error('c'), { code: 'ECONNRESET' }) }) }),
    ],
    [
      'a Temporal that does not answer',
      Object.assign(new Error('UNAVAILABLE'), { code: 14, details: 'no connection' }),
    ],
  ])('includes %s', (_name, error) => expect(isOutage(error)).toBe(true));
});

describe('A permanent failure', () => {
  it('includes a refusal by the database, with and without Prisma', async () => {
    const pool = poolTo(database.url);
    const bad = {
      launchId: LAUNCH,
      family: 'multi-role.v2',
      kind: 'neither',
      requestSha256: 'x',
      requestHash: 'x',
      router: 'x',
      controller: 'x',
      nonce: 'x',
      document: '',
      permitDigest: null,
      takenNonce: null,
      takenRequest: null,
    };
    expect(isOutage(await failure(pool.query('SELECT no_such_column FROM decision')))).toBe(false);
    expect(isOutage(await failure(pool.query('DELETE FROM decision')))).toBe(false);
    const prisma = openCustodyDatabase(pool);
    expect(isOutage(await failure(prisma.decision.createMany({ data: [bad] })))).toBe(false);
    expect(isOutage(await failure(prisma.decision.findUnique({ where: { launchId: 'no-uuid' } })))).toBe(false);
    expect(isOutage(await failure(prisma.decision.findMany({ where: { unheardOf: 1 } } as never)))).toBe(false);
  });

  it.each([
    ['a defect', new TypeError('x is not a function')],
    [
      'an error that a library of the product marks as permanent, regardless of its cause',
      Object.assign(new Error('BLOB_CORRUPT', { cause: Object.assign(new Error('c'), { code: 'ECONNRESET' }) }), {
        retryable: false,
      }),
    ],
    ['a number that is no gRPC status', Object.assign(new Error('x'), { code: 14 })],
    ['nothing', undefined],
  ])('includes %s', (_name, error) => expect(isOutage(error)).toBe(false));
});
