import { CollectorError } from '../collector.errors.js';

/** The elements of several sequences with the same key. */
export interface Group<T> {
  readonly key: string;
  readonly members: readonly T[];
}

/**
 * Merges sequences with ascending keys into groups with ascending keys. Holds one element of each sequence.
 * @throws CollectorError `ORDER_BROKEN`
 */
export async function* grouped<T>(
  sequences: readonly AsyncIterable<T>[],
  keyOf: (one: T) => string,
): AsyncIterable<Group<T>> {
  const heads = await Promise.all(
    sequences.map(async (sequence) => {
      const rest = sequence[Symbol.asyncIterator]();
      return { rest, next: await rest.next() };
    }),
  );
  for (;;) {
    const keys = heads.flatMap(({ next }) => (next.done === true ? [] : [keyOf(next.value)]));
    const key = keys.reduce<string | undefined>(
      (least, one) => (least === undefined || one < least ? one : least),
      undefined,
    );
    if (key === undefined) return;
    const members: T[] = [];
    for (const head of heads) {
      if (head.next.done === true || keyOf(head.next.value) !== key) continue;
      members.push(head.next.value);
      head.next = await head.rest.next();
      if (head.next.done !== true && keyOf(head.next.value) <= key)
        throw new CollectorError('ORDER_BROKEN', 'a listing is not in ascending order of digests');
    }
    yield { key, members };
  }
}

/** Adds to each group whether its key is one of the ascending references. */
export async function* withReferences<T>(
  groups: AsyncIterable<Group<T>>,
  references: AsyncIterable<string>,
): AsyncIterable<Group<T> & { readonly isReferenced: boolean }> {
  const rest = references[Symbol.asyncIterator]();
  let reference = await rest.next();
  for await (const group of groups) {
    while (reference.done !== true && reference.value < group.key) reference = await rest.next();
    yield { ...group, isReferenced: reference.done !== true && reference.value === group.key };
  }
}
