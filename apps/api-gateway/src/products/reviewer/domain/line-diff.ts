import type { DiffHunk } from '@launch/contracts/modules';

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
  /** Pairs of lines that may be compared. Once it is used up, what differs is one replacement. */
  comparisons: number;
  /** Lines and characters of all hunks. A file whose hunks hold more has none. */
  lines: number;
  characters: number;
}

/** Lines that two texts may differ by, which bounds the memory of a comparison; beyond it the middle is one replacement. */
const MAX_EDITS = 2_000;

/** The lines of a text, as the compiler counts them; an end of line at the end of the text begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Returns what leads from one text to another, line by line: a shortest edit script between the equal ends (Myers).
 * @param context equal lines that are told around a change.
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
  const numbered = (lines: readonly string[], to: number): Uint32Array =>
    Uint32Array.from({ length: to - head }, (_, index) => {
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

/**
 * Finds a shortest edit script by the greedy algorithm of E. W. Myers, "An O(ND) difference algorithm" (1986). Lines are
 * numbers that are equal for equal lines. Null beyond `MAX_EDITS` or the budget.
 */
function shortestEdit(before: Uint32Array, after: Uint32Array, budget: DiffBudget): Change[] | null {
  const [oldLength, newLength] = [before.length, after.length];
  const most = Math.min(oldLength + newLength, MAX_EDITS);
  /** The furthest old line on each diagonal `old - new`, and what it was after each number of edits. */
  const furthest = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  const at = (diagonal: number): number => diagonal + most + 1;
  for (let edits = 0; edits <= most; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isInsertion =
        diagonal === -edits || (diagonal !== edits && furthest[at(diagonal - 1)]! < furthest[at(diagonal + 1)]!);
      let old = isInsertion ? furthest[at(diagonal + 1)]! : furthest[at(diagonal - 1)]! + 1;
      const begun = old;
      let now = old - diagonal;
      while (old < oldLength && now < newLength && before[old] === after[now]) {
        old += 1;
        now += 1;
      }
      furthest[at(diagonal)] = old;
      budget.comparisons -= 1 + old - begun;
      if (old >= oldLength && now >= newLength) return changesAlong(trace, edits, oldLength, newLength);
      if (budget.comparisons < 0) return null;
    }
    trace.push(furthest.slice(at(-edits), at(edits) + 1));
  }
  return null;
}

/** Walks back from both ends, one edit a step, and joins edits without an equal line between them. */
function changesAlong(trace: readonly Int32Array[], edits: number, oldEnd: number, newEnd: number): Change[] {
  const changes: Change[] = [];
  let [old, now] = [oldEnd, newEnd];
  for (let step = edits; step > 0; step -= 1) {
    // The row of the edits before: diagonals -(step - 1) to step - 1.
    const row = trace[step - 1]!;
    const reached = (diagonal: number): number => row[diagonal + step - 1] ?? -1;
    const diagonal = old - now;
    const isInsertion = diagonal === -step || (diagonal !== step && reached(diagonal - 1) < reached(diagonal + 1));
    const [oldFrom, newFrom] = isInsertion
      ? [reached(diagonal + 1), reached(diagonal + 1) - (diagonal + 1)]
      : [reached(diagonal - 1), reached(diagonal - 1) - (diagonal - 1)];
    const [oldTo, newTo] = isInsertion ? [oldFrom, newFrom + 1] : [oldFrom + 1, newFrom];
    const next = changes.at(-1);
    if (next?.oldFrom === oldTo && next.newFrom === newTo) changes[changes.length - 1] = { ...next, oldFrom, newFrom };
    else changes.push({ oldFrom, oldTo, newFrom, newTo });
    [old, now] = [oldFrom, newFrom];
  }
  return changes.reverse();
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
  let told = 0;
  const tell = (kind: Line['kind'], from: readonly string[], start: number, end: number): boolean => {
    for (let index = start; index < end; index += 1) {
      const text = from[index]!;
      left.lines -= 1;
      left.characters -= text.length;
      if (left.lines < 0 || left.characters < 0) return false;
      lines.push({ kind, text });
    }
    told = from === before ? end : told;
    return true;
  };
  for (const [index, { oldFrom, oldTo, newFrom, newTo }] of changes.entries()) {
    const start = Math.max(oldFrom - context, told, 0);
    if (index === 0 || start > told) {
      lines = [];
      hunks.push({ oldStart: start + 1, newStart: newFrom - (oldFrom - start) + 1, lines });
    }
    const next = changes[index + 1]?.oldFrom ?? before.length;
    const isTold =
      tell('same', before, start, oldFrom) &&
      tell('removed', before, oldFrom, oldTo) &&
      tell('added', after, newFrom, newTo) &&
      tell('same', before, oldTo, Math.min(oldTo + context, next));
    if (!isTold) return null;
  }
  budget.lines = left.lines;
  budget.characters = left.characters;
  return hunks;
}
