/** Maps items by several works at once, and returns the results in the order of the items. */
export async function severalAtOnce<Item, Result>(
  items: readonly Item[],
  works: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const open = items.entries();
  await Promise.all(
    Array.from({ length: works }, async () => {
      for (const [index, item] of open) results[index] = await work(item);
    }),
  );
  return results;
}
