import { describe, expect, it } from '@jest/globals';
import { excerptOf, placeOf, requestOf, spanIn, tokenOf, valueAt } from './findings.js';
import { aFinding, aRequest, TOKEN_SOURCE } from './owned-launch.fixture.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The offset of a text in UTF-8 bytes, as solc counts. */
const offsetOf = (text: string): number => bytes(TOKEN_SOURCE.slice(0, TOKEN_SOURCE.indexOf(text))).length;

describe('The excerpt of a source', () => {
  it('marks the line of a span and shows two lines around it', () => {
    const start = offsetOf('address public');
    const excerpt = excerptOf('src/Token.sol', bytes(TOKEN_SOURCE), start, start + 7)!;
    expect([excerpt.line, excerpt.column]).toEqual([6, 5]);
    expect(excerpt.lines.map(({ number }) => number)).toEqual([4, 5, 6, 7, 8]);
    expect(excerpt.lines.filter(({ isMarked }) => isMarked)).toEqual([
      { number: 6, text: '    address public owner;', isMarked: true },
    ]);
  });

  it('counts offsets in bytes, not in characters', () => {
    const start = offsetOf('uint256');
    expect(start).toBeGreaterThan(TOKEN_SOURCE.indexOf('uint256'));
    expect(excerptOf('a', bytes(TOKEN_SOURCE), start, start + 7)).toMatchObject({ line: 5, column: 5 });
  });

  it('marks each line of a longer span, at most eight', () => {
    const marked = (source: string): number =>
      excerptOf('a', bytes(source), 0, bytes(source).length)!.lines.filter(({ isMarked }) => isMarked).length;
    expect(marked('a\nb\nc')).toBe(3);
    expect(marked('x\n'.repeat(50))).toBe(8);
  });

  it('reads lines that end with CR LF, and a span at the very end', () => {
    expect(excerptOf('a', bytes('one\r\ntwo\r\n'), 5, 8)).toMatchObject({ line: 2, column: 1 });
    expect(excerptOf('a', bytes('one'), 3, 3)).toMatchObject({ line: 1, column: 4 });
    expect(excerptOf('a', bytes(''), 0, 0)?.lines).toEqual([{ number: 1, text: '', isMarked: true }]);
  });

  it('does not exist for a span outside the source', () => {
    for (const [start, end] of [
      [99, 100],
      [-1, 2],
      [3, 1],
    ] as const)
      expect(excerptOf('a', bytes('short'), start, end)).toBeNull();
  });

  it('cuts a line that no page can show', () => {
    expect(excerptOf('a', bytes('x'.repeat(5_000)), 0, 1)!.lines[0]!.text).toHaveLength(401);
  });
});

describe('The place of a finding', () => {
  it('is the source line that the compiler names', () => {
    const start = offsetOf('address public');
    const finding = aFinding({ actual: `ParserError 2314 at src/Token.sol:${start}-${start + 7}` });
    expect(placeOf(finding, aRequest())).toMatchObject({
      is: 'lines',
      excerpt: { file: 'src/Token.sol', line: 6, column: 5 },
    });
  });

  it('is the file alone if the span is not in the request', () => {
    expect(placeOf(aFinding({ actual: 'ParserError in src/Token.sol' }), aRequest())).toEqual({
      is: 'file',
      file: 'src/Token.sol',
    });
    expect(placeOf(aFinding({ actual: 'ParserError at src/Token.sol:9000-9001' }), aRequest())).toEqual({
      is: 'file',
      file: 'src/Token.sol',
    });
  });

  it('is the file that a manifest entry or an additional file names', () => {
    expect(placeOf({ path: '/source/manifest/0/sha256', actual: null }, aRequest())).toEqual({
      is: 'file',
      file: 'src/Token.sol',
    });
    expect(placeOf({ path: '/source/additionalFiles/0', actual: null }, aRequest())).toMatchObject({
      file: 'logo.png',
    });
  });

  it('is the value at the pointer for any other path', () => {
    expect(placeOf({ path: '/budgets/maxGasCostWei', actual: null }, aRequest())).toEqual({ is: 'value', text: '"1"' });
  });

  it('is unknown for the whole request, a missing member and a request that cannot be read', () => {
    expect(placeOf({ path: '', actual: null }, aRequest())).toBeNull();
    expect(placeOf({ path: '/budgets/none', actual: null }, aRequest())).toBeNull();
    expect(placeOf({ path: '/budgets', actual: null }, requestOf(bytes('{')))).toBeNull();
  });

  it('keeps the name of a file with colons and spaces', () => {
    expect(spanIn('ParserError 1 at a at b:c.sol:1-2')).toEqual({ file: 'a at b:c.sol', span: [1, 2] });
    expect(spanIn('no place')).toBeNull();
  });

  it('reads escaped members of a pointer, and none that an object inherits', () => {
    expect(valueAt({ 'a/b': { '~': 1 } }, '/a~1b/~0')).toBe(1);
    expect(valueAt({}, '/constructor')).toBeUndefined();
  });
});

describe('The token of a request', () => {
  const native = `0x${'0'.repeat(40)}`;
  const pool = (currency0: string, currency1: string): unknown => ({
    graphBundle: { officialPool: { poolKey: { currency0, currency1 } } },
  });

  it('is the currency beside the native one', () => {
    expect(tokenOf(pool(native, '0xaa'))).toBe('0xaa');
  });

  it('is unknown for a pool of two tokens and for a request without a pool', () => {
    expect(tokenOf(pool('0xaa', '0xbb'))).toBeNull();
    expect(tokenOf(null)).toBeNull();
  });
});
