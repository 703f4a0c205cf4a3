import { describe, expect, it } from '@jest/globals';
import { diffLines, linesOf, type DiffBudget } from './line-diff.js';

const budget = (given: Partial<DiffBudget> = {}): DiffBudget => ({
  comparisons: 10_000_000,
  lines: 20_000,
  characters: 2 * 1024 * 1024,
  ...given,
});
const hunksOf = (before: string, after: string, context = 1) =>
  diffLines(linesOf(before), linesOf(after), context, budget())?.map(
    ({ oldStart, newStart, lines }) =>
      `${oldStart},${newStart} ${lines.map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`).join('|')}`,
  );

describe('The difference of two texts', () => {
  it.each([
    ['equal texts', 'a\nb\n', 'a\nb\n', []],
    ['a changed line, with what stands around it', 'a\nb\nc\nd\n', 'a\nx\nc\nd\n', ['1,1  a|-b|+x| c']],
    ['changes far apart', 'a\nb\nc\nd\ne\n', 'x\nb\nc\nd\ny\n', ['1,1 -a|+x| b', '4,4  d|-e|+y']],
    ['changes whose surroundings touch', 'a\nb\nc\nd\n', 'x\nb\nc\ny\n', ['1,1 -a|+x| b| c|-d|+y']],
    ['a new text', '', 'a\nb\n', ['1,1 +a|+b']],
    ['a removed text', 'a\nb', '', ['1,1 -a|-b']],
    ['a moved line', 'a\nb\nc\n', 'b\nc\na\n', ['1,1 -a| b| c|+a']],
    ['another end of line', 'a\r\n', 'a\n', ['1,1 -a\r|+a']],
    ['inserted lines', 'a\nb\nc\nd\n', 'a\nb\nx\ny\nc\nd\n', ['2,2  b|+x|+y| c']],
  ])('The difference shows %s.', (_what, before, after, expected) => {
    expect(hunksOf(before, after)).toEqual(expected);
  });

  it('The difference of random texts has the fewest lines that lead from one to the other.', () => {
    let seed = Number(process.env['TEST_SEED'] ?? 29);
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const text = (): string[] => Array.from({ length: random(14) }, () => 'abcd'[random(4)]!);
    for (let run = 0; run < 2_000; run += 1) {
      const [before, after] = [text(), text()];
      const hunks = diffLines(before, after, random(4), budget())!;
      const rebuilt: string[] = [];
      let read = 0;
      let edits = 0;
      for (const { oldStart, newStart, lines } of hunks) {
        rebuilt.push(...before.slice(read, oldStart - 1));
        read = oldStart - 1;
        expect(rebuilt.length).toBe(newStart - 1);
        for (const line of lines) {
          if (line.kind !== 'added') expect(before[read]).toBe(line.text);
          if (line.kind !== 'added') read += 1;
          if (line.kind !== 'removed') rebuilt.push(line.text);
          if (line.kind !== 'same') edits += 1;
        }
      }
      expect([...rebuilt, ...before.slice(read)]).toEqual(after);
      expect(edits).toBe(before.length + after.length - 2 * commonLength(before, after));
    }
  });

  it('The difference is one replacement when too many lines differ.', () => {
    const lines = (name: string) => Array.from({ length: 2_000 }, (_, index) => `${name}${index}`);
    const [hunk, ...more] = diffLines(lines('a'), lines('b'), 3, budget())!;
    expect([hunk?.lines.length, more]).toEqual([4_000, []]);
    expect(hunk?.lines.findIndex(({ kind }) => kind === 'added')).toBe(2_000);
  });

  it('The difference is one replacement once an answer has used up its comparisons.', () => {
    const spent = budget({ comparisons: 5 });
    const [before, after] = [linesOf('a\nb\nc\nd\ne'), linesOf('1\nb\n2\nd\n3')];
    expect(diffLines(before, after, 0, spent)).toEqual([expect.objectContaining({ oldStart: 1, newStart: 1 })]);
    expect(diffLines(before, after, 0, budget())).toHaveLength(3);
  });

  it('A difference that exceeds the limits of an answer has no hunks, and leaves the budget of other files unchanged.', () => {
    const few = budget({ lines: 5 });
    expect(diffLines([], ['a', 'b', 'c', 'd', 'e', 'f'], 3, few)).toBeNull();
    expect(diffLines([], ['a', 'b'], 3, few)).toHaveLength(1);
    expect(few.lines).toBe(3);
    expect(diffLines([], ['x'.repeat(100)], 3, budget({ characters: 99 }))).toBeNull();
  });

  it.each([
    ['a million empty lines each', '\n'.repeat(1_000_000), `x\n${'\n'.repeat(1_000_000)}y`],
    ['lines that alternate', 'a\nb\n'.repeat(250_000), 'b\na\n'.repeat(250_000)],
    ['lines of two kinds in another order', 'a\na\nb\n'.repeat(150_000), 'b\na\na\n'.repeat(150_000)],
    ['lines with long equal beginnings', `${'x'.repeat(2_000)}1\n`.repeat(500), `${'x'.repeat(2_000)}2\n`.repeat(500)],
    ['one long line', 'a'.repeat(1_000_000), 'b'.repeat(1_000_000)],
    ['lines that all differ', numbers(0), numbers(1_000_000)],
  ])('The difference is found within a budget: %s.', (_what, before, after) => {
    const spent = budget();
    diffLines(linesOf(before), linesOf(after), 3, spent);
    expect(spent.comparisons).toBeGreaterThanOrEqual(0);
  });
});

function numbers(from: number): string {
  return Array.from({ length: 100_000 }, (_, index) => from + index).join('\n');
}

function commonLength(before: readonly string[], after: readonly string[]): number {
  let row = Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [index, other] of after.entries())
      next.push(line === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    row = next;
  }
  return row.at(-1)!;
}
