/** Reads for indexing launches: ranges of logs, and reads at a block, each as both observers agree on it. */
export { agreedLogs, moreAgreedLogs, DEFAULT_RANGE_LIMITS, type RangeLimits } from './agreed-logs.js';
export { answerReads } from './answer-reads.js';
export { blockLogs, type BlockLogs } from './block-logs.js';
export { inOrder, type BlockFilter, type SourceFilter } from './log-filter.js';
export { createChainReads, readsOf, type ChainReads, type RangeReads } from './range-reads.js';
export type { ChainPlace, Incomplete, IncompleteCause, Obstacle, RangeChain, RangeResult } from './range-result.js';
export type { TransactionPlace, Unreadable } from './transaction-logs.js';
export {
  verifyReceipt,
  verifyTransaction,
  type JudgedLaunch,
  type JudgedTransaction,
  type OpenLaunch,
} from './verify-transaction.js';
export { narrower, wider } from '../reads/log-range.js';
export {
  finalEthereumBlock,
  finalLaunchBlock,
  postedThrough,
  type FinalBlock,
  type FinalityEvidence,
  type RollupAnchors,
} from './final-block.js';
