import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createPool } from '@launch/platform';

let test: TestDatabase;
const wires: Socket[] = [];
/** A connection to the database that can fall silent without closing, as in a network that drops packets. */
const way = createServer((near) => {
  const { hostname, port } = new URL(test.url);
  const far = connect(Number(port), hostname);
  wires.push(near, far);
  near.on('error', () => far.destroy()).pipe(far);
  far.on('error', () => near.destroy()).pipe(near);
});
beforeAll(async () => {
  test = await createTestDatabase('finality');
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
});
afterAll(async () => {
  for (const wire of wires) wire.destroy();
  way.close();
  await test.drop();
});

describe('a pool of connections', () => {
  it('abandons a database that does not answer, and asks over a new connection', async () => {
    const url = new URL(test.url);
    url.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
    const pool = createPool({
      connectionString: url.href,
      applicationName: 'silence',
      max: 1,
      statementTimeoutMs: 100,
    });
    try {
      await pool.query('SELECT 1');
      for (const wire of wires) wire.unpipe();
      await expect(pool.query('SELECT 1')).rejects.toThrow('Query read timeout');
      expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
    } finally {
      await pool.end();
    }
  });
});
