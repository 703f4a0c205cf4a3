import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogueEntry, ERROR_CODES, finding } from '@launch/contracts';
import { call } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { SIGN_IN_ROUTE_DOCS } from '../../accounts/sign-in/sign-in.routes.js';
import { EXAMPLES } from './examples.js';
import { BODIES, describeApi } from './openapi.document.js';
import { ROUTE_DOCS } from './route-docs.js';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
}, 60_000);
afterAll(() => gateway.close());

const SAMPLES: Record<string, string> = {
  launchId: '00000000-0000-4000-8000-000000000000',
  onchainLaunchId: `0x${'0'.repeat(64)}`,
  sha256hex: '0'.repeat(64),
};
const concrete = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => SAMPLES[name] ?? '');

describe('the description', () => {
  it('is OpenAPI 3.1 with every reference resolved', () => {
    const document = describeApi() as { openapi: string; components: { schemas: Record<string, unknown> } };
    expect(document.openapi).toBe('3.1.0');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, target]) => target as string,
    );
    expect(references.length).toBeGreaterThan(20);
    const dangling = references.filter((target) => {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(target)?.[1];
      return name === undefined || document.components.schemas[name] === undefined;
    });
    expect(dangling).toEqual([]);
    const create = document.components.schemas['CreateRequest'] as {
      required: string[];
      additionalProperties: boolean;
    };
    expect(create.additionalProperties).toBe(false);
    expect(create.required).toContain('launchIntentHash');
  });

  it('gives each operation its own id, each path parameter a place, each answer its headers', () => {
    interface Operation {
      readonly operationId: string;
      readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
      readonly responses: Record<string, { readonly description: string; readonly headers: object }>;
    }
    const { paths } = describeApi([...ROUTE_DOCS, ...SIGN_IN_ROUTE_DOCS]) as unknown as {
      paths: Record<string, Record<string, Operation>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    const besides: Record<string, string> = {
      304: 'ETag',
      401: 'WWW-Authenticate',
      405: 'Allow',
      415: 'Accept',
      429: 'Retry-After',
    };
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path');
      expect([path, inPath.map(({ name, required }) => [name, required])]).toEqual([
        path,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]),
      ]);
      for (const [status, { description, headers }] of Object.entries(operation.responses)) {
        expect([status, description]).toEqual([status, expect.stringMatching(/\S/)]);
        const expected = [
          'X-Request-Id',
          'RateLimit',
          'RateLimit-Policy',
          ...(besides[status] === undefined ? [] : [besides[status]]),
        ];
        expect([operation.operationId, status, Object.keys(headers)]).toEqual([
          operation.operationId,
          status,
          expect.arrayContaining(expected),
        ]);
      }
      if ('304' in operation.responses)
        expect(operation.parameters?.map(({ name }) => name)).toContain('If-None-Match');
    }
  });

  it('shows an example of every body but those that only a program makes, each of its schema', () => {
    const schemas = new Map(BODIES.map((schema) => [schema.meta()?.id ?? '', schema]));
    for (const [name, example] of Object.entries(EXAMPLES))
      expect([name, schemas.get(name)?.safeParse(example).error?.issues ?? null]).toEqual([name, null]);
    const bodies = new Set(
      ROUTE_DOCS.flatMap(({ requestSchema, answers }) => [
        requestSchema,
        ...answers.map(({ schema }) => schema),
      ]).filter((name) => name !== undefined && name !== null),
    );
    expect([...bodies].filter((name) => EXAMPLES[name] === undefined && !name.endsWith('V3')).sort()).toEqual([
      'CreateRequest',
      'FinalityEvidence',
    ]);
  });

  it.each([
    ['without', null],
    ['with', { origin: 'https://launch.example', keySeconds: 3_600 }],
  ])(
    'documents every route that is served, and serves every route that is documented, %s signing in',
    async (_title, signIn) => {
      const other = await startHarness({ beside: gateway, signIn });
      try {
        const { paths } = (await call(`${other.url}/openapi.json`)).json as {
          paths: Record<string, Record<string, unknown>>;
        };
        const documented = Object.entries(paths).flatMap(([path, operations]) =>
          Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
        );
        // HEAD mirrors every GET, which the description says once; OPTIONS is the answer of any path that is served.
        const mirrored = documented
          .filter((route) => route.startsWith('GET '))
          .map((route) => route.replace('GET', 'HEAD'));
        expect([...other.served].sort()).toEqual([...documented, ...mirrored].sort());
        expect(documented.some((route) => route.includes('/siwe/'))).toBe(signIn !== null);
      } finally {
        await other.close();
      }
    },
  );

  it('names the methods of every path, to who asks for them', async () => {
    const methods = new Map<string, Set<string>>();
    for (const { path, method } of ROUTE_DOCS)
      methods.set(path, (methods.get(path) ?? new Set()).add(method.toUpperCase()));
    for (const [path, documented] of methods) {
      const allow = (await call(`${gateway.url}${concrete(path)}`, { method: 'OPTIONS' })).headers.get('allow') ?? '';
      expect([path, new Set(allow.split(', ').filter((method) => method !== 'HEAD' && method !== 'OPTIONS'))]).toEqual([
        path,
        documented,
      ]);
    }
  });

  it('gives every code under its own status', () => {
    const { paths } = describeApi() as unknown as {
      paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
    };
    for (const route of ROUTE_DOCS) {
      const { responses } = paths[route.path]?.[route.method] ?? { responses: {} };
      for (const code of route.errors)
        expect([code, responses[String(catalogueEntry(code).status)]?.description]).toEqual([
          code,
          expect.stringContaining(`\`${code}\``),
        ]);
    }
  });

  it("has a place for every code that a finding's docs name", async () => {
    const { text } = await call(`${gateway.url}/v4/errors`);
    for (const code of ERROR_CODES)
      expect([code, text.includes(` id="${finding(code, '').docs.split('#')[1]}"`)]).toEqual([code, true]);
  });

  it('is served as bytes, and as a page that loads nothing', async () => {
    const json = await call(`${gateway.url}/openapi.json`);
    expect(json.json).toEqual(JSON.parse(JSON.stringify(describeApi())));
    const page = await call(`${gateway.url}/docs`);
    for (const other of ['/', '/v4/errors']) expect((await call(`${gateway.url}${other}`)).text).toBe(page.text);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/<script|<link|<img|src=|url\(|@import|href="(?![\/#])/);
    const anchors = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, target] of page.text.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(target);
  });
});

describe('operations', () => {
  it('health, readiness and metrics answer', async () => {
    expect((await call(`${gateway.url}/healthz`)).json).toEqual({ status: 'ok' });
    expect((await call(`${gateway.url}/readyz`)).json).toEqual({ status: 'ready', checks: { database: 'ok' } });
    const metrics = await call(`${gateway.url}/metrics`);
    expect(metrics.text).toMatch(/launches_unfinished/);
    expect(metrics.text).toMatch(
      /http_requests_total\{method="GET",route="\/healthz",status="200",service="api-gateway"\} 1/,
    );
  });
});
