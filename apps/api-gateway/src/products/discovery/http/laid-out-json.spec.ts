import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { laidOut, laidOutJson } from './laid-out-json.js';

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

  it('keeps references apart from the text, and is the same text with them', () => {
    const schema = { anyOf: [{ $ref: '#/a' }, { items: { $ref: '#/b' }, description: 'A "$ref":"#/c" in a text.' }] };
    const pieces = laidOut(schema);
    expect(pieces.filter((piece) => typeof piece !== 'string')).toEqual([{ reference: '#/a' }, { reference: '#/b' }]);
    expect(laidOutJson(schema).replaceAll(/\n */g, '')).toBe(JSON.stringify(schema));
  });
});
