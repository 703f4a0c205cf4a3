import { createServer, request as ask, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceProcess, type ServiceProcess } from '@launch/testing';
import { startHarness, type Harness } from '../../../../apps/api-gateway/src/fixtures/gateway.harness.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const PROGRAM = path.join(ROOT, 'apps/site/dist/server/index.js');
/** Refills so slowly that no further request fits while a test runs. */
const PUBLIC = { quantity: 1, windowSeconds: 3_600, burst: 40 };
const READ = '/api/v2/status';
const PAGE = '/';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with its path as it is: `fetch` would resolve dot segments. */
const call = (origin: string, target: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const asked = ask({ hostname, port, path: target, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString(), headers: answer.headers }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });

/** A visitor behind the proxy of the site, who claims another address before. */
const visitor = (address: string, claim = '198.51.100.1') => ({
  headers: { 'x-forwarded-for': `${claim}, ${address}` },
});

const startSite = (gatewayUrl: string, env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  startServiceProcess({ args: [PROGRAM], env: { GATEWAY_URL: gatewayUrl, ...env } });
const originOf = (site: ServiceProcess): string => `http://127.0.0.1:${site.ready.port}`;

async function listening(answer: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

let gateway: Harness;
let site: ServiceProcess;
beforeAll(async () => {
  gateway = await startHarness({
    quotas: { public: PUBLIC },
    limits: { trustedProxies: 1 },
  });
  site = await startSite(gateway.url, { TRUSTED_PROXIES: '1' });
});
afterAll(async () => {
  await site?.stop();
  await gateway?.close();
});

describe('One visitor who asks the site without pause', () => {
  it('is refused by the gateway under each address that it claims, and another visitor is answered.', async () => {
    const statuses = new Set<number>();
    for (let turn = 0; turn < PUBLIC.burst + 5; turn += 1)
      statuses.add((await call(originOf(site), READ, visitor('203.0.113.1', `198.51.100.${turn}`))).status);
    expect(statuses).toContain(429);
    expect((await call(originOf(site), READ, visitor('203.0.113.1', '192.0.2.77'))).status).toBe(429);
    expect((await call(originOf(site), READ, visitor('203.0.113.2'))).status).not.toBe(429);
  });

  it('sees the refusal on pages, and another visitor sees the pages.', async () => {
    const isRefused = async (address: string) =>
      (await call(originOf(site), PAGE, visitor(address))).body.includes('RATE_LIMITED');
    expect(await isRefused('203.0.113.3')).toBe(false);
    // Each of these pages reads the gateway: their reads use up the quota of the gateway, before the site's own.
    for (let turn = 0; turn < PUBLIC.burst; turn += 1) await isRefused('203.0.113.3');
    expect(await isRefused('203.0.113.3')).toBe(true);
    expect(await isRefused('203.0.113.4')).toBe(false);
  });

  it('is refused by the site itself when it opens many pages at once, with the seconds to wait, and another visitor is not.', async () => {
    // One subscriber has all addresses of an IPv6 /64.
    const burst = Array.from({ length: 120 }, (_, turn) =>
      call(originOf(site), '/no-such-page', visitor(`2001:db8::${turn}`)),
    );
    const other = await call(originOf(site), '/no-such-page', visitor('2001:db8:0:1::1'));
    const refused = (await Promise.all(burst)).filter(({ status }) => status === 429 || status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(other.status).toBe(404);
  });
});

describe('The site refuses', () => {
  it.each<[string, string, Sent, number]>([
    ['other methods', PAGE, { method: 'POST', body: 'x' }, 405],
    ['other methods on public reads', READ, { method: 'DELETE' }, 405],
    ['a body of a page', PAGE, { headers: { 'content-length': '1' }, body: 'x' }, 413],
    ['a body of unknown length on public reads', READ, { headers: { 'transfer-encoding': 'chunked' }, body: 'x' }, 413],
    ['a path out of the public reads', '/api/../v4/errors', {}, 404],
    ['an encoded path out of the public reads', '/api/%2e%2e/v4/errors', {}, 404],
    ['large headers', PAGE, { headers: { 'x-large': 'x'.repeat(17 * 1024) } }, 431],
    ['a long path', `/${'x'.repeat(17 * 1024)}`, {}, 431],
  ])('%s.', async (_what, target, sent, status) => {
    expect((await call(originOf(site), target, sent)).status).toBe(status);
  });
});

describe('The site is ready', () => {
  it('if the gateway admits the scripts of its origin, and names the check that fails otherwise.', async () => {
    const SITE_URL = 'https://launch.example';
    const admitting = await startHarness({ beside: gateway, siteUrl: SITE_URL });
    const sites = await Promise.all([
      startSite(admitting.url, { SITE_URL }),
      startSite(gateway.url, { SITE_URL }),
      startSite(admitting.url, { SITE_URL: 'https://other.example' }),
    ]);
    try {
      const reports = await Promise.all(sites.map((own) => call(originOf(own), '/readyz')));
      expect(reports.map(({ status, body }) => [status, (JSON.parse(body) as { checks: unknown }).checks])).toEqual([
        [200, { gateway: 'ok', siteUrl: 'ok' }],
        [503, { gateway: 'ok', siteUrl: 'failed' }],
        [503, { gateway: 'ok', siteUrl: 'failed' }],
      ]);
    } finally {
      await Promise.all(sites.map((own) => own.stop()));
      await admitting.close();
    }
  });
});

describe('The API', () => {
  it('answers as before while the site hangs, and after it was killed.', async () => {
    const own = await startSite(gateway.url);
    const health = async () => (await call(gateway.url, '/healthz')).status;
    expect([(await call(originOf(own), '/readyz')).status, await health()]).toEqual([200, 200]);
    process.kill(own.pid, 'SIGSTOP');
    const asked = call(originOf(own), PAGE).catch(() => null);
    expect([await health(), (await call(`${gateway.operationsUrl}`, '/readyz')).status]).toEqual([200, 200]);
    await own.kill('SIGKILL');
    expect(await asked).toBeNull();
    const direct = await call(gateway.url, READ, visitor('203.0.113.9'));
    expect([await health(), direct.status]).toEqual([
      200,
      (await call(originOf(site), READ, visitor('203.0.113.10'))).status,
    ]);
  });
});

describe('The site says so plainly', () => {
  const states = async (url: string) => {
    const own = await startSite(url);
    try {
      const [live, ready, page, read] = await Promise.all([
        call(originOf(own), '/healthz'),
        call(originOf(own), '/readyz'),
        call(originOf(own), '/'),
        call(originOf(own), READ).catch(() => null),
      ]);
      return { live: live.status, ready: ready.status, page, read: read?.status ?? null };
    } finally {
      await own.stop();
    }
  };

  it('when the gateway is down.', async () => {
    const { url, server } = await listening(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const { live, ready, page, read } = await states(url);
    expect([live, ready, read]).toEqual([200, 503, 502]);
    expect(page.body).toContain('SERVICE_UNREACHABLE');
  });

  it('when the gateway does not answer.', async () => {
    const { url, server } = await listening(() => undefined);
    const { live, ready, page, read } = await states(url);
    expect([live, ready, read]).toEqual([200, 503, 502]);
    expect(page.body).toContain('ANSWER_TOO_SLOW');
    server.closeAllConnections();
  });

  it('when the gateway answers without end.', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const { url, server } = await listening((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const { live, page, read } = await states(url);
    expect([live, read]).toEqual([200, null]);
    expect(page.body).toContain('ANSWER_TOO_LARGE');
    server.closeAllConnections();
  });
});
