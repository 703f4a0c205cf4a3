import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { SCOPES } from '../../core/routes/scopes.js';
import { concretePath } from '../../fixtures/declared-faults.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { call, newKey, rawCall, type Answer } from '../../fixtures/http.client.js';
import { textFor, wallet } from '../../fixtures/sign-in.fixture.js';
import { requestBytes, testRequest } from '../../fixtures/test-request.js';
import type { RouteDefinition } from '@launch/http';

const SITE = 'https://site.example';
const AT_SITE = { origin: SITE };
/** Origins that are not the site's, though they resemble it. */
const FOREIGN = ['https://wallet.example', 'http://site.example', `${SITE}:8443`, `${SITE}.evil.example`, 'null'];
/** Headers that browsers show in any case, that concern the connection, or that no script needs. */
const UNNAMED =
  /^(access-control-.*|allow|cache-control|connection|content-(length|type)|date|keep-alive|transfer-encoding|vary|www-authenticate|x-content-type-options|accept)$/;

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness({
    siteUrl: SITE,
    signIn: { origin: SITE, keySeconds: 3_600 },
    reviewUpdates: { change: () => Promise.reject(new Error('no review runs')) },
  });
  ({ key } = await gateway.issueKey(SCOPES));
});
afterAll(() => gateway.close());

const isPublicRead = ({ method, scopes }: RouteDefinition): boolean => method === 'get' && scopes === null;
const isProbe = ({ path }: RouteDefinition): boolean => path === '/healthz';
/** The routes that a script calls with a key, and those that give it a key. */
const ownRoutes = (): RouteDefinition[] =>
  gateway.openapi.routes.filter((route) => !isPublicRead(route) && !isProbe(route));
const ask = ({ path }: RouteDefinition, method: string, headers: Record<string, string>): Promise<Answer> =>
  rawCall(gateway.url, { method, path: concretePath(path), headers });
const sharing = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
const dependencies = ({ headers }: Answer): string[] => (headers.get('vary') ?? '').split(', ');

describe("An answer to a script of the site's pages", () => {
  it('is shared by each owner route and by sign-in, with any status, for exactly that origin and without credentials', async () => {
    for (const route of ownRoutes()) {
      const method = route.method.toUpperCase();
      for (const headers of [AT_SITE, { ...AT_SITE, authorization: `Bearer ${key}` }]) {
        const answer = await ask(route, method, headers);
        expect([route.path, answer.headers.get('access-control-allow-origin')]).toEqual([route.path, SITE]);
        expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
        expect([route.path, dependencies(answer)]).toEqual([route.path, expect.arrayContaining(['Origin'])]);
      }
    }
    expect(ownRoutes().map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'createLaunch',
        'createCustomLaunch',
        'createPlan',
        'submitModule',
        'inviteSignIn',
        'issueKeyBySignIn',
      ]),
    );
  });

  it('is shared with no other origin, and says so to caches', async () => {
    for (const route of ownRoutes()) {
      for (const headers of [{}, ...FOREIGN.map((origin) => ({ origin }))]) {
        const answer = await ask(route, route.method.toUpperCase(), headers);
        expect([route.path, headers, sharing(answer)]).toEqual([route.path, headers, {}]);
        expect([route.path, dependencies(answer)]).toEqual([route.path, expect.arrayContaining(['Origin'])]);
      }
    }
  });

  it('is that of every origin for public reads, and absent for probes and for pages of reviewers', async () => {
    for (const route of gateway.openapi.routes.filter(isPublicRead)) {
      const { headers } = await ask(route, 'GET', AT_SITE);
      expect([route.path, headers.get('access-control-allow-origin')]).toEqual([
        route.path,
        isProbe(route) ? null : '*',
      ]);
    }
    for (const route of gateway.reviewerOpenapi!.routes) {
      const answer = await rawCall(gateway.reviewerUrl!, {
        method: route.method.toUpperCase(),
        path: concretePath(route.path),
        headers: AT_SITE,
      });
      expect([route.path, sharing(answer)]).toEqual([route.path, {}]);
    }
  });
});

describe("A preflight of the site's pages", () => {
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };

  it('permits the methods of the path, a key, a body and an idempotency key', async () => {
    for (const route of ownRoutes()) {
      const answer = await ask(route, 'OPTIONS', { ...AT_SITE, ...preflight });
      const { versions } = route.family;
      const methods = (answer.headers.get('allow') ?? '').split(', ').filter((method) => method !== 'OPTIONS');
      expect([route.path, answer.status, sharing(answer)]).toEqual([
        route.path,
        204,
        {
          'access-control-allow-origin': SITE,
          'access-control-allow-methods': methods.join(', '),
          'access-control-allow-headers': [
            'Accept',
            'If-None-Match',
            'Authorization',
            'Content-Type',
            'Idempotency-Key',
            ...(versions === undefined ? [] : [versions.header]),
          ].join(', '),
          'access-control-max-age': '86400',
        },
      ]);
      expect(methods).toContain(route.method.toUpperCase());
      expect(dependencies(answer)).toContain('Origin');
    }
  });

  it('permits nothing to another origin', async () => {
    for (const route of ownRoutes())
      for (const origin of FOREIGN) {
        const answer = await ask(route, 'OPTIONS', { origin, ...preflight });
        expect([route.path, origin, sharing(answer)]).toEqual([route.path, origin, {}]);
        expect(dependencies(answer)).toContain('Origin');
      }
  });
});

describe("A script of the site's pages", () => {
  it('signs its wallet in with a message of the site, and reads its launches with the key', async () => {
    const who = wallet();
    const invited = await call(`${gateway.url}/v4/auth/siwe/nonce`, { method: 'POST', headers: AT_SITE });
    expect([invited.json.domain, invited.json.uri]).toEqual([new URL(SITE).host, SITE]);
    const message = textFor(who.address, invited.json);
    const body = canonicalizeJson({ message, signature: await who.signMessage({ message }) });
    const issued = await call(`${gateway.url}/v4/auth/siwe/keys`, { body, headers: AT_SITE });
    const listed = await call(gateway.base, { key: issued.json.key, headers: AT_SITE });
    expect([invited.status, issued.status, listed.status]).toEqual([201, 201, 200]);
    for (const { headers } of [invited, issued, listed]) expect(headers.get('access-control-allow-origin')).toBe(SITE);
  });

  it('reads every header of the answers to a create, its replay and a read that browsers hide otherwise', async () => {
    const creation = { key, body: requestBytes(testRequest()), headers: { ...AT_SITE, 'idempotency-key': newKey() } };
    const created = await call(gateway.base, creation);
    const replayed = await call(gateway.base, creation);
    const read = await call(`${gateway.url}${created.json.statusUrl}`, { key, headers: AT_SITE });
    // The admission has not ended.
    expect([created.status, replayed.status, read.status]).toEqual([202, 503, 200]);
    for (const { headers } of [created, replayed, read]) {
      expect(headers.get('access-control-allow-origin')).toBe(SITE);
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
      const hidden = [...headers.keys()].filter((name) => !UNNAMED.test(name) && !exposed.includes(name));
      expect(hidden).toEqual([]);
      expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'etag', 'location', 'x-request-id']));
    }
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.headers.has('retry-after')).toBe(true);
  });
});
