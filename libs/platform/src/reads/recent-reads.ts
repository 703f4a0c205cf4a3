/** Returns the cached answer for the key, or reads it now. */
export type RecentReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Caches the last few answers of reads whose answer for a key never changes, such as blobs by their hash. Does not
 * cache a failed read.
 * @param kept the number of cached answers; the least recently used one is evicted.
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
