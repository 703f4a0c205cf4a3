const PAIR = 2;

const pairsOf = (name: string): ReadonlySet<string> => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_none, at) => plain.slice(at, at + PAIR)));
};

/** Returns the names that share most pairs of letters with a wanted one, the nearest first, at most `limit`. */
export function nearNames(wanted: string, names: readonly string[], limit = 5): string[] {
  const pairs = pairsOf(wanted);
  return names
    .map((name) => {
      const own = pairsOf(name);
      const shared = [...pairs].filter((pair) => own.has(pair)).length;
      return { name, likeness: (2 * shared) / Math.max(1, pairs.size + own.size) };
    })
    .filter(({ likeness }) => likeness >= 0.3)
    .toSorted((left, right) => right.likeness - left.likeness)
    .slice(0, limit)
    .map(({ name }) => name);
}
