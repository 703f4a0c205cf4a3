import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertCanonicalJson, canonicalJsonText, canonicalizeJson, isCanonical } from './canonical-json.js';
import { StrictJsonError } from './strict-json.error.js';
import { parseJudgingForm, parseStrictJson } from './strict-json.parser.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

const vectors = new URL('../../testdata/jcs/', import.meta.url);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function refusal(run: () => unknown): { code: string; offset: number; path: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { code: error.code, offset: error.offset, path: error.path };
  }
}

describe('Canonical JSON', () => {
  const names = readdirSync(new URL('input/', vectors)).sort();

  it('is tested with all vectors of RFC 8785', () => expect(names).toHaveLength(6));

  it.each(names)('equals the RFC 8785 vector %s', (name) => {
    const input = new Uint8Array(readFileSync(new URL(`input/${name}`, vectors)));
    const hex = readFileSync(new URL(`outhex/${name.replace('.json', '.txt')}`, vectors), 'utf8').replace(/\s+/g, '');
    const canonical = canonicalizeJson(parseStrictJson(input));
    expect(Buffer.from(canonical).toString('hex')).toBe(hex);
    expect(isCanonical(canonical)).toBe(true);
    expect(Buffer.from(canonical).toString('utf8')).toBe(readFileSync(new URL(`output/${name}`, vectors), 'utf8'));
  });
});

describe('Canonical JSON of numbers', () => {
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the bits %s of appendix B as %s', (bits, text) => {
    const value = new DataView(Uint8Array.from(Buffer.from(bits, 'hex')).buffer).getFloat64(0);
    expect(canonicalJsonText(value)).toBe(text);
  });
});

describe('A value without canonical form', () => {
  it.each([
    ['undefined', undefined, 'JSON_VALUE_UNSUPPORTED', ''],
    ['an undefined member', { a: { b: undefined } }, 'JSON_VALUE_UNSUPPORTED', '/a/b'],
    ['NaN', [Number.NaN], 'JSON_VALUE_UNSUPPORTED', '/0'],
    ['an infinity', [1, Number.POSITIVE_INFINITY], 'JSON_VALUE_UNSUPPORTED', '/1'],
    ['a bigint', 1n, 'JSON_VALUE_UNSUPPORTED', ''],
    ['a hole', [, 1], 'JSON_VALUE_UNSUPPORTED', '/0'],
    ['a date', { at: new Date(0) }, 'JSON_VALUE_UNSUPPORTED', '/at'],
    ['a typed array', new Uint8Array(1), 'JSON_VALUE_UNSUPPORTED', ''],
    ['a lone surrogate', ['\ud800'], 'JSON_LONE_SURROGATE', '/0'],
  ])('is refused with its path for %s', (_name, value, code, path) => {
    expect(refusal(() => canonicalJsonText(value))).toEqual({ code, offset: 0, path });
  });

  it('is refused with its path for a cycle', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(refusal(() => canonicalJsonText(cycle))?.code).toBe('JSON_DEPTH_EXCEEDED');
  });
});

describe('Bytes that must be canonical', () => {
  it.each([
    ['white space', '{"a": 1}', 5],
    ['order', '{"b":1,"a":2}', 2],
    ['a needless escape', '["\\u0061"]', 2],
    ['a capital escape', '["\\u001F"]', 7],
    ['an escaped solidus', '["\\/"]', 2],
    ['a long escape where there is a short one', '["\\u000a"]', 3],
    ['an escaped pair of surrogates', '["\\ud83d\\ude00"]', 2],
    ['a number with a needless digit', '[1.0]', 2],
    ['negative zero', '[-0]', 1],
    ['a trailing newline', '{}\n', 2],
    ['an order by code point that differs from UTF-16', '{"\uffee":1,"😀":2}', 2],
  ])('are refused for %s at the first byte that differs', (_name, text, offset) => {
    expect(refusal(() => assertCanonicalJson(utf8(text)))).toEqual({ code: 'JSON_NOT_CANONICAL', offset, path: '' });
    expect(isCanonical(utf8(text))).toBe(false);
  });

  it('are refused with the form faults of the parser', () => {
    expect(refusal(() => assertCanonicalJson(utf8('{"a":1,"a":1}')))?.code).toBe('JSON_DUPLICATE_KEY');
    expect(isCanonical(utf8('nope'))).toBe(false);
  });

  it('are returned as their value', () => {
    expect(assertCanonicalJson(utf8('["a",1]'))).toEqual(['a', 1]);
  });
});

describe('Canonical JSON of any value', () => {
  it('is a fixed point that keeps the value and does not depend on member order', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
        const canonical = canonicalizeJson(value);
        expect(isCanonical(canonical)).toBe(true);
        expect(canonicalizeJson(parseStrictJson(canonical))).toEqual(canonical);
        expect(canonicalizeJson(reversed(value))).toEqual(canonical);
        expect(JSON.parse(new TextDecoder().decode(canonical))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { verbose: 1, numRuns: 100 * FUZZ_FACTOR },
    );
  });

  it('is recognised while a text is read exactly as by writing the text again', () => {
    const noise = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 24 });
    const runs = 2_000 * FUZZ_FACTOR;
    let differing = 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), noise, (value, choices) => {
        const bytes = utf8(written(value, choices));
        const { value: read, canonical } = parseJudgingForm(bytes);
        const same = Buffer.from(canonicalizeJson(read)).equals(bytes);
        if (!same) differing += 1;
        expect(canonical).toBe(same);
      }),
      { verbose: 1, numRuns: runs },
    );
    expect(differing).toBeGreaterThan(0.05 * runs);
    expect(differing).toBeLessThan(0.95 * runs);
  });
});

/** Writes a value in one of its many JSON forms; choices that are mostly zero give the canonical one. */
function written(value: unknown, choices: readonly number[]): string {
  let at = 0;
  const choice = (): number => choices[(at += 1) % choices.length]!;
  const space = (): string => ['', '', '', '', '', '', '', '', ' ', '\n'][choice()]!;
  const string = (text: string): string =>
    `"${[
      ...JSON.stringify(text)
        .slice(1, -1)
        .matchAll(/\\u[0-9a-f]{4}|\\.|[^]/gu),
    ]
      .map(([unit]) => {
        if (unit.length === 6 && choice() > 8) return unit.toUpperCase().replace('U', 'u');
        if (unit.length === 1 && choice() > 8)
          return unit === '/' ? '\\/' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
        return unit === '\\n' && choice() > 8 ? '\\u000a' : unit;
      })
      .join('')}"`;
  const number = (real: number): string => {
    const text = String(real);
    const other = [
      `${text}${/[.e]/.test(text) ? '' : '.0'}`,
      real.toExponential(),
      text.replace('e+', 'e'),
      real === 0 ? '-0' : text,
    ][choice()];
    return other ?? text;
  };
  const write = (one: unknown): string => {
    if (typeof one === 'string') return string(one);
    if (typeof one === 'number') return choice() > 6 ? number(one) : String(one);
    if (Array.isArray(one)) return `[${space()}${one.map(write).join(`${space()},`)}]`;
    if (typeof one !== 'object' || one === null) return `${JSON.stringify(one)}${space()}`;
    const members = Object.entries(one);
    const ordered = choice() > 7 ? members : members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${ordered.map(([name, member]) => `${string(name)}${space()}:${write(member)}`).join(',')}}`;
  };
  return write(value);
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value).reverse()) copy[name] = reversed(member);
  return copy;
}
