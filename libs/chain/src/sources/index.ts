/** How indexed launches are read: ranges of logs, and reads at a block, each as both observers give it. */
export {
  agreedLogs,
  moreAgreedLogs,
  DEFAULT_RANGE_LIMITS,
  type ChainPlace,
  type RangeChain,
  type RangeLimits,
  type RangeResult,
  type SourceFilter,
} from './agreed-logs.js';
export { answerReads } from './answer-reads.js';
export { agreedReceipt, verifyReceipt, type JudgedLaunch, type JudgedReceipt } from './verify-receipt.js';
export { narrower, wider } from '../reads/log-range.js';
export {
  finalEthereumBlock,
  finalLaunchBlock,
  postedThrough,
  type FinalBlock,
  type FinalityEvidence,
  type RollupAnchors,
} from './final-block.js';
