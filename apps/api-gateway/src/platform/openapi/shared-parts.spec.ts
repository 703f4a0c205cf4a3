import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { shareParts } from './shared-parts.js';

type Json = Record<string, unknown>;

/** Returns the value with every reference replaced by its target. */
function resolved(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, document)]));
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Json)[name], document);
  expect([$ref, target]).toEqual([$ref, expect.anything()]);
  return resolved(target, document);
}

const leaf = fc.constantFrom<Json>(
  { type: 'string', pattern: `^${'[0-9a-f]'.repeat(20)}$` },
  { type: 'integer', minimum: 0 },
  { enum: ['ONE', 'TWO', 'T'.repeat(200)] },
  { $ref: '#/components/schemas/Base' },
);
const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type: fc.constant('object'),
      additionalProperties: fc.constant(false),
      properties: fc.dictionary(
        fc.constantFrom('code', 'items', 'launch', 'a b', 'constructor', 'properties'),
        tie('schema'),
        {
          maxKeys: 4,
        },
      ),
    }),
  ),
}));
const response = fc.record({
  description: fc.constantFrom('Fine.', 'Not fine.'),
  headers: fc.dictionary(
    fc.constantFrom('ETag', 'Allow'),
    fc.record({ description: fc.constantFrom('One.', 'Another.'), schema: fc.constant({ type: 'string' }) }),
  ),
  content: fc.record({ 'application/json': fc.record({ schema }) }),
});
const document = fc
  .record({
    operations: fc.array(fc.dictionary(fc.constantFrom('200', '404', '500'), response), { minLength: 1, maxLength: 6 }),
    schemas: fc.dictionary(fc.constantFrom('Launch', 'Items', 'Plan', 'Coin'), schema),
  })
  .map(
    ({ operations, schemas }) =>
      ({
        openapi: '3.1.0',
        info: { title: 'A title', version: '1' },
        paths: Object.fromEntries(operations.map((responses, at) => [`/${at}`, { get: { responses } }])),
        components: {
          securitySchemes: {},
          schemas: { Base: { type: 'object', properties: { a: { type: 'string' } } }, ...schemas },
        },
      }) as unknown as OpenAPIObject,
  );

describe('A document whose repeated parts are shared', () => {
  it('is equal to the original once every reference is resolved, and has the same bytes when made again', () => {
    fc.assert(
      fc.property(document, (given) => {
        const before = structuredClone(given);
        const shared = shareParts(structuredClone(given)) as unknown as Json;
        const { components } = shared as { components: { schemas: Json } };
        expect(resolved(shared['paths'], shared)).toEqual(resolved(before.paths, before as unknown as Json));
        for (const [name, whole] of Object.entries(before.components?.schemas ?? {}))
          expect(resolved(components.schemas[name], shared)).toEqual(resolved(whole, before as unknown as Json));
        expect(JSON.stringify(shareParts(structuredClone(given)))).toBe(JSON.stringify(shared));
      }),
      { numRuns: 300 },
    );
  });

  it('holds a response of two operations and a schema of two bodies once', () => {
    const member = {
      type: 'object',
      properties: { blockHash: { type: 'string', pattern: `^0x${'[0-9a-f]'.repeat(64)}$` } },
    };
    const failure = {
      description: 'It failed.',
      headers: { ETag: { description: 'A tag.', schema: { type: 'string' } } },
    };
    const operation = () => ({ get: { responses: { 500: structuredClone(failure) } } });
    const shared = shareParts({
      openapi: '3.1.0',
      info: { title: 'A title', version: '1' },
      paths: { '/a': operation(), '/b': operation() },
      components: {
        schemas: {
          First: { type: 'object', properties: { checkpoint: structuredClone(member) } },
          Second: { anyOf: [{ type: 'array', items: structuredClone(member) }, { type: 'null' }] },
        },
      },
    } as unknown as OpenAPIObject);
    const [name] = Object.keys(shared.components?.responses ?? {});
    expect(name).toMatch(/^Status500_[0-9a-f]{8}$/);
    for (const path of ['/a', '/b'])
      expect(shared.paths[path]?.get?.responses).toEqual({ 500: { $ref: `#/components/responses/${name}` } });
    expect(shared.components?.responses?.[name!]).toEqual({
      description: 'It failed.',
      headers: { ETag: { $ref: '#/components/headers/ETag' } },
    });
    expect(shared.components?.schemas).toEqual({
      First: { type: 'object', properties: { checkpoint: { $ref: '#/components/schemas/Checkpoint' } } },
      Second: { anyOf: [{ type: 'array', items: { $ref: '#/components/schemas/Checkpoint' } }, { type: 'null' }] },
      Checkpoint: member,
    });
  });
});
