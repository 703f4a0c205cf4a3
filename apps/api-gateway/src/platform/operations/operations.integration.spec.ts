import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { call, codeOf } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { reserveLaunch } from '../../fixtures/launch.driver.js';
import { runSql } from '../../fixtures/run-sql.js';

const OPERATIONS_ONLY = ['/readyz', '/metrics'];

let gateway: Harness;
beforeAll(async () => void (gateway = await startHarness()));
afterAll(() => gateway.close());

describe('The metrics of open launches', () => {
  it('report how many there are, since when, and which hints are undelivered, and count them once for many scrapes', async () => {
    const watched = await startHarness({ beside: gateway });
    const spy = jest.spyOn(watched.database, 'query');
    // So that no observation receives the hint meanwhile.
    gateway.workflows.down = true;
    try {
      const { key } = await gateway.issueKey();
      const launch = await reserveLaunch(gateway, key);
      await launch.authorized();
      await runSql(gateway.database, `UPDATE launch SET updated_at = now() - interval '1 hour' WHERE launch_id = $1`, [
        launch.launchId,
      ]);
      await runSql(gateway.database, 'INSERT INTO transaction_hint (launch_id, transaction_hash) VALUES ($1, $2)', [
        launch.launchId,
        `0x${'7'.repeat(64)}`,
      ]);
      const scrapes = await Promise.all([0, 1, 2, 3].map(() => call(`${watched.operationsUrl}/metrics`)));
      const series = scrapes.map(({ text }) =>
        text
          .split('\n')
          .filter((line) => /^launch_(open|hints)_/.test(line))
          .map((line) => line.replace(/\{.*\}/, '')),
      );
      for (const [open, oldest, undelivered, ...rest] of series) {
        expect([open, undelivered, rest]).toEqual(['launch_open_launches 1', 'launch_hints_undelivered 1', []]);
        expect(oldest).toMatch(/^launch_open_oldest_seconds 3[6-9]\d\d/);
      }
      expect(spy.mock.calls.filter(([{ name }]) => name.startsWith('launch-metrics.'))).toHaveLength(2);
    } finally {
      gateway.workflows.down = false;
      spy.mockRestore();
      await watched.close();
    }
  });
});

describe('The public listener', () => {
  it('answers readiness and metrics like any other path that it does not have', async () => {
    const unknown = await call(`${gateway.url}/no-such-path`);
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'NOT_FOUND']);
    for (const path of OPERATIONS_ONLY) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const answer = await call(`${gateway.url}${path}`, { method });
        expect([path, method, answer.status]).toEqual([path, method, 404]);
        if (method !== 'HEAD') expect([path, codeOf(answer)]).toEqual([path, 'NOT_FOUND']);
      }
    }
    for (const spelling of ['/metrics/', '/metrics?x=1', '//metrics', '/%6detrics', '/readyz/', '/METRICS'])
      expect([spelling, (await call(`${gateway.url}${spelling}`)).status]).toEqual([spelling, 404]);
    const documented = Object.keys(gateway.openapi.document.paths);
    expect(documented.filter((path) => OPERATIONS_ONLY.includes(path))).toEqual([]);
    expect(documented).toContain('/healthz');
  });

  it('is separate from the operations port, which has its own three paths', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect([path, (await call(`${gateway.operationsUrl}${path}`)).status]).toEqual([path, 200]);
    expect((await call(`${gateway.operationsUrl}${MULTI_ROLE_BASE_PATH}/capabilities`)).status).toBe(404);
  });
});

describe('Requests about the process', () => {
  it('need no quota from the database, and are answered to an address that has exhausted its quotas', async () => {
    const quotas = { public: { quantity: 1, windowSeconds: 86_400, burst: 3 } };
    const strict = await startHarness({ beside: gateway, quotas });
    const spy = jest.spyOn(strict.database, 'query');
    try {
      for (const status of [200, 200, 200, 429])
        expect((await call(`${strict.base}/capabilities`)).status).toBe(status);
      spy.mockClear();
      const answers = await Promise.all([0, 1, 2].map(() => call(`${strict.url}/healthz`)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';').slice(0, 2))).toEqual(
        [2, 1, 0].map((left) => ['"public"', `r=${left}`]),
      );
      expect(spy.mock.calls.filter(([{ text }]) => text.includes('rate_bucket'))).toEqual([]);
      expect((await call(`${strict.url}/healthz`)).status).toBe(429);
    } finally {
      spy.mockRestore();
      await strict.close();
    }
  });
});

describe('A database that takes connections and never answers', () => {
  let silent: Server;
  const held = new Set<Socket>();
  beforeAll(async () => {
    silent = createServer((socket) => void held.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const socket of held) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('delays no request that needs no database', async () => {
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const lost = await startHarness({
      databaseUrl: `postgresql://nobody:nothing@127.0.0.1:${port}/none`,
      quotas: { public: { quantity: 1, windowSeconds: 86_400, burst: 4 } },
      limits: { sharedCountMs: 200 },
    });
    try {
      const capabilities = [];
      for (let index = 0; index < 5; index += 1)
        capabilities.push((await call(`${lost.url}${MULTI_ROLE_BASE_PATH}/capabilities`)).status);
      expect(capabilities).toEqual([200, 200, 200, 200, 429]);
      expect((await call(`${lost.url}/healthz`)).status).toBe(200);
      const probes = ['/healthz', '/readyz', '/metrics'].map((path) => call(`${lost.operationsUrl}${path}`));
      expect((await Promise.all(probes)).map(({ status }) => status)).toEqual([200, 503, 200]);
      expect((await call(`${lost.operationsUrl}/metrics`)).text).toMatch(
        /^launch_rate_limit_counted_alone_total\{quota="public",service="api-gateway"\} 4$/m,
      );
    } finally {
      for (const socket of held) socket.destroy();
      await lost.close();
    }
  });
});
