import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { DISCOVERY_PATH } from '@launch/contracts/reports';
import type { RouteDefinition } from '@launch/http';
import { concretePath } from '../../fixtures/declared-faults.js';
import { rawCall, type Answer } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';

const CAPABILITIES = `${MULTI_ROLE_BASE_PATH}/capabilities`;
const ORIGIN = { origin: 'https://wallet.example' };
const PREFLIGHT = { ...ORIGIN, 'access-control-request-method': 'GET' };
/** Headers that browsers show in any case, that concern the connection, or that no script needs. */
const UNNAMED =
  /^(access-control-.*|age|allow|cache-control|connection|content-(language|length|security-policy|type)|date|expires|keep-alive|referrer-policy|transfer-encoding|vary|www-authenticate|x-content-type-options|x-frame-options|accept)$/;

let gateway: Harness;
beforeAll(async () => {
  const ample = { quantity: 1_000, windowSeconds: 1, burst: 1_000 };
  gateway = await startHarness({
    signIn: { origin: 'https://launch.example', keySeconds: 3_600 },
    quotas: { public: ample, download: ample },
  });
});
afterAll(() => gateway.close());

const ask = (route: RouteDefinition, method: string, headers: Record<string, string> = ORIGIN): Promise<Answer> =>
  rawCall(gateway.url, { method, path: concretePath(route.path), headers });
const sharing = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

/** Public reads by their declaration; the probe is the operator's. */
const isPublicRead = ({ method, scopes, path }: RouteDefinition): boolean =>
  method === 'get' && scopes === null && path !== '/healthz';

describe('An answer to a script of another origin', () => {
  it('is shared by each public read, with any status, and by no other declared route', async () => {
    const shared: string[] = [];
    for (const route of gateway.openapi.routes) {
      for (const method of route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()]) {
        const answer = await ask(route, method);
        const origin = answer.headers.get('access-control-allow-origin');
        expect([method, route.path, answer.status, origin]).toEqual([
          method,
          route.path,
          answer.status,
          isPublicRead(route) ? '*' : null,
        ]);
        expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
        if (!isPublicRead(route)) expect([route.path, sharing(answer)]).toEqual([route.path, {}]);
      }
      if (isPublicRead(route)) shared.push(route.id);
    }
    expect(shared).toEqual(
      expect.arrayContaining([
        'getDiscovery',
        'getOpenApi',
        'getBoundMachineContract',
        'downloadLaunchCli',
        'getLaunchReadiness',
      ]),
    );
    expect(shared.length).toBeLessThan(gateway.openapi.routes.length - 15);
  });

  it('names each of its headers that browsers hide from scripts otherwise', async () => {
    for (const route of gateway.openapi.routes.filter(isPublicRead)) {
      const { headers } = await ask(route, 'GET');
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
      const hidden = [...headers.keys()].filter((name) => !UNNAMED.test(name) && !exposed.includes(name));
      expect([route.path, hidden]).toEqual([route.path, []]);
      expect(exposed).toEqual(
        expect.arrayContaining([
          'etag',
          'ratelimit',
          'ratelimit-policy',
          'retry-after',
          'content-digest',
          'signature',
          'signature-input',
          'location',
          'x-request-id',
        ]),
      );
    }
  });

  it('is never shared when the request has a key', async () => {
    const { key } = await gateway.issueKey();
    const answer = await rawCall(gateway.url, {
      method: 'GET',
      path: MULTI_ROLE_BASE_PATH,
      headers: { ...ORIGIN, authorization: `Bearer ${key}` },
    });
    expect([answer.status, sharing(answer)]).toEqual([200, {}]);
  });
});

describe('A preflight', () => {
  it('permits conditional reads of public routes without a key, and nothing of another route', async () => {
    for (const route of gateway.openapi.routes) {
      const answer = await ask(route, 'OPTIONS', { ...PREFLIGHT, 'access-control-request-headers': 'if-none-match' });
      const { versions } = route.family;
      expect([route.path, answer.status, sharing(answer)]).toEqual([
        route.path,
        204,
        isPublicRead(route)
          ? {
              'access-control-allow-origin': '*',
              'access-control-allow-methods': 'GET, HEAD',
              'access-control-allow-headers': [
                'Accept',
                'If-None-Match',
                ...(versions === undefined ? [] : [versions.header]),
              ].join(', '),
              'access-control-max-age': '86400',
            }
          : {},
      ]);
    }
  });
});

describe('An answer of any status', () => {
  it('is shared as 304, as an error and over quota', async () => {
    const at = (path: string, headers: Record<string, string> = {}) =>
      rawCall(gateway.url, { method: 'GET', path, headers: { ...ORIGIN, ...headers } });
    const etag = (await at(DISCOVERY_PATH)).headers.get('etag') ?? '';
    const answers = [
      await at(DISCOVERY_PATH, { 'if-none-match': etag }),
      await at(`${CAPABILITIES}?x=1`),
      await at(`${MULTI_ROLE_BASE_PATH}/finalized/0x12`),
    ];
    // Gateways of one database count together, so this one takes the quota of both.
    const small = await startHarness({
      beside: gateway,
      quotas: { public: { quantity: 1, windowSeconds: 60, burst: 1 } },
    });
    try {
      for (const _time of ['first', 'second'])
        answers[3] = await rawCall(small.url, { method: 'GET', path: CAPABILITIES, headers: ORIGIN });
    } finally {
      await small.close();
    }
    expect(answers.map(({ status }) => status)).toEqual([304, 400, 404, 429]);
    for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});
