import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { validate } from '../validation/validate.js';
import { reservedMember } from './reserved-member.js';
import { parseStrictJson } from './strict-json.parser.js';

const parsed = (text: string): unknown => parseStrictJson(new TextEncoder().encode(text));

describe('A member named __proto__', () => {
  it.each<[string, (string | number)[] | null]>([
    ['{"__proto__":1}', ['__proto__']],
    ['{"a":[0,{"b":{"__proto__":{}}}]}', ['a', 1, 'b', '__proto__']],
    ['{"a":{"__proto__":null,"b":1}}', ['a', '__proto__']],
    ['{"constructor":1,"prototype":["__proto__"],"a":"__proto__"}', null],
    ['[[],{},"",0,null,true]', null],
    ['"__proto__"', null],
  ])('The member named __proto__ of %s is at %j.', (text, path) => expect(reservedMember(parsed(text))).toEqual(path));

  it('is refused by every closed schema, including the schema of a record, which would drop it', () => {
    const schema = z.strictObject({ inputs: z.record(z.string(), z.unknown()) });
    expect(schema.safeParse(parsed('{"inputs":{"__proto__":{"a":1}}}'))).toMatchObject({
      success: true,
      data: { inputs: {} },
    });
    expect(validate(schema, parsed('{"inputs":{"__proto__":{"a":1}}}'))).toMatchObject({
      ok: false,
      findings: [{ code: 'SCHEMA_UNKNOWN_FIELD', path: '/inputs/__proto__' }],
    });
    expect(validate(schema, parsed('{"inputs":{"proto":{"a":1}}}'))).toMatchObject({
      ok: true,
      value: { inputs: { proto: { a: 1 } } },
    });
  });
});
