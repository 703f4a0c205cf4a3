import { CUSTOM_LAUNCH_FEED_PATH, type CustomLaunchFinalized } from '@launch/contracts/custom-launch';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { readBoundContract } from './bound-contract.js';
import { readCountedPages } from './counted-pages.js';
import { readWholeFeed, type FeedUnavailable, type ReadFeed } from './reading.js';

export type FinalizedRecord = CustomLaunchFinalized;
export type ReadFinalizedFeed = ReadFeed;

/** The whole feed, or why there is none. */
export type FeedReading =
  | {
      readonly availability: 'AVAILABLE';
      /** Of the machine contract that every page was held to. */
      readonly contractSha256: Sha256Digest;
      /** In the order of publication. */
      readonly records: readonly FinalizedRecord[];
    }
  | FeedUnavailable;

/**
 * Reads every page of the finalized V4 feed and believes it only as a whole: the machine contract's bytes are those that
 * readiness binds, each page passes that contract, is ready, and counts the same as the page before. Cursors are sent back
 * unchanged; one that comes twice leaves open what was missed.
 * @throws {ExchangeError} `ORIGIN_UNUSABLE` or `INPUT_UNUSABLE`, before anything is sent.
 * @throws the signal's reason where it ended the read.
 */
export const readFinalizedFeed = (input: ReadFinalizedFeed): Promise<FeedReading> =>
  readWholeFeed(input, async (service, pageSize) => {
    const contract = await readBoundContract(service);
    const records = await readCountedPages(service, {
      path: CUSTOM_LAUNCH_FEED_PATH,
      pageSize,
      page: (json) => contract.page(json),
      idOf: ({ launchId }) => launchId,
    });
    return { contractSha256: contract.sha256, records };
  });
