import type { CursorCodec, CursorScope, ListQuery } from '@launch/http';
import type { FeedPages } from './feed-pages.js';

interface PublishedRow {
  readonly publicationNumber: string;
  readonly record: string;
}

/** The feed that items are read from. */
export interface FeedReading {
  readonly pages: FeedPages;
  readonly cursors: CursorCodec;
  readonly scope: CursorScope;
  /** Reads rows in the order of publication, after a number; one row more than the limit when more follow. */
  readonly rows: (limit: number, after: string) => Promise<readonly PublishedRow[]>;
}

/** Writes `items` and `nextCursor` of a page as JSON: records as stored, the oldest publication first. */
export function feedItems(
  { pages, cursors, scope, rows: read }: FeedReading,
  { limit, cursor }: ListQuery,
): Promise<Uint8Array> {
  const after = cursor === undefined ? '0' : (cursors.decode(scope, cursor)[0] ?? '0');
  return pages.read(`${limit}/${after}`, async () => {
    const rows = await read(limit, after);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      rows.length > limit && last !== undefined ? cursors.encode(scope, [last.publicationNumber]) : null;
    const text = `"items":[${page.map(({ record }) => record).join(',')}],"nextCursor":${JSON.stringify(nextCursor)}`;
    return { bytes: Buffer.from(text), full: nextCursor !== null };
  });
}
