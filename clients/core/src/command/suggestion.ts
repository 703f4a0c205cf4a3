/** Returns the candidate that a mistyped word most likely means, or null if none is close. */
export function suggestionFor(typed: string, candidates: readonly string[]): string | null {
  const completed = typed.length < 3 ? [] : candidates.filter((one) => one.startsWith(typed));
  if (completed.length === 1) return completed[0]!;
  let best: string | null = null;
  // A third of the letters may differ.
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = distanceOf(typed, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Returns the number of letters to insert, delete, replace, or swap with their neighbour. */
function distanceOf(left: string, right: string): number {
  const rows: number[][] = [[...right, ''].map((_, column) => column)];
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped =
        left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
          ? (rows[row - 2]?.[column - 2] ?? Infinity) + 1
          : Infinity;
      current.push(
        Math.min(rows[row - 1]![column]! + 1, current[column - 1]! + 1, rows[row - 1]![column - 1]! + cost, swapped),
      );
    }
    rows.push(current);
  }
  return rows[left.length]![right.length]!;
}
