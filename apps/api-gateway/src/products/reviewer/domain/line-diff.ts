import type { DiffHunk } from '@launch/contracts/modules';
import { diffArrays, type ArrayChange } from 'diff';

type Line = DiffHunk['lines'][number];

/** One difference between two texts: the lines from one place to another, counted from 0, of each. */
interface Change {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The work and output that remain for all comparisons of one answer. */
export interface DiffBudget {
  /** Pairs of lines that may be compared. Once it is used up, a difference is one replacement. */
  comparisons: number;
  /** Lines and characters of all hunks. A file whose hunks hold more has none. */
  lines: number;
  characters: number;
}

/** Lines that two texts may differ by, which bounds the memory of a comparison; beyond it the middle is one replacement. */
const MAX_EDITS = 1_000;

/** The lines of a text, as the compiler counts them; an end of line at the end of the text begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Returns the difference of two texts, line by line: a shortest edit script between the equal ends.
 *
 * @param context equal lines to include around a change.
 * @param budget is spent; null when the hunks hold more than it has left.
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

/** Ends a comparison whose answer has no comparisons left. */
class ComparisonsSpent extends Error {
  override readonly name = 'ComparisonsSpent';
}

/**
 * Finds a shortest edit script. Lines are numbers that are equal for equal lines. Null beyond `MAX_EDITS` or the budget,
 * which counts comparisons: a deadline would let the answer depend on the load of the machine.
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

/** Joins edits without an equal line between them. */
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

/** Changes with the equal lines around them; those whose equal lines touch are one hunk. */
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
