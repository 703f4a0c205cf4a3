/** Returns the candidate that a mistyped word most likely means, or null if none is close. */
export function suggestionFor(typed: string, candidates: readonly string[]): string | null {
  const completed = typed.length < 3 ? [] : candidates.filter((one) => one.startsWith(typed));
  if (completed.length === 1) return completed[0]!;
  // A third of the letters may differ. Of two candidates as close, the one that begins like the typed word is meant.
  const most = Math.max(1, Math.floor(typed.length / 3));
  const close = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(typed, candidate), shared: sharedStart(typed, candidate) }))
    .filter(({ distance }) => distance <= most)
    .sort((left, right) => left.distance - right.distance || right.shared - left.shared);
  return close[0]?.candidate ?? null;
}

/** Returns the number of letters that two words begin with alike. */
function sharedStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
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
