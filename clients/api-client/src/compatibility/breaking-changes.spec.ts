import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './breaking-changes.js';
import type { OpenApiDocument } from './openapi.js';

/* A document is edited as data: `any` is the type of JSON here. */
type Json = any;

const OPEN = '/coins/{coin}';
const CLOSED = '/v4/chains/4663/multi-role-custom-launches';
const coin = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'state'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 32, pattern: '^[a-z]+$' },
    state: { enum: ['live', 'retired'], type: 'string' },
    supply: { type: 'integer', minimum: 0, maximum: 1_000 },
    parent: { anyOf: [{ $ref: '#/components/schemas/Coin' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 4 },
    hash: { const: 'keccak256', type: 'string' },
  },
};
const problem = (): Json => ({
  allOf: [
    { $ref: '#/components/schemas/Problem' },
    { properties: { error: { properties: { code: { enum: ['NAME_TAKEN', 'TOO_LONG'], type: 'string' } } } } },
  ],
});
const operation = (operationId: string): Json => ({
  operationId,
  security: [{ apiKey: ['write'] }],
  parameters: [
    { name: 'coin', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 25 } },
  ],
  requestBody: {
    required: false,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } },
  },
  responses: {
    200: { $ref: '#/components/responses/Found' },
    422: { content: { 'application/json': { schema: problem() } } },
  },
});
const document: OpenApiDocument = {
  paths: { [OPEN]: { post: operation('putCoin') }, [CLOSED]: { get: operation('listLaunches') } },
  components: {
    schemas: {
      Coin: coin,
      Request: structuredClone({ ...coin, properties: { ...coin.properties, parent: { type: 'string' } } }),
      Problem: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } } },
      },
    },
    responses: {
      Found: {
        headers: { ETag: { schema: { type: 'string' } } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Coin' } } },
      },
    },
  },
} as Json;

const edited = (edit: (copy: Json) => void): OpenApiDocument => {
  const copy: Json = structuredClone(document);
  edit(copy);
  return copy as OpenApiDocument;
};
const request = (copy: Json): Json => copy.components.schemas.Request;
const answer = (copy: Json): Json => copy.components.schemas.Coin;
const post = (copy: Json): Json => copy.paths[OPEN].post;

const BREAKING: readonly (readonly [string, (copy: Json) => void, string])[] = [
  ['a path is removed', (copy) => delete copy.paths[OPEN], `POST ${OPEN}: removed`],
  ['an operation is removed', (copy) => delete copy.paths[OPEN].post, `POST ${OPEN}: removed`],
  ['an operation is renamed', (copy) => (post(copy).operationId = 'setCoin'), 'operationId putCoin became setCoin'],
  ['a scope is added', (copy) => (post(copy).security = [{ apiKey: ['write', 'admin'] }]), 'no longer suffice'],
  ['a parameter is removed', (copy) => post(copy).parameters.pop(), 'query parameter limit was removed'],
  ['a parameter becomes required', (copy) => (post(copy).parameters[1].required = true), 'limit became required'],
  ['a parameter is narrowed', (copy) => (post(copy).parameters[1].schema.maximum = 20), 'maximum 25 is looser than 20'],
  [
    'a required parameter is added',
    (copy) => post(copy).parameters.push({ name: 'at', in: 'query', required: true }),
    'query parameter at was added and is required',
  ],
  ['a body becomes required', (copy) => (post(copy).requestBody.required = true), 'the request body became required'],
  ['a body is removed', (copy) => delete post(copy).requestBody, 'the request body was removed'],
  [
    'a media type of a body is removed',
    (copy) => (post(copy).requestBody.content = { 'text/plain': {} }),
    'request bodies of application/json are no longer accepted',
  ],
  [
    'a request member becomes required',
    (copy) => request(copy).required.push('supply'),
    '.supply: required on one side',
  ],
  ['a request member is removed', (copy) => delete request(copy).properties.supply, '.supply: unknown member'],
  ['a request enumeration is narrowed', (copy) => (request(copy).properties.state.enum = ['live']), '"retired"'],
  [
    'a request pattern changes',
    (copy) => (request(copy).properties.name.pattern = '^[a-y]+$'),
    '.name: pattern differs',
  ],
  ['a request length is narrowed', (copy) => (request(copy).properties.name.maxLength = 31), '.name: maxLength 32'],
  ['a request type changes', (copy) => (request(copy).properties.supply.type = 'string'), '.supply: type "integer"'],
  ['a request constant changes', (copy) => (request(copy).properties.hash.const = 'sha256'), '.hash: only one side'],
  [
    'items of a request are narrowed',
    (copy) => (request(copy).properties.tags.items = { type: 'string', maxLength: 3 }),
    '.tags[]: maxLength absent is looser than 3',
  ],
  ['a response is removed', (copy) => delete post(copy).responses['422'], 'response 422 was removed'],
  ['a header is removed', (copy) => delete copy.components.responses.Found.headers.ETag, 'lost its header ETag'],
  [
    'a media type of a response is removed',
    (copy) => (copy.components.responses.Found.content = { 'text/csv': {} }),
    'response 200 is no longer application/json',
  ],
  [
    'an answered member is removed',
    (copy) => {
      answer(copy).required = ['state'];
      delete answer(copy).properties.name;
    },
    '.name: required on one side only',
  ],
  [
    'an optional answered member is removed',
    (copy) => delete answer(copy).properties.tags,
    '.tags: declared on one side',
  ],
  ['an answered member becomes optional', (copy) => answer(copy).required.pop(), '.state: required on one side only'],
  [
    'an answered enumeration is widened',
    (copy) => answer(copy).properties.state.enum.push('lost'),
    'only one side has "lost"',
  ],
  [
    'an answered maximum is raised',
    (copy) => (answer(copy).properties.supply.maximum = 2_000),
    '.supply: maximum 2000',
  ],
  [
    'an answered member becomes nullable',
    (copy) => (answer(copy).properties.name = { anyOf: [answer(copy).properties.name, { type: 'null' }] }),
    '.name: type "null" is not "string"',
  ],
];

const ADDITIVE: readonly (readonly [string, (copy: Json) => void])[] = [
  ['nothing changes', () => undefined],
  ['a path is added', (copy) => (copy.paths['/new'] = { get: operation('getNew') })],
  ['an optional parameter is added', (copy) => post(copy).parameters.push({ name: 'at', in: 'query' })],
  ['a parameter is widened', (copy) => (post(copy).parameters[1].schema.maximum = 100)],
  ['another credential suffices', (copy) => post(copy).security.push({ session: [] })],
  ['a request member is added', (copy) => (request(copy).properties.note = { type: 'string' })],
  ['a request member becomes optional', (copy) => request(copy).required.pop()],
  ['a request enumeration is widened', (copy) => request(copy).properties.state.enum.push('lost')],
  ['a request length is widened', (copy) => delete request(copy).properties.name.maxLength],
  ['a response is added', (copy) => (post(copy).responses[409] = { content: {} })],
  ['a header is added', (copy) => (copy.components.responses.Found.headers.Link = {})],
  ['an answered enumeration is narrowed', (copy) => (answer(copy).properties.state.enum = ['live'])],
  ['an answered member becomes required', (copy) => answer(copy).required.push('supply')],
  ['descriptions change', (copy) => (answer(copy).description = 'A coin.')],
  [
    'a schema gets another name',
    (copy) => {
      copy.components.schemas.Token = copy.components.schemas.Coin;
      copy.components.responses.Found.content['application/json'].schema = { $ref: '#/components/schemas/Token' };
    },
  ],
];

describe('breakingChanges', () => {
  it.each(BREAKING)('reports that %s', (_title, edit, expected) => {
    const found = breakingChanges(document, edited(edit));
    expect(found.filter((change) => change.includes(expected))).not.toEqual([]);
  });

  it.each(ADDITIVE)('reports nothing when %s', (_title, edit) => {
    expect(breakingChanges(document, edited(edit))).toEqual([]);
  });

  it('reports a new member and a new code of an answer only where answers are closed', () => {
    const member = breakingChanges(
      document,
      edited((copy) => (answer(copy).properties.symbol = { type: 'string' })),
    );
    expect(member).toEqual([
      `GET ${CLOSED}: response 200 (application/json).symbol: unknown member of a closed object`,
    ]);
    const code = breakingChanges(
      document,
      edited((copy) => {
        for (const one of [copy.paths[OPEN].post, copy.paths[CLOSED].get])
          one.responses['422'].content['application/json'].schema.allOf[1].properties.error.properties.code.enum.push(
            'NEW',
          );
      }),
    );
    expect(code).toEqual([`GET ${CLOSED}: response 422 (application/json).error.code: only one side has "NEW"`]);
  });
});
