import { ETHEREUM_FEED_MEMBERS } from '@launch/client-core/binding';
import { ETHEREUM_FEED_PATH, ethereumFinalizedListSchema, type EthereumFinalized } from '@launch/contracts/index';
import { readCountedPages } from './counted-pages.js';
import { FeedError } from './feed.error.js';
import { readWholeFeed, type FeedUnavailable, type ReadFeed } from './reading.js';

/** The whole feed of Ethereum, or the reason why it is unavailable. */
export type EthereumFeedReading =
  | { readonly availability: 'AVAILABLE'; readonly records: readonly EthereumFinalized[] }
  | FeedUnavailable;

/**
 * Reads every page of the finalized V3 feed by the rules of the V4 one. Readiness binds no contract for it, so each page must
 * match the schema of this reader's release.
 */
export const readEthereumFeed = (input: ReadFeed): Promise<EthereumFeedReading> =>
  readWholeFeed(input, async (service, pageSize) => ({
    records: await readCountedPages(service, {
      path: ETHEREUM_FEED_PATH,
      pageSize,
      page: (json) => {
        const read = ethereumFinalizedListSchema.safeParse(json);
        if (!read.success) throw new FeedError('PAGE_INVALID', 'a page breaks the schema of the feed');
        return read.data;
      },
      idOf: ({ onchain }) => `${onchain.router} ${onchain.routerLaunchId}`,
      members: ETHEREUM_FEED_MEMBERS,
    }),
  }));
