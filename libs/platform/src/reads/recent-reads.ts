/** Answers what was read under the key before, or reads it now. */
export type RecentReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Keeps the last few answers of reads whose answer under a key never changes, such as blobs by their hash. A failed read
 * is not kept.
 * @param kept how many answers stay; the one that was asked for longest ago goes first.
 */
export function recentReads<T>(kept: number): RecentReads<T> {
  const recent = new Map<string, { readonly answer: T }>();
  return async (key, read) => {
    const known = recent.get(key) ?? { answer: await read() };
    recent.delete(key);
    recent.set(key, known);
    const [oldest] = recent.keys();
    if (recent.size > kept && oldest !== undefined) recent.delete(oldest);
    return known.answer;
  };
}
