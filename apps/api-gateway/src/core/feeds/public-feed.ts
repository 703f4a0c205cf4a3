import type { Sha256Digest } from '@launch/contracts/primitives';
import type { CursorCodec, CursorScope, ListQuery } from '@launch/http';
import { PageCache } from './page-cache.js';

/** A published record in the text that it was published with, which is canonical JSON. */
export interface PublishedRow {
  /** A 64-bit number as a string. */
  readonly publicationNumber: string;
  readonly record: string;
}

/** A family of launches with a public feed. */
export interface FeedFamily {
  /** Milliseconds after which a page is read anew even if its version stays; 0 for never. */
  readonly maxAgeMs: number;
  /** Whether a page with a next cursor never changes, because its frame is constant. */
  readonly hasFinalPages: boolean;
  /** Reads a text that differs after every change of a page. */
  version(): Promise<string>;
  /** Lists rows in the order of publication, after a number; one row more than the limit when more follow. */
  rows(limit: number, after: string): Promise<readonly PublishedRow[]>;
  /** Reads the members of a page besides its items and cursor. It is called after `rows`, so that counts include every item. */
  frame(): Promise<object>;
}

/** A feed whose records name their evidence. */
export interface EvidencedFamily {
  /** Returns whether a digest belongs to the evidence of a launch in the feed. @throws ApiError `NOT_FOUND` for a malformed id */
  hasEvidence(id: string, sha256: Sha256Digest): Promise<boolean>;
}

/** Pages through a feed, the oldest publication first, so that no record is ever inserted before a page that was read. */
export class PublicFeed {
  private readonly pages: PageCache;
  private readonly scope: CursorScope;

  /** @param path the path of the list; a cursor is valid for its own list alone. */
  constructor(
    path: string,
    private readonly family: FeedFamily,
    private readonly cursors: CursorCodec,
  ) {
    this.pages = new PageCache({ maxAgeMs: family.maxAgeMs });
    this.scope = { route: `GET ${path}`, reader: null };
  }

  /** Returns a page as canonical JSON. @throws ApiError `CURSOR_INVALID` */
  list({ limit, cursor }: ListQuery): Promise<Uint8Array> {
    const { family, cursors, scope } = this;
    const after = cursor === undefined ? '0' : (cursors.decode(scope, cursor)[0] ?? '0');
    return this.pages.bytesOf({
      name: `${limit}/${after}`,
      version: () => family.version(),
      read: async () => {
        const rows = await family.rows(limit, after);
        const page = rows.slice(0, limit);
        const last = rows.length > limit ? page.at(-1) : undefined;
        const items = page.map(({ record }): unknown => JSON.parse(record));
        const nextCursor = last === undefined ? null : cursors.encode(scope, [last.publicationNumber]);
        return {
          body: { ...(await family.frame()), items, nextCursor },
          isFinal: family.hasFinalPages && nextCursor !== null,
        };
      },
    });
  }
}
