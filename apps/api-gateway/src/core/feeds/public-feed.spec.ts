import { describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { CursorCodec } from '@launch/http';
import { Secret } from '@launch/platform';
import { PublicFeed, type FeedFamily, type PublishedRow } from './public-feed.js';

const cursors = new CursorCodec(new Secret('the key of this deployment'));

interface FeedPage {
  readonly count: number;
  readonly items: readonly { readonly n: number }[];
  readonly nextCursor: string | null;
}

/** Creates a feed over records in memory. `reads` counts the pages that were read. */
function feedOf(count: number, path = '/feed') {
  const rows: PublishedRow[] = [];
  const publish = (): void => {
    const n = rows.length + 1;
    rows.push({ publicationNumber: String(n), record: canonicalJsonText({ n, text: '"},{"n":0,"é\u2028' }) });
  };
  for (let n = 0; n < count; n += 1) publish();
  const counted = { reads: 0 };
  const family: FeedFamily = {
    maxAgeMs: 0,
    hasFinalPages: false,
    version: async () => String(rows.length),
    async rows(limit, after) {
      counted.reads += 1;
      return rows.filter(({ publicationNumber: n }) => Number(n) > Number(after)).slice(0, limit + 1);
    },
    frame: async () => ({ count: rows.length, about: 'a frame' }),
  };
  const feed = new PublicFeed(path, family, cursors);
  const bytes = (limit: number, cursor?: string) => feed.list(cursor === undefined ? { limit } : { limit, cursor });
  const textOf = async (limit: number, cursor?: string) => new TextDecoder().decode(await bytes(limit, cursor));
  const page = async (limit: number, cursor?: string) => JSON.parse(await textOf(limit, cursor)) as FeedPage;
  return { rows, publish, counted, bytes, textOf, page };
}
const numbers = ({ items }: FeedPage): readonly number[] => items.map(({ n }) => n);

describe('PublicFeed', () => {
  it('writes a page as canonical JSON whose records have their published bytes', async () => {
    const { rows, textOf } = feedOf(3);
    const text = await textOf(3);
    expect(text).toBe(canonicalJsonText(JSON.parse(text)));
    for (const { record } of rows) expect(text).toContain(record);
  });

  it('ends a page of exactly the last records with null, and continues once another one is published', async () => {
    const { page, publish } = feedOf(4);
    expect(await page(4)).toMatchObject({ count: 4, nextCursor: null });
    publish();
    const first = await page(4);
    expect([numbers(first), first.nextCursor]).toEqual([[1, 2, 3, 4], expect.any(String)]);
    const second = await page(4, first.nextCursor ?? '');
    expect([numbers(second), second.nextCursor]).toEqual([[5], null]);
  });

  it('shows a new record on the page that can grow', async () => {
    const { page, publish } = feedOf(0);
    expect(await page(2)).toEqual({ about: 'a frame', count: 0, items: [], nextCursor: null });
    publish();
    expect(await page(2)).toMatchObject({ count: 1, items: [{ n: 1 }] });
  });

  it('keeps pages of other limits and positions apart, and reads each once while nothing is published', async () => {
    const { page, counted } = feedOf(5);
    const { nextCursor } = await page(2);
    for (let round = 0; round < 3; round += 1) {
      expect(numbers(await page(2))).toEqual([1, 2]);
      expect(numbers(await page(3))).toEqual([1, 2, 3]);
      expect(numbers(await page(2, nextCursor ?? ''))).toEqual([3, 4]);
    }
    expect(counted.reads).toBe(3);
  });

  it('returns equal pages in the same memory', async () => {
    const { bytes, publish } = feedOf(1);
    const first = await bytes(2);
    expect(await bytes(2)).toBe(first);
    publish();
    expect(await bytes(2)).not.toBe(first);
  });

  it('refuses a cursor of another feed and an altered one before it reads a row', async () => {
    const { page, bytes, counted } = feedOf(3);
    const { nextCursor: foreign } = await feedOf(3, '/other').page(1);
    const { nextCursor } = await page(1);
    const altered = Buffer.from(nextCursor ?? '', 'base64url');
    altered[altered.length - 1]! ^= 1;
    const { reads } = counted;
    for (const cursor of [foreign ?? '', altered.toString('base64url'), `${nextCursor}=`, '', '0', '__proto__'])
      expect(() => bytes(1, cursor)).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }));
    expect(counted.reads).toBe(reads);
  });
});
