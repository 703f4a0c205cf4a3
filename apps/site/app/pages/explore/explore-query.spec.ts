import { describe, expect, it } from '@jest/globals';
import { exploreAddress, readExploreQuery } from './explore-query.js';

const read = (search: string) => readExploreQuery(new URLSearchParams(search));
const DEFAULT = { q: '', mode: 'all', sort: 'newest', pageSize: 10, page: 1 };

describe('The address of the list of coins', () => {
  it.each([
    ['', DEFAULT],
    ['?q=&mode=all&sort=newest&pageSize=10', DEFAULT],
    ['?utm_source=elsewhere', DEFAULT],
    [
      '?q=+atlas+&mode=custom&sort=name&pageSize=50&page=3',
      { q: 'atlas', mode: 'custom', sort: 'name', pageSize: 50, page: 3 },
    ],
  ])('%j asks for %j', (search, query) => {
    expect(read(search)).toMatchObject({ query, faults: {} });
  });

  it.each([
    ['?mode=foo', 'mode'],
    ['?sort=volume', 'sort'],
    ['?pageSize=25', 'pageSize'],
    ['?page=0', 'page'],
    ['?page=1e3', 'page'],
    ['?page=100000', 'page'],
    [`?q=${'a'.repeat(65)}`, 'q'],
    ['?q=a%00b', 'q'],
  ])('%j names the field that is wrong', (search, field) => {
    const { query, faults } = read(search);
    expect(query).toBeNull();
    expect(Object.keys(faults)).toEqual([field]);
  });

  it('shows U+0000 as an unreadable character, because a page cannot contain it', () => {
    expect(read('?q=a%00b').given.q).toBe('a\ufffdb');
  });

  it('names every wrong field at once', () => {
    expect(Object.keys(read('?mode=x&sort=y&pageSize=z&page=-1').faults)).toEqual(['mode', 'sort', 'pageSize', 'page']);
  });

  it('counts characters as a reader does', () => {
    expect(read(`?q=${encodeURIComponent('🚀'.repeat(64))}`).query?.q).toBe('🚀'.repeat(64));
  });

  it('is read back as the query that it was made for, and leaves defaults out', () => {
    const query = { q: 'a&b=ü', mode: 'module', sort: 'oldest', pageSize: 50, page: 7 } as const;
    const { search } = new URL(exploreAddress(query), 'https://launch.example');
    expect(read(search).query).toEqual(query);
    expect(exploreAddress(query, { q: '', mode: 'all', sort: 'newest', pageSize: 10, page: 1 })).toBe('/');
  });
});
