import { expect, it } from '@jest/globals';
import { grouped, withReferences } from './merge.js';

async function* sequence<T>(values: readonly T[]): AsyncIterable<T> {
  for (const value of values) yield value;
}
async function gathered<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
const same = (one: string): string => one;
/** Every ascending sequence of some letters. */
const subsets = (letters: string): string[][] =>
  letters === '' ? [[]] : subsets(letters.slice(1)).flatMap((rest) => [rest, [letters.charAt(0), ...rest]]);

it('Sequences are merged in order, with the members of equal keys in one group.', async () => {
  const groups = await gathered(grouped([sequence(['a', 'c']), sequence<string>([]), sequence(['a', 'b'])], same));
  expect(groups).toEqual([
    { key: 'a', members: ['a', 'a'] },
    { key: 'b', members: ['b'] },
    { key: 'c', members: ['c'] },
  ]);
});

it('A key is referenced exactly if some sequence of references has it.', async () => {
  const all = subsets('abcd');
  for (const keys of all)
    for (const one of all)
      for (const other of all) {
        const references = (async function* () {
          for await (const { key } of grouped([sequence(one), sequence(other)], same)) yield key;
        })();
        const judged = await gathered(withReferences(grouped([sequence(keys)], same), references));
        expect(judged.map(({ key, isReferenced }) => [key, isReferenced])).toEqual(
          keys.map((key) => [key, one.includes(key) || other.includes(key)]),
        );
      }
});

it.each([
  ['descends', ['b', 'a']],
  ['repeats a key', ['a', 'a']],
])('A sequence that %s is reported instead of merged.', async (_, keys) => {
  await expect(gathered(grouped([sequence(keys)], same))).rejects.toMatchObject({ code: 'ORDER_BROKEN' });
});
