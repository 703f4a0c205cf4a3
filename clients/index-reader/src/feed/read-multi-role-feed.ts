import { FINALIZED_RECORD_MEMBERS } from '@launch/client-core/binding';
import { finalizedListSchema, type FinalizedRecord, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { checkRecords } from './bound-records.js';
import { FeedError } from './feed.error.js';
import { readWholeFeed, type FeedUnavailable, type ReadFeed } from './reading.js';

const PATH = `${MULTI_ROLE_BASE_PATH}/finalized`;

/** The whole multi-role feed, or the reason why it is unavailable. */
export type MultiRoleFeedReading =
  | { readonly availability: 'AVAILABLE'; readonly records: readonly FinalizedRecord[] }
  | FeedUnavailable;

/**
 * Reads every page of the multi-role feed. Its pages have no counters: the feed is whole if its cursors end, its pages match
 * their schema, and no record repeats.
 */
export const readMultiRoleFeed = (input: ReadFeed): Promise<MultiRoleFeedReading> =>
  readWholeFeed(input, async (service, pageSize) => {
    const records: FinalizedRecord[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const query = new URLSearchParams({ limit: String(pageSize), ...(cursor === null ? {} : { cursor }) });
      const page = finalizedListSchema.safeParse((await service.getSigned(`${PATH}?${query}`)).json);
      if (!page.success) throw new FeedError('PAGE_INVALID', 'a page breaks the schema of the feed');
      const { items, nextCursor } = page.data;
      if (items.length > pageSize) throw new FeedError('PAGE_OVERLONG', 'a page has more records than were asked for');
      checkRecords(items, FINALIZED_RECORD_MEMBERS, {});
      records.push(...items);
      if (nextCursor === null) break;
      if (cursors.has(nextCursor)) throw new FeedError('CURSOR_REPEATED', 'a cursor came twice');
      cursors.add(nextCursor);
      cursor = nextCursor;
    }
    if (new Set(records.map(({ onchainLaunchId }) => onchainLaunchId)).size !== records.length)
      throw new FeedError('RECORDS_MISCOUNTED', 'a record came twice');
    return { records };
  });
