import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { laidOutJson } from './laid-out-json.js';

describe('JSON laid out for a reader', () => {
  it('parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(laidOutJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('keeps short values on one line and gives each member of other values its own line', () => {
    const short = { type: 'string', maxLength: 4 };
    const long = { type: 'string', pattern: 'x'.repeat(100) };
    expect(laidOutJson({ short, long: [long] })).toBe(
      `{\n "short":${JSON.stringify(short)},\n "long":[\n  {\n   "type":"string",\n   "pattern":"${'x'.repeat(100)}"\n  }\n ]\n}`,
    );
  });
});
