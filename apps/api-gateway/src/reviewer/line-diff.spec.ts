import { describe, expect, it } from '@jest/globals';
import { diffLines, linesOf } from './line-diff.js';

const told = (before: string, after: string, context = 1) =>
  diffLines(linesOf(before), linesOf(after), context).map(
    ({ oldStart, newStart, lines }) =>
      `${oldStart},${newStart} ${lines.map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`).join('|')}`,
  );

describe('the difference of two texts', () => {
  it.each([
    ['equal texts', 'a\nb\n', 'a\nb\n', []],
    ['a changed line, with what stands around it', 'a\nb\nc\nd\n', 'a\nx\nc\nd\n', ['1,1  a|-b|+x| c']],
    ['changes far apart', 'a\nb\nc\nd\ne\n', 'x\nb\nc\nd\ny\n', ['1,1 -a|+x| b', '4,4  d|-e|+y']],
    ['a new text', '', 'a\nb\n', ['1,1 +a|+b']],
    ['a removed text', 'a\nb', '', ['1,1 -a|-b']],
    ['a moved line', 'a\nb\nc\n', 'b\nc\na\n', ['1,1 -a| b| c|+a']],
    ['another end of line', 'a\r\n', 'a\n', ['1,1 -a\r|+a']],
  ])('tells of %s', (_what, before, after, expected) => {
    expect(told(before, after)).toEqual(expected);
  });

  it('of texts that are too long to compare is one replacement', () => {
    const lines = (name: string) => Array.from({ length: 2_000 }, (_, index) => `${name}${index}`);
    const [hunk, ...more] = diffLines(lines('a'), lines('b'), 3);
    expect([hunk?.lines.length, more]).toEqual([4_000, []]);
    expect(hunk?.lines.findIndex(({ kind }) => kind === 'added')).toBe(2_000);
  });
});
