import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as apiClient from '../../../../../../clients/api-client/src/index.js';
import { ERROR_CODES, finding } from '@launch/contracts/errors';
import { componentName, type RouteDefinition } from '@launch/http';
import { concretePath } from '../../../fixtures/declared-faults.js';
import { call } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Record<string, Described | { readonly $ref: string }>;
}
interface Described {
  readonly description: string;
  readonly headers: object;
  readonly content?: Record<string, { readonly schema?: SchemaObject }>;
}
interface SchemaObject {
  readonly $ref?: string;
  readonly allOf?: readonly SchemaObject[];
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly enum?: readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Record<string, unknown>>;
    readonly headers: Record<string, unknown>;
    readonly responses: Record<string, Described>;
    readonly securitySchemes: object;
  };
}

const described = (answer: Operation['responses'][string]): Described =>
  '$ref' in answer ? document.components.responses[answer.$ref.split('/').at(-1)!]! : answer;

const resolved = (schema: SchemaObject): SchemaObject =>
  schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!);

/** Returns the codes that the schema of an error body lists. */
function codesOf(body: SchemaObject): readonly string[] {
  const error = resolved(resolved(body).properties!['error']!);
  return resolved(error.properties!['code']!).enum!;
}

const SIGN_IN = { origin: 'https://launch.example', keySeconds: 3_600 };

/** A gateway without signing in, and one with every route. */
let gateway: Harness;
let whole: Harness;
let routes: readonly RouteDefinition[];
let document: Document;
const documentOf = async ({ url }: Harness): Promise<Document> => (await call(`${url}/openapi.json`)).json as Document;
beforeAll(async () => {
  gateway = await startHarness();
  whole = await startHarness({ beside: gateway, signIn: SIGN_IN });
  ({ routes } = whole.openapi);
  document = await documentOf(whole);
});
afterAll(async () => {
  await whole.close();
  await gateway.close();
});

describe('The description', () => {
  it('is OpenAPI 3.1 with every reference resolved', () => {
    expect(document.openapi).toBe('3.1.0');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, target]) => target as string,
    );
    expect(references.length).toBeGreaterThan(20);
    const dangling = references.filter((target) => {
      const [, kind, name] = /^#\/components\/(schemas|headers|responses)\/([\w-]+)$/.exec(target) ?? [];
      return name === undefined || document.components[kind as 'schemas'][name] === undefined;
    });
    expect(dangling).toEqual([]);
    expect(document.components.schemas['CreateRequest']).toMatchObject({
      additionalProperties: false,
      required: expect.arrayContaining(['launchIntentHash']),
    });
  });

  it('has the same bytes from two starts', async () => {
    const again = await startHarness({ beside: gateway, signIn: SIGN_IN });
    try {
      expect((await call(`${again.url}/openapi.json`)).text).toBe((await call(`${whole.url}/openapi.json`)).text);
    } finally {
      await again.close();
    }
  });

  it('is the published docs/api/openapi.json, from which the client is generated', async () => {
    const served = (await call(`${whole.url}/openapi.json`)).text;
    const published = path.resolve(import.meta.dirname, '../../../../../../docs/api/openapi.json');
    expect(JSON.stringify(JSON.parse(readFileSync(published, 'utf8'))) === served).toBe(true);
    expect(apiClient.OPENAPI_SHA256).toBe(whole.openapi.contentSha256);
    expect(Object.values(apiClient).filter((one) => typeof one === 'object' && 'answers' in one)).toHaveLength(
      Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length,
    );
  });

  it('gives each operation its own id, and describes each path parameter and the headers of each answer', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
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
      for (const [status, answer] of Object.entries(operation.responses)) {
        const { description, headers } = described(answer);
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

  it('describes the query of a list with its bounds', () => {
    const { parameters } = document.paths['/v4/chains/4663/multi-role-custom-launches']!['get']!;
    expect(parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Number of items on a page.',
        schema: { type: 'integer', minimum: 1, maximum: 25, default: 10 },
      },
      {
        name: 'cursor',
        in: 'query',
        required: false,
        description: 'Opaque cursor: the `nextCursor` of the previous page.',
        schema: { type: 'string', maxLength: 512 },
      },
    ]);
  });

  it('shows an example of every body except program-made ones, each valid by its schema', () => {
    const bodies = routes.flatMap(({ body, answers }) => [
      ...(body === undefined ? [] : [body]),
      ...Object.values(answers),
    ]);
    const without = new Set<string>();
    for (const { schema, example } of bodies) {
      if (schema === undefined) continue;
      const name = componentName(schema);
      if (example === undefined) without.add(name);
      else expect([name, schema.safeParse(example).error?.issues ?? null]).toEqual([name, null]);
    }
    expect([...without].filter((name) => !name.endsWith('V3')).sort()).toEqual([
      'AnyCustomLaunchRequest',
      'CreateRequest',
      'CustomLaunchPlanV1',
      'FinalityEvidence',
      'IndexEvidence',
      'ModuleSubmission',
      'PublicLaunchEvidence',
      'SignInKey',
      'SignInNonce',
      'SignInRequest',
    ]);
  });

  it.each(['without', 'with'])(
    'documents every route that is served, and serves every route that is documented, %s signing in',
    async (title) => {
      const served = title === 'with' ? whole : gateway;
      const { paths } = await documentOf(served);
      const documented = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map(
          (method) => `${method.toUpperCase()} ${path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1')}`,
        ),
      );
      // HEAD mirrors every GET, which the description states once; every served path answers OPTIONS.
      const mirrored = documented
        .filter((route) => route.startsWith('GET '))
        .map((route) => route.replace('GET', 'HEAD'));
      expect([...served.served].sort()).toEqual([...documented, ...mirrored].sort());
      expect(documented.some((route) => route.includes('/siwe/'))).toBe(title === 'with');
    },
  );

  it('names the methods of every path on OPTIONS', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      const documented = new Set(Object.keys(operations).map((method) => method.toUpperCase()));
      const allow = (await call(`${whole.url}${concretePath(path)}`, { method: 'OPTIONS' })).headers.get('allow') ?? '';
      expect([path, new Set(allow.split(', ').filter((method) => method !== 'HEAD' && method !== 'OPTIONS'))]).toEqual([
        path,
        documented,
      ]);
    }
  });

  it('has every path that discovery names', async () => {
    const { routes: named } = (await call(`${whole.base}/capabilities`)).json as { routes: Record<string, string> };
    const { v2, v3 } = (await call(`${whole.url}${named['finalityDiscovery']}`)).json;
    const paths = [...Object.values(named), ...JSON.stringify([v2, v3]).matchAll(/"(\/[^"]+)"/g)].map((one) =>
      typeof one === 'string' ? one : one[1],
    );
    expect(paths.length).toBeGreaterThan(15);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(paths));
  });

  it('gives every code under its own status', () => {
    for (const { path, method, allErrors, answers, family } of routes) {
      const { responses } = document.paths[path]![method]!;
      for (const code of allErrors) {
        const { status } = family.errors.entry(code);
        if (answers[status] !== undefined) continue;
        const { description } = described(responses[String(status)]!);
        expect([code, description]).toEqual([code, expect.stringContaining(`\`${code}\``)]);
      }
    }
  });

  it('documents only the closed statuses of errors on plan operations', () => {
    const ofPlans = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ tags }) => tags.includes('Plans'));
    expect(ofPlans.length).toBeGreaterThan(6);
    for (const { operationId, responses } of ofPlans) {
      const others = Object.keys(responses).filter((status) => !/^(20[012]|304|401|409|422|503)$/.test(status));
      expect([operationId, others]).toEqual([operationId, []]);
    }
  });

  it('narrows the body of an error to codes that this body has', () => {
    const narrowed = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, answer]) =>
          Object.values(described(answer).content ?? {}).flatMap(({ schema }) => {
            const [body, narrowing] = schema?.allOf ?? [];
            const codes = narrowing?.properties?.['error']?.properties?.['code']?.enum;
            return codes === undefined ? [] : [{ operationId, status, codes, known: codesOf(body!) }];
          }),
        ),
      );
    expect(narrowed.length).toBeGreaterThan(100);
    const unknown = narrowed.flatMap(({ operationId, status, codes, known }) =>
      codes.filter((code) => !known.includes(code)).map((code) => `${operationId} ${status} ${code}`),
    );
    expect(unknown).toEqual([]);
  });

  it('narrows the problem details of a route to its codes, by a schema that such a body meets', async () => {
    const { ProblemDetails } = document.components.schemas;
    const problem = await call(`${whole.url}/openapi.json?x`, { headers: { accept: 'application/problem+json' } });
    expect(Object.keys(problem.json as object)).toEqual(
      expect.arrayContaining(ProblemDetails!['required'] as string[]),
    );
    expect(ProblemDetails!['additionalProperties']).not.toBe(false);
  });

  it('is served as bytes', async () => {
    expect((await call(`${whole.url}/openapi.json`)).json).toEqual(whole.openapi.document);
  });
});

describe('The pages', () => {
  it('are the reference at the root and at /docs: every operation, answer and schema, initially closed', async () => {
    const page = await call(`${whole.url}/docs`);
    expect((await call(`${whole.url}/`)).text).toBe(page.text);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const anchor = ` id="/${encodeURIComponent(operation.tags[0]!)}/${operation.operationId}"`;
      const at = page.text.indexOf(anchor);
      expect([operation.operationId, at > 0]).toEqual([operation.operationId, true]);
      const own = page.text.slice(at, page.text.indexOf('<details class="operation">', at));
      for (const status of Object.keys(operation.responses)) expect(own).toContain(`<b>${status}</b>`);
      for (const { name } of operation.parameters ?? []) expect(own).toContain(`<code>${name}</code>`);
    }
    for (const name of Object.keys(document.components.schemas)) expect(page.text).toContain(` id="schema-${name}"`);
    expect(page.text).not.toMatch(/<details[^>]* open|<script/);
    expect(page.text.length).toBeLessThan(1_500_000);
  });

  it.each(['/docs', '/v4/errors'])(
    'load only content that this process serves, and nothing inline: %s',
    async (path) => {
      const page = await call(`${gateway.url}${path}`);
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(page.text).not.toMatch(/<style|<script|<[^>]*\s(?:on\w+|style)=/);
      const loaded = [...page.text.matchAll(/(?:src|<link[^>]+href)="([^"]+)"/g)].map(([, target]) => target as string);
      expect(loaded.length).toBeGreaterThan(1);
      for (const target of loaded) {
        const asset = await call(`${gateway.url}${target}`);
        expect([target, asset.status, asset.headers.get('x-content-type-options')]).toEqual([target, 200, 'nosniff']);
        const again = await call(`${gateway.url}${target}`, {
          headers: { 'if-none-match': asset.headers.get('etag') ?? '' },
        });
        expect([target, again.status]).toEqual([target, 304]);
      }
      const anchors = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      for (const [, target] of page.text.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(target);
    },
  );

  it('have no other file', async () => {
    for (const name of ['package.json', 'swagger-ui-bundle.js', 'docs.js', '__proto__', 'constructor.js', 'index.html'])
      expect([name, (await call(`${gateway.url}/docs/${name}`)).status]).toEqual([name, 404]);
  });

  it("have an anchor for every code that a finding's docs name, with the operations that answer with it", async () => {
    const { text } = await call(`${gateway.url}/v4/errors`);
    for (const code of ERROR_CODES)
      expect([code, text.includes(` id="${finding(code, '').docs.split('#')[1]}"`)]).toEqual([code, true]);
    expect(text).toContain('<a href="/docs#/Launches/registerTransactionHint">registerTransactionHint</a>');
  });
});

describe('Operations', () => {
  it('answer health, readiness and metrics', async () => {
    expect((await call(`${gateway.url}/healthz`)).json).toEqual({ status: 'ok' });
    expect((await call(`${gateway.operationsUrl}/readyz`)).json).toEqual({
      status: 'ready',
      checks: { database: 'ok' },
    });
    const metrics = await call(`${gateway.operationsUrl}/metrics`);
    expect(metrics.text).toMatch(/launch_open_launches/);
    expect(metrics.text).toMatch(
      /http_requests_total\{method="GET",route="\/healthz",status="200",service="api-gateway"\} 1/,
    );
  });
});
