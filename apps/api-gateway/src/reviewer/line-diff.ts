import type { DiffHunk } from '@launch/contracts';

type Line = DiffHunk['lines'][number];

/** Cells of the table that is worth making; beyond it the differing middle is told as one replacement. */
const MAX_CELLS = 1_000_000;

/** The lines of a text, as the compiler counts them; an end of line at the end of the text begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * What leads from one text to another, line by line: a longest common subsequence between the equal ends.
 * @param context equal lines that are told around a change.
 */
export function diffLines(before: readonly string[], after: readonly string[], context: number): DiffHunk[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const script = [
    ...before.slice(0, head).map(same),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
  return hunksOf(script, context);
}

const same = (text: string): Line => ({ kind: 'same', text });
const removed = (text: string): Line => ({ kind: 'removed', text });
const added = (text: string): Line => ({ kind: 'added', text });

function middle(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS) return [...before.map(removed), ...after.map(added)];
  // The length of the longest common subsequence of what follows each pair of places.
  const longest = new Uint32Array((before.length + 1) * width);
  for (let old = before.length - 1; old >= 0; old -= 1)
    for (let now = after.length - 1; now >= 0; now -= 1)
      longest[old * width + now] =
        before[old] === after[now]
          ? longest[(old + 1) * width + now + 1]! + 1
          : Math.max(longest[(old + 1) * width + now]!, longest[old * width + now + 1]!);
  const script: Line[] = [];
  let [old, now] = [0, 0];
  while (old < before.length && now < after.length) {
    if (before[old] === after[now]) {
      script.push(same(before[old]!));
      old += 1;
      now += 1;
    } else if (longest[(old + 1) * width + now]! >= longest[old * width + now + 1]!) {
      script.push(removed(before[old]!));
      old += 1;
    } else {
      script.push(added(after[now]!));
      now += 1;
    }
  }
  return [...script, ...before.slice(old).map(removed), ...after.slice(now).map(added)];
}

function hunksOf(script: readonly Line[], context: number): DiffHunk[] {
  const isTold = new Uint8Array(script.length);
  for (const [index, { kind }] of script.entries())
    if (kind !== 'same') isTold.fill(1, Math.max(index - context, 0), index + context + 1);
  const hunks: { oldStart: number; newStart: number; lines: Line[] }[] = [];
  let [old, now] = [1, 1];
  for (const [index, line] of script.entries()) {
    if (isTold[index] === 1) {
      if (isTold[index - 1] !== 1) hunks.push({ oldStart: old, newStart: now, lines: [] });
      hunks.at(-1)?.lines.push(line);
    }
    if (line.kind !== 'added') old += 1;
    if (line.kind !== 'removed') now += 1;
  }
  return hunks;
}
