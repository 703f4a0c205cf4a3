import { describe, expect, it } from '@jest/globals';
import { isBase64 } from './base64.js';

/** The rule as a regular expression says it. */
const byPattern = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

describe('base64', () => {
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
    ['AAA\u0000', false],
  ])('%j: %s', (text, accepted) => expect([isBase64(text), byPattern(text)]).toEqual([accepted, accepted]));

  it('is what the pattern says of every text of up to eight characters that lie at its edges', () => {
    const characters = ['A', '/', '=', ' ', '-'];
    let texts = [''];
    for (let length = 1; length <= 6; length += 1) {
      texts = texts.flatMap((text) => characters.map((character) => text + character));
      const padded = texts.flatMap((text) => [text, `AA${text}`]);
      expect(padded.filter((text) => isBase64(text) !== byPattern(text))).toEqual([]);
    }
  });
});
