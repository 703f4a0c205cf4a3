import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { canonicalJsonText } from '../json/index.js';
import { namedRecord } from './named-record.schema.js';

const schema = namedRecord(z.string().regex(/^\w+$/), z.strictObject({ start: z.number() }));
const placesOf = (value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('/'));

describe('A record whose names come from source code', () => {
  it('keeps a member of every name, including that of the prototype', () => {
    const text = '{"__proto__":{"start":1},"constructor":{"start":2},"toString":{"start":3},"x":{"start":4}}';
    const record = schema.parse(JSON.parse(text));
    expect(Object.keys(record)).toEqual(['__proto__', 'constructor', 'toString', 'x']);
    expect([canonicalJsonText(record), JSON.stringify(record)]).toEqual([text, text]);
    expect(record['valueOf']).toBeUndefined();
  });

  it.each([[null], ['text'], [[{ start: 1 }]], [undefined]])('is no %j', (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });

  it('names the place of each fault', () => {
    expect(placesOf(JSON.parse('{"__proto__":{"start":"1"},"a":{"start":1,"b":2},"a b":{"start":1}}'))).toEqual([
      '__proto__/start',
      'a',
      'a b',
    ]);
  });
});
