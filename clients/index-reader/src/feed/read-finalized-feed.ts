import { CUSTOM_FEED_MEMBERS } from '@launch/client-core/binding';
import { CUSTOM_LAUNCH_FEED_PATH, type CustomLaunchFinalized } from '@launch/contracts/custom-launch';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { readBoundContract } from './bound-contract.js';
import { readCountedPages } from './counted-pages.js';
import { readWholeFeed, type FeedUnavailable, type ReadFeed } from './reading.js';

export type FinalizedRecord = CustomLaunchFinalized;
export type ReadFinalizedFeed = ReadFeed;

/** The whole feed, or the reason why it is unavailable. */
export type FeedReading =
  | {
      readonly availability: 'AVAILABLE';
      /** Digest of the machine contract that every page passed. */
      readonly contractSha256: Sha256Digest;
      /** In the order of publication. */
      readonly records: readonly FinalizedRecord[];
    }
  | FeedUnavailable;

/**
 * Reads every page of the finalized custom-launch feed, and accepts it only as a whole: the machine contract has the
 * bytes that readiness binds, and each page passes that contract, is ready, and has the counters of the previous page.
 * Cursors are sent back unchanged; a repeated cursor leaves open which records were missed.
 * @throws {ExchangeError} `ORIGIN_UNUSABLE` or `INPUT_UNUSABLE`, before anything is sent.
 * @throws the signal's reason if it aborted the read.
 */
export const readFinalizedFeed = (input: ReadFinalizedFeed): Promise<FeedReading> =>
  readWholeFeed(input, async (service, pageSize) => {
    const contract = await readBoundContract(service);
    const records = await readCountedPages(service, {
      path: CUSTOM_LAUNCH_FEED_PATH,
      pageSize,
      page: (json) => contract.page(json),
      idOf: ({ launchId }) => launchId,
      members: CUSTOM_FEED_MEMBERS,
    });
    return { contractSha256: contract.sha256, records };
  });
