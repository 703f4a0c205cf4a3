import { describe, expect, it } from '@jest/globals';
import { decodeBase64 } from './base64.js';
import * as native from './base64.node.js';
import * as web from './base64.web.js';

/** The rule as a regular expression. */
const byPattern = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const DECODERS = [
  ['node', native.readBase64],
  ['web', web.readBase64],
] as const;

describe.each(DECODERS)('Base64 decoded by %s', (_platform, readBase64) => {
  const isBase64 = (text: string): boolean => readBase64(text) !== null;

  it.each([
    ['', true],
    ['AA==', true],
    ['AAA=', true],
    ['AAAA', true],
    ['+/+/', true],
    ['AB==', true],
    ['A===', false],
    ['====', false],
    ['AA=A', false],
    ['=AAA', false],
    ['AAA', false],
    ['AA', false],
    ['AA= ', false],
    [' AAA', false],
    ['AAA\n', false],
    ['AAAA    ', false],
    ['AA==    ', false],
    ['AAAAAA =', false],
    ['AA-_', false],
    ['AAAé', false],
    ['AAA\u0100', false],
    ['AAA\u0141', false],
    ['\u0141AA=', false],
    ['A-A=', false],
    ['AA_AAA==', false],
    ['AAA\u0000', false],
  ])('is judged alike by decoder and pattern: %j is base64: %s', (text, accepted) =>
    expect([isBase64(text), byPattern(text)]).toEqual([accepted, accepted]),
  );

  it('agrees with the pattern for every text of up to eight boundary characters', () => {
    const characters = ['A', '/', '=', ' ', '-', '\u0141'];
    let texts = [''];
    for (let length = 1; length <= 5; length += 1) {
      texts = texts.flatMap((text) => characters.map((character) => text + character));
      const padded = texts.flatMap((text) => [text, `AA${text}`]);
      expect(padded.filter((text) => isBase64(text) !== byPattern(text))).toEqual([]);
    }
  });

  it('gives bytes in memory of their own', () => {
    for (const length of [0, 1, 2, 3, 100, 4_096, 70_000]) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 31) % 251));
      const read = readBase64(bytes.toString('base64'));
      expect([read?.buffer.byteLength, Buffer.from(read ?? []).equals(bytes)]).toEqual([length, true]);
    }
  });
});

it('A text that is not base64 is not decoded.', () => expect(() => decodeBase64('AAA')).toThrow(TypeError));
