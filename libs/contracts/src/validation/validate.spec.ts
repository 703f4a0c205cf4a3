import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Finding } from '../errors/finding.js';
import { validate } from './validate.js';

const SECRET = 'sk_live_0123456789';
/** Words of the library. */
const LIBRARY = /Invalid|expected .*received|Too (big|small)|Unrecognized|No matching/;

function findingsOf(schema: z.ZodType, value: unknown): Finding[] {
  const outcome = validate(schema, value);
  return outcome.ok ? [] : outcome.findings;
}
const onlyFindingOf = (schema: z.ZodType, value: unknown) => {
  const [found, ...others] = findingsOf(schema, value);
  expect(others).toEqual([]);
  const { code, path, message, expected, remediation } = found as Finding;
  return { code, path, message, expected, detail: remediation.detail };
};

const body = (schema: z.ZodType) => z.strictObject({ field: schema });
const shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('a') }),
  z.strictObject({ kind: z.literal('b') }),
]);

describe('A finding about the form of a body', () => {
  it.each<[string, z.ZodType, unknown, string, string]>([
    ['a missing field', body(z.string()), {}, '/field is missing.', 'a string'],
    ['another kind', body(z.string()), { field: 7 }, '/field is a number.', 'a string'],
    ['null', body(z.array(z.string())), { field: null }, '/field is null.', 'an array'],
    ['a boolean', body(z.record(z.string(), z.string())), { field: true }, '/field is a boolean.', 'an object'],
    ['a fraction', body(z.int()), { field: 1.5 }, '/field is a number with a fraction.', 'an integer'],
    ['another body', z.strictObject({}), [], 'The body is an array.', 'an object'],
    ['another literal', body(z.literal('v1')), { field: SECRET }, '/field is none of the allowed values.', '"v1"'],
    [
      'another value',
      body(z.enum(['a', 'b'])),
      { field: SECRET },
      '/field is none of the allowed values.',
      'one of "a", "b"',
    ],
    ['a short text', body(z.string().min(1)), { field: '' }, '/field is too short.', 'at least 1 character'],
    ['a long text', body(z.string().max(3)), { field: SECRET }, '/field is too long.', 'at most 3 characters'],
    ['few elements', body(z.array(z.string()).length(2)), { field: [] }, '/field is too short.', 'exactly 2 elements'],
    ['a small number', body(z.int().min(5)), { field: 4 }, '/field is too small.', 'a number of at least 5'],
    ['a large number', body(z.number().lt(5)), { field: 5 }, '/field is too large.', 'a number of less than 5'],
    [
      'another format',
      body(z.string().regex(/^a+$/)),
      { field: SECRET },
      '/field does not have its required form.',
      'text that matches /^a+$/',
    ],
    [
      'a form with words',
      body(z.string().regex(/^a+$/, 'only a')),
      { field: SECRET },
      '/field does not have its required form.',
      'only a',
    ],
    [
      'a multiple',
      body(z.number().multipleOf(5)),
      { field: 4 },
      '/field does not have its required form.',
      'a multiple of 5',
    ],
    [
      'no form of several',
      body(z.union([z.string(), z.null()])),
      { field: 1 },
      '/field has none of the allowed forms.',
      'one of the described forms',
    ],
    [
      'a rule without words',
      body(z.string().refine(() => false)),
      { field: SECRET },
      '/field does not have its required form.',
      'the described form',
    ],
  ])('names the field, its fault and its form for %s', (_what, schema, value, message, expected) => {
    const found = onlyFindingOf(schema, value);
    expect(found).toMatchObject({ code: 'SCHEMA_INVALID', message, expected });
    expect(found.detail).toContain(expected);
    expect(JSON.stringify(found)).not.toMatch(LIBRARY);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  it('names the allowed forms of a body by their kind', () => {
    const found = onlyFindingOf(body(shape), { field: { kind: SECRET } });
    expect(found).toMatchObject({ path: '/field/kind', expected: 'one of "a", "b"' });
    expect(JSON.stringify(found)).not.toMatch(LIBRARY);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  it('names a member that a closed object does not have, within bounds and without its value', () => {
    expect(onlyFindingOf(body(z.string()), { field: 'a', extra: SECRET })).toEqual({
      code: 'SCHEMA_UNKNOWN_FIELD',
      path: '/extra',
      message: 'The body has no member extra: the object is closed.',
      expected: null,
      detail: 'Remove /extra.',
    });
    const long = 'x'.repeat(5_000);
    const found = onlyFindingOf(body(z.strictObject({})), { field: { [long]: SECRET } });
    expect(found.message).toBe('/field has no member (5000 characters): the object is closed.');
    expect(JSON.stringify(found).length).toBeLessThan(300);
  });

  it('takes fault and remedy from a rule that states them', () => {
    const rule = z.string().refine(() => false, {
      error: 'another role',
      params: { fault: 'The role is taken.', remedy: 'Choose another role.' },
    });
    expect(onlyFindingOf(body(rule), { field: SECRET })).toMatchObject({
      message: 'The role is taken.',
      expected: 'another role',
      detail: 'Choose another role.',
    });
  });

  it('has a message that differs from its remedy', () => {
    for (const value of [{}, { field: 7 }, { field: 'a', extra: 1 }])
      for (const { message, remediation } of findingsOf(body(z.string()), value))
        expect(remediation.detail).not.toBe(message);
  });
});
