import { describe, expect, it } from '@jest/globals';
import { FeedPages, type FeedPage } from './feed-pages.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (page: Uint8Array) => new TextDecoder().decode(page);

/** Creates pages over a feed whose head the test moves; `made` names each page that was made. */
function pages(maxBytes?: number) {
  const feed = { head: '1', asked: 0, made: [] as string[] };
  const kept = new FeedPages(async () => {
    feed.asked += 1;
    return feed.head;
  }, maxBytes);
  const read = async (name: string, full: boolean, content = `${name} at ${feed.head}`): Promise<string> =>
    text(
      await kept.read(name, async (): Promise<FeedPage> => {
        feed.made.push(name);
        return { bytes: bytes(content), full };
      }),
    );
  return { feed, read };
}

describe('pages of a feed', () => {
  it('that are full are made once and never read again', async () => {
    const { feed, read } = pages();
    expect(await read('a', true)).toBe('a at 1');
    feed.head = '2';
    expect([await read('a', true), await read('a', true)]).toEqual(['a at 1', 'a at 1']);
    expect([feed.asked, feed.made]).toEqual([1, ['a']]);
  });

  it('that can grow are made again only after a publication', async () => {
    const { feed, read } = pages();
    expect([await read('a', false), await read('a', false)]).toEqual(['a at 1', 'a at 1']);
    feed.head = '2';
    expect([await read('a', true), await read('a', true)]).toEqual(['a at 2', 'a at 2']);
    expect([feed.asked, feed.made]).toEqual([3, ['a', 'a']]);
  });

  it('are made once for all concurrent requests', async () => {
    const { feed, read } = pages();
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => read('a', false))))).toEqual(new Set(['a at 1']));
    expect([feed.asked <= 2, feed.made]).toEqual([true, ['a']]);
  });

  it('that could not be made are retried', async () => {
    const kept = new FeedPages(async () => '1');
    await expect(kept.read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(text(await kept.read('a', async () => ({ bytes: bytes('back'), full: true })))).toBe('back');
  });

  it('are evicted, least recently used first, when they hold too many bytes', async () => {
    // Each costs its bytes and an overhead: two fit.
    const { feed, read } = pages(4_000);
    const content = 'x'.repeat(1_000);
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await read(name, true, content);
    expect(feed.made).toEqual(['a', 'b', 'c', 'b']);
    // A page larger than the cache is served, not kept, and evicts nothing.
    for (const name of ['large', 'large', 'a', 'b']) await read(name, true, 'x'.repeat(5_000));
    expect(feed.made.slice(4)).toEqual(['large', 'large']);
  });
});
