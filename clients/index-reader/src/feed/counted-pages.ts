import type { BoundMember } from '@launch/client-core/binding';
import type { JsonValue } from '@launch/contracts/json';
import { checkRecords } from './bound-records.js';
import { FeedError } from './feed.error.js';
import type { ServiceRead } from './service-read.js';

interface Counters {
  readonly sourceRowCount: number;
  readonly publishedRowCount: number;
  readonly quarantinedRowCount: number;
}

/** A page of a feed that counts its records. */
export interface CountedPage<T> extends Counters {
  readonly dataset: Counters;
  readonly quality: { readonly status: string; readonly reasons: readonly string[] };
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface CountedFeed<T> {
  readonly path: string;
  readonly pageSize: number;
  /** @throws {FeedError} `PAGE_INVALID` for a page that breaks its contract. */
  readonly page: (json: JsonValue) => CountedPage<T>;
  /** Returns the identity of a record. */
  readonly idOf: (record: T) => string;
  /** The members of a record that its other members determine. */
  readonly members: readonly BoundMember<T, unknown>[];
}

/**
 * Reads every page of a feed. Each page must be ready and have the counters of the previous one. Cursors are sent back
 * unchanged; a repeated cursor leaves open which records were missed.
 * @throws {FeedError}
 */
export async function readCountedPages<T>(service: ServiceRead, feed: CountedFeed<T>): Promise<readonly T[]> {
  const { path, pageSize, idOf, members } = feed;
  const records: T[] = [];
  const cursors = new Set<string>();
  let first: CountedPage<T> | undefined;
  for (let cursor: string | null = null; ;) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor === null ? {} : { cursor }) });
    const { json } = await service.getSigned(`${path}?${query}`);
    const page = feed.page(json);
    checkPage(page, pageSize);
    checkRecords(page.items, members, undefined);
    first ??= page;
    if (page.sourceRowCount !== first.sourceRowCount)
      throw new FeedError('COUNTERS_MOVED', 'the feed moved while it was read');
    records.push(...page.items);
    if (records.length > page.publishedRowCount)
      throw new FeedError('PAGE_OVERLONG', 'pages have more records than are published');
    if (page.nextCursor === null) break;
    if (cursors.has(page.nextCursor)) throw new FeedError('CURSOR_REPEATED', 'a cursor came twice');
    cursors.add(page.nextCursor);
    cursor = page.nextCursor;
  }
  if (new Set(records.map(idOf)).size !== records.length || records.length !== first.publishedRowCount)
    throw new FeedError('RECORDS_MISCOUNTED', 'the pages together are not the records that are published');
  return records;
}

/** Checks that a page is ready and agrees with itself. Source equals published from here on, so one counter represents both. */
function checkPage<T>({ quality, dataset, items, ...counted }: CountedPage<T>, pageSize: number): void {
  const { sourceRowCount, publishedRowCount, quarantinedRowCount } = counted;
  if (
    dataset.sourceRowCount !== sourceRowCount ||
    dataset.publishedRowCount !== publishedRowCount ||
    dataset.quarantinedRowCount !== quarantinedRowCount
  )
    throw new FeedError('COUNTERS_MIXED', 'a page has two values of one counter');
  if (quarantinedRowCount !== 0) throw new FeedError('RECORDS_QUARANTINED', 'records of the feed are held back');
  if (publishedRowCount !== sourceRowCount)
    throw new FeedError('RECORDS_UNPUBLISHED', 'records of the source are not published');
  if (quality.status !== 'ready' || quality.reasons.length > 0)
    throw new FeedError('FEED_NOT_READY', 'the feed says that it is not ready');
  if (items.length > publishedRowCount || items.length > pageSize)
    throw new FeedError('PAGE_OVERLONG', 'a page has more records than are published, or were asked for');
}
