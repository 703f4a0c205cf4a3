import type { DiffHunk } from '@launch/contracts/modules';
import { diffArrays, type ArrayChange } from 'diff';

type Line = DiffHunk['lines'][number];

/** One difference between two texts: a range of lines in each, counted from 0. */
interface Change {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The remaining budget of all comparisons of one answer. */
export interface DiffBudget {
  /** The number of pairs of lines that may still be compared. At 0, a difference is one replacement. */
  comparisons: number;
  /** The lines and characters that all hunks may still contain. A file whose hunks exceed them has none. */
  lines: number;
  characters: number;
}

/**
 * The largest edit distance that is searched, which bounds the memory of a comparison. Beyond it the middle is one
 * replacement.
 */
const MAX_EDITS = 1_000;

/** Splits a text into lines as the compiler counts them: a line break at the end of the text begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Returns the difference of two texts by lines: a shortest edit script between their equal ends.
 * @param context the number of equal lines to include around a change.
 * @param budget is reduced by the work and output of the difference.
 * @returns null when the hunks exceed the budget.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  context: number,
  budget: DiffBudget,
): DiffHunk[] | null {
  return hunksOf(changesOf(before, after, budget), before, after, context, budget);
}

function changesOf(before: readonly string[], after: readonly string[], budget: DiffBudget): Change[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const [oldTo, newTo] = [before.length - tail, after.length - tail];
  if (head === oldTo && head === newTo) return [];
  const whole: Change = { oldFrom: head, oldTo, newFrom: head, newTo };
  if (head === oldTo || head === newTo) return [whole];
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[], to: number): number[] =>
    Array.from({ length: to - head }, (_, index) => {
      const line = lines[head + index]!;
      const number = numbers.get(line) ?? numbers.size;
      if (number === numbers.size) numbers.set(line, number);
      return number;
    });
  const changes = shortestEdit(numbered(before, oldTo), numbered(after, newTo), budget);
  if (changes === null) return [whole];
  return changes.map((change) => ({
    oldFrom: head + change.oldFrom,
    oldTo: head + change.oldTo,
    newFrom: head + change.newFrom,
    newTo: head + change.newTo,
  }));
}

/** Thrown when the answer has no comparisons left. */
class ComparisonsSpent extends Error {
  override readonly name = 'ComparisonsSpent';
}

/**
 * Finds a shortest edit script. Equal lines have equal numbers. Returns null beyond `MAX_EDITS` or the budget, which
 * counts comparisons: with a deadline the answer would depend on the load of the machine.
 */
function shortestEdit(before: number[], after: number[], budget: DiffBudget): Change[] | null {
  const comparator = (one: number, other: number): boolean => {
    if (budget.comparisons <= 0) throw new ComparisonsSpent();
    budget.comparisons -= 1;
    return one === other;
  };
  try {
    const parts = diffArrays(before, after, { comparator, maxEditLength: MAX_EDITS });
    return parts === undefined ? null : changesIn(parts);
  } catch (error) {
    if (error instanceof ComparisonsSpent) return null;
    throw error;
  }
}

/** Joins edits that have no equal line between them. */
function changesIn(parts: readonly ArrayChange<number>[]): Change[] {
  const changes: Change[] = [];
  let [old, now] = [0, 0];
  for (const { added, removed, count } of parts) {
    const change = { oldFrom: old, oldTo: old + (added ? 0 : count), newFrom: now, newTo: now + (removed ? 0 : count) };
    [old, now] = [change.oldTo, change.newTo];
    if (!added && !removed) continue;
    const last = changes.at(-1);
    if (last?.oldTo === change.oldFrom && last.newTo === change.newFrom)
      changes[changes.length - 1] = { ...last, oldTo: change.oldTo, newTo: change.newTo };
    else changes.push(change);
  }
  return changes;
}

/** Builds hunks of changes and the equal lines around them. Changes whose equal lines touch form one hunk. */
function hunksOf(
  changes: readonly Change[],
  before: readonly string[],
  after: readonly string[],
  context: number,
  budget: DiffBudget,
): DiffHunk[] | null {
  const hunks: DiffHunk[] = [];
  const left = { ...budget };
  let lines: Line[] = [];
  let printed = 0;
  const print = (kind: Line['kind'], from: readonly string[], start: number, end: number): boolean => {
    for (let index = start; index < end; index += 1) {
      const text = from[index]!;
      left.lines -= 1;
      left.characters -= text.length;
      if (left.lines < 0 || left.characters < 0) return false;
      lines.push({ kind, text });
    }
    printed = from === before ? end : printed;
    return true;
  };
  for (const [index, { oldFrom, oldTo, newFrom, newTo }] of changes.entries()) {
    const start = Math.max(oldFrom - context, printed, 0);
    if (index === 0 || start > printed) {
      lines = [];
      hunks.push({ oldStart: start + 1, newStart: newFrom - (oldFrom - start) + 1, lines });
    }
    const next = changes[index + 1]?.oldFrom ?? before.length;
    const fits =
      print('same', before, start, oldFrom) &&
      print('removed', before, oldFrom, oldTo) &&
      print('added', after, newFrom, newTo) &&
      print('same', before, oldTo, Math.min(oldTo + context, next));
    if (!fits) return null;
  }
  budget.lines = left.lines;
  budget.characters = left.characters;
  return hunks;
}
