import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { PageCache, type Page } from './page-cache.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Creates a cache of pages over a list whose version the test moves; `read` has the name of every page that was read. */
function cacheOf(options?: ConstructorParameters<typeof PageCache>[0]) {
  const list = { version: '1', asked: 0, read: [] as string[] };
  const cache = new PageCache(options);
  const bytesOf = (name: string, isFinal = false): Promise<Uint8Array> =>
    cache.bytesOf({
      name,
      async version() {
        list.asked += 1;
        return list.version;
      },
      async read(): Promise<Page> {
        list.read.push(name);
        return { body: { version: list.version, name }, isFinal };
      },
    });
  return { list, bytesOf };
}

afterEach(() => void jest.useRealTimers());

describe('PageCache', () => {
  it('returns a page as canonical JSON, in the same memory until its version changes', async () => {
    const { list, bytesOf } = cacheOf();
    const first = await bytesOf('a');
    expect(text(first)).toBe('{"name":"a","version":"1"}');
    expect(await bytesOf('a')).toBe(first);
    list.version = '2';
    expect(text(await bytesOf('a'))).toBe('{"name":"a","version":"2"}');
    expect(list.read).toEqual(['a', 'a']);
  });

  it('never reads a final page or its version again', async () => {
    const { list, bytesOf } = cacheOf();
    const first = await bytesOf('a', true);
    list.version = '2';
    expect(await bytesOf('a', true)).toBe(first);
    expect([list.asked, list.read]).toEqual([1, ['a']]);
  });

  it('does not mix two pages', async () => {
    const { bytesOf } = cacheOf();
    const read = async () => (await Promise.all([bytesOf('a'), bytesOf('b', true), bytesOf('a')])).map(text);
    const [a, b] = ['{"name":"a","version":"1"}', '{"name":"b","version":"1"}'];
    expect([await read(), await read()]).toEqual([
      [a, b, a],
      [a, b, a],
    ]);
  });

  it('reads a page and its version once for all concurrent requests', async () => {
    const { list, bytesOf } = cacheOf();
    const answers = await Promise.all(Array.from({ length: 50 }, () => bytesOf('a')));
    expect([new Set(answers).size, list.asked, list.read]).toEqual([1, 1, ['a']]);
    await bytesOf('a');
    expect(list.asked).toBe(2);
  });

  it('rejects the requests that wait for a failed version, and reads it again for the next one', async () => {
    const cache = new PageCache();
    const read = async (): Promise<Page> => ({ body: ['back'] });
    const page = (version: () => Promise<string>) => cache.bytesOf({ name: 'a', version, read });
    const failing = () => Promise.reject(new Error('the database is away'));
    const answers = await Promise.allSettled([page(failing), page(failing)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(text(await page(async () => '1'))).toBe('["back"]');
  });

  it('rejects the requests that wait for a failed read, and reads again for the next one', async () => {
    const cache = new PageCache();
    const page = (read: () => Promise<Page>) => cache.bytesOf({ name: 'a', version: async () => '1', read });
    const failing = () => Promise.reject(new Error('the database is away'));
    const answers = await Promise.allSettled([page(failing), page(failing)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(text(await page(async () => ({ body: ['back'] })))).toBe('["back"]');
  });

  it('evicts the least recently used page when it has the most that it may have', async () => {
    const { list, bytesOf } = cacheOf({ maxPages: 2 });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await bytesOf(name, true);
    expect(list.read).toEqual(['a', 'b', 'c', 'b']);
  });

  it('reads a page anew after its maximum age, and not before', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate'] });
    const { list, bytesOf } = cacheOf({ maxAgeMs: 5_000 });
    await bytesOf('a');
    jest.setSystemTime(4_999);
    await bytesOf('a');
    expect(list.read).toEqual(['a']);
    jest.setSystemTime(5_000);
    await bytesOf('a');
    expect(list.read).toEqual(['a', 'a']);
  });
});
