/** Reads the public index as a stranger does: nothing of an answer is believed before it is checked. */
export { FeedError, type FeedErrorCode } from './feed/feed.error.js';
export {
  readFinalizedFeed,
  type FeedReading,
  type FinalizedRecord,
  type ReadFinalizedFeed,
} from './feed/read-finalized-feed.js';
