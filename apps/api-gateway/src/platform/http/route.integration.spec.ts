import { Controller, Get, Module, Req, Res, type Type } from '@nestjs/common';
import { afterEach, beforeAll, afterAll, describe, expect, it, jest } from '@jest/globals';
import { servedEntry } from '@launch/contracts/errors';
import {
  ApiError,
  bodyOf,
  defineRoute,
  Gate,
  queryOf,
  type RouteFamily,
  routesOf,
  sendJson,
  DEFAULT_ERRORS,
} from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppModule } from '../../composition/app.module.js';
import { DECLARED_FAULTS, provoke } from '../../fixtures/declared-faults.js';
import { call, codeOf } from '../../fixtures/http.client.js';
import { startHarness, type Harness, type HarnessOptions } from '../../fixtures/gateway.harness.js';
import { Route, API_ROUTES } from '../../core/routes/api.route.js';

/** Starts a gateway that serves one more controller. */
async function startWith(controller: Type, options: HarnessOptions = {}): Promise<Harness> {
  @Module({ controllers: [controller] })
  class AddedModule {}
  const { of } = AppModule;
  jest
    .spyOn(AppModule, 'of')
    .mockImplementation((parts) => ({ ...of(parts), imports: [...(of(parts).imports ?? []), AddedModule] }));
  return startHarness(options);
}
afterEach(() => void jest.restoreAllMocks());

const coinSchema = z.strictObject({ symbol: z.string(), rank: z.int().min(1).max(9) }).meta({ id: 'TestCoin' });

/** A complete new public route. */
@Controller()
class CoinController {
  @Route({
    method: 'post',
    path: '/test/coins/{launchId}',
    id: 'rankCoin',
    tag: 'Public feed',
    scopes: null,
    quota: 'download',
    summary: 'Ranks a coin',
    query: z.strictObject({
      rank: z
        .string()
        .regex(/^[1-9]$/, '1 to 9')
        .transform(Number)
        .pipe(z.int().min(1).max(9)),
    }),
    body: { schema: coinSchema, maxBytes: 64, mediaType: 'application/json' },
    answers: { 201: { description: 'Ranked.', schema: coinSchema, example: { symbol: 'MFL', rank: 1 } } },
    errors: ['HINT_LIMIT_REACHED'],
  })
  rank(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { rank } = queryOf<{ readonly rank: number }>(request);
    if (rank === 9) throw new ApiError('HINT_LIMIT_REACHED');
    reply.code(201);
    sendJson(reply, { symbol: bodyOf(request).toString(), rank });
  }
}

/** Finds a response of an operation, inline or shared. */
function responseOf(
  { components }: { components: { responses: Record<string, { description: string }> } },
  { responses }: { responses: Record<string, { description: string; $ref?: string }> },
  status: number,
): { description: string } {
  const response = responses[status]!;
  return response.$ref === undefined ? response : components.responses[response.$ref.split('/').at(-1)!]!;
}

describe('A public route that one file adds with one decorator', () => {
  const ID = '00000000-0000-4000-8000-000000000000';
  let gateway: Harness;
  beforeAll(async () => {
    gateway = await startWith(CoinController, { quotas: { download: { quantity: 1, windowSeconds: 60, burst: 12 } } });
  });
  afterAll(() => gateway.close());
  const rank = (path: string, body = 'MFL', headers: Record<string, string> = {}) =>
    call(`${gateway.url}/test/coins/${path}`, { body, headers });

  it('is guarded by the gate as it declares: path, query, body, quota', async () => {
    expect((await rank(`${ID}?rank=3`)).json).toEqual({ symbol: 'MFL', rank: 3 });
    expect(codeOf(await rank('no-uuid?rank=3'))).toBe('NOT_FOUND');
    const query = await rank(`${ID}?rank=0&more=1`);
    expect(query.json.error).toMatchObject({
      code: 'QUERY_INVALID',
      findings: [
        { path: '/more', expected: 'rank, each at most once' },
        { path: '/rank', expected: '1 to 9' },
      ],
    });
    expect(codeOf(await rank(`${ID}?rank=3`, 'x'.repeat(65)))).toBe('REQUEST_TOO_LARGE');
    const typed = await rank(`${ID}?rank=3`, 'MFL', { 'content-type': 'text/plain' });
    expect([codeOf(typed), typed.headers.get('accept')]).toEqual(['UNSUPPORTED_MEDIA_TYPE', 'application/json']);
    expect(typed.headers.get('ratelimit-policy')).toBe('"download";q=1;w=60');
    const refused = await call(`${gateway.url}/test/coins/${ID}`);
    expect([codeOf(refused), refused.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', 'POST, OPTIONS']);
  });

  it('is in the description, with its schema and its errors', async () => {
    const { json } = await call(`${gateway.url}/openapi.json`);
    const operation = json.paths['/test/coins/{launchId}'].post;
    expect(operation).toMatchObject({ operationId: 'rankCoin', tags: ['Public feed'], security: [] });
    expect(operation.parameters.map(({ name, in: place }: { name: string; in: string }) => `${place} ${name}`)).toEqual(
      ['path launchId', 'query rank'],
    );
    expect(operation.requestBody.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/TestCoin' } },
    });
    expect(operation.responses['201'].content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/TestCoin' },
      example: { symbol: 'MFL', rank: 1 },
    });
    expect(json.components.schemas.TestCoin).toMatchObject({ type: 'object', additionalProperties: false });
    const { status } = servedEntry('HINT_LIMIT_REACHED');
    expect(responseOf(json, operation, status).description).toContain('HINT_LIMIT_REACHED');
    for (const code of ['QUERY_INVALID', 'JSON_SYNTAX', 'REQUEST_TOO_LARGE', 'RATE_LIMITED'] as const)
      expect(responseOf(json, operation, servedEntry(code).status).description).toContain(`\`${code}\``);
  });

  it('is in the reference and among the operations that answer with its codes', async () => {
    const page = (await call(`${gateway.url}/docs`)).text;
    expect(page).toContain('<div id="/Public%20feed/rankCoin"><p><code>rankCoin</code>');
    const errors = (await call(`${gateway.url}/v4/errors`)).text;
    const row = /<tr id="HINT_LIMIT_REACHED">.*?<\/tr>/.exec(errors)?.[0];
    expect(row).toContain('<a href="/docs#/Public%20feed/rankCoin">rankCoin</a>');
  });

  it('is among the routes that are tested for the errors that follow from a declaration', async () => {
    const route = gateway.openapi.routes.find(({ id }) => id === 'rankCoin')!;
    const faults = DECLARED_FAULTS.filter((fault) => fault.concerns(route));
    expect(faults.map(({ code }) => code)).toEqual(['QUERY_INVALID']);
    for (const fault of faults)
      expect(codeOf(await provoke(gateway.url, route, fault, { whole: '', powerless: '' }))).toBe(fault.code);
  });

  it('answers the errors that it names', async () => {
    const refused = await rank(`${ID}?rank=9`);
    expect([refused.status, codeOf(refused)]).toEqual([servedEntry('HINT_LIMIT_REACHED').status, 'HINT_LIMIT_REACHED']);
  });
});

describe('A route of another family', () => {
  const refusedSchema = z
    .strictObject({ refused: z.string(), support: z.string() })
    .meta({ id: 'TestRefused', description: 'Another body for errors.' });
  const FAMILY: RouteFamily<'modules:read', 'Modules'> = {
    ...API_ROUTES,
    key: {
      name: 'moduleKey',
      scheme: { type: 'http', scheme: 'bearer', description: 'A key for modules.' },
      scopes: ['modules:read'],
      missingScope: 'CHAIN_NOT_ALLOWED',
    },
    errors: {
      entry: servedEntry,
      head: DEFAULT_ERRORS.head,
      ...(() => {
        const form = {
          mediaType: 'application/json',
          schemas: [refusedSchema],
          narrowedTo: (codes: readonly string[]) => ({ properties: { refused: { enum: [...codes] } } }),
          body: ({ code }: ApiError, requestId: string) => ({ refused: code, support: requestId }),
        };
        return { forms: [form], formFor: () => form };
      })(),
    },
    tags: { Modules: 'Modules of others.' },
  };
  @Controller()
  class ModuleController {
    @(routesOf(FAMILY)({
      method: 'get',
      path: '/test/modules',
      id: 'listModules',
      tag: 'Modules',
      scopes: ['modules:read'],
      quota: 'read',
      summary: 'Modules',
      answers: { 200: { description: 'All of them.' } },
    }))
    list(): void {
      throw new TypeError('nobody gets here');
    }
  }

  it('has the error body, keys and section of its family', async () => {
    const gateway = await startWith(ModuleController);
    try {
      const anonymous = await call(`${gateway.url}/test/modules`);
      expect([anonymous.status, anonymous.json]).toEqual([
        401,
        { refused: 'UNAUTHENTICATED', support: anonymous.headers.get('x-request-id') },
      ]);
      const { key } = await gateway.issueKey();
      const launcher = await call(`${gateway.url}/test/modules`, { key });
      expect([launcher.status, launcher.json.refused]).toEqual([403, 'CHAIN_NOT_ALLOWED']);
      const method = await call(`${gateway.url}/test/modules`, { method: 'DELETE' });
      expect([method.status, method.json.refused]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(codeOf(await call(`${gateway.base}`))).toBe('UNAUTHENTICATED');
      const { json } = await call(`${gateway.url}/openapi.json`);
      const { security, responses } = json.paths['/test/modules'].get;
      expect(security).toEqual([{ moduleKey: ['modules:read'] }]);
      expect(responses['401'].content).toEqual({
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/TestRefused' },
              { properties: { refused: { enum: ['UNAUTHENTICATED'] } } },
            ],
          },
        },
      });
      expect(Object.keys(json.components.securitySchemes).sort()).toEqual(['apiKey', 'moduleKey']);
      expect(json.components.schemas).toHaveProperty('TestRefused');
      expect(json.tags).toContainEqual({ name: 'Modules', description: 'Modules of others.' });
    } finally {
      await gateway.close();
    }
  });
});

@Controller('forgotten')
class ForgottenController {
  @Get()
  read(): string {
    return 'whatever it is';
  }

  @Route({
    method: 'get',
    path: '/forgotten/kept',
    id: 'kept',
    tag: 'Operations',
    scopes: null,
    quota: 'public',
    summary: 'Says who may ask',
    answers: { 200: { description: 'Something.' } },
  })
  kept(): string {
    return 'public, and says so';
  }
}

describe('An undeclared route', () => {
  it('stops the start of the process with an error that names it', async () => {
    await expect(startWith(ForgottenController)).rejects.toThrow(
      /^routes without @Route: GET \/forgotten; HEAD \/forgotten$/,
    );
  });

  it('is refused by the gate to every caller, should it ever be reached', () => {
    const gate = new Gate({} as never, {} as never);
    const request = {
      raw: { url: '/forgotten', rawHeaders: ['host', 'x'], headers: { host: 'x' }, httpVersion: '1.1', complete: true },
      params: {},
      is404: false,
      routeOptions: { url: '/forgotten', config: {} },
      exchange: { route: undefined },
    };
    expect(() => gate.check(request as unknown as FastifyRequest)).toThrow(
      'the route /forgotten says nothing about who may ask',
    );
  });
});

describe('A declaration', () => {
  it('is refused with a path parameter that its family does not know', () => {
    expect(() =>
      defineRoute(API_ROUTES, {
        method: 'get',
        path: '/test/{planId}',
        id: 'plan',
        tag: 'Launches',
        scopes: null,
        quota: 'public',
        summary: 'A plan',
        answers: { 200: { description: 'The plan.' } },
      }),
    ).toThrow('/test/{planId}: the family declares no parameter planId');
  });
});
