/** Reads the public index without trusting it: checks every answer before use. */
export { FeedError, type FeedErrorCode } from './feed/feed.error.js';
export {
  readFinalizedFeed,
  type FeedReading,
  type FinalizedRecord,
  type ReadFinalizedFeed,
} from './feed/read-finalized-feed.js';
export { readAnswerKeys, type AnswerKeys } from './feed/answer-signature.js';
export { readMultiRoleFeed, type MultiRoleFeedReading } from './feed/read-multi-role-feed.js';
export { readIdentities, type IdentitiesReading } from './feed/read-identities.js';
export { ServiceRead } from './feed/service-read.js';
export { ServiceRefusal } from './feed/service.refusal.js';
export { ReaderError, type ReaderErrorCode } from './chain/reader.error.js';
export { openObservers, type ObserverPair } from './chain/observers.js';
export { readSources, type PublishedSources, type ReadSource } from './chain/published-sources.js';
export {
  MAX_PAGE_ENTRIES,
  MAX_WINDOW_BLOCKS,
  readFoundationLaunchIndex,
  readNativeLaunches,
  readRouterLaunches,
  type LaunchPage,
  type LaunchWindow,
} from './chain/read-launches.js';
export { verifyLaunch, type LaunchVerdict, type VerifiedEvent } from './chain/verify-launch.js';
export {
  readFinalBlock,
  verifyFinality,
  type FinalityEndpoints,
  type FinalityVerdict,
} from './chain/verify-finality.js';
export { findLaunch, type FoundLaunch } from './chain/find-launch.js';
export { readTokenMetadata, type TokenWords } from './chain/read-token-metadata.js';
export { readStamps, type StampReading } from './chain/read-stamps.js';
export { readEthereumFeed, type EthereumFeedReading } from './feed/read-ethereum-feed.js';
export { readCoin, type CoinReading, type ReadCoin } from './coin/read-coin.js';
export type { CoinVerification } from './coin/verify-record.js';
export { assessCoin, type CoinAssessment, type CoinFacts } from '@launch/contracts/index';
