/** Two observers per chain, validated answers, agreement on every fact, and the finality rule. */
export * from './chain.error.js';
export * from './rpc/observer-urls.config.js';
export * from './rpc/observer.js';
export { revertDataOf } from './rpc/rpc-failure.js';
export * from './rpc/rpc-limits.js';
export * from './rpc/recording.observer.js';
export * from './rpc/sharing.observer.js';
export type { BlockHeader, ChainLog, ChainReceipt } from './rpc/rpc-answers.schema.js';
export * from './reads/block-ref.js';
export * from './reads/eth-call.js';
export * from './reads/get-code.js';
export * from './reads/get-header.js';
export * from './reads/get-logs.js';
export * from './reads/get-receipt.js';
export * from './reads/get-transaction.js';
export { readContract } from './reads/read-contract.js';
export * from './agreement/agreement.js';
export * from './agreement/common-head.js';
export * from './actions/agreed-reads.js';
export * from './actions/judge-checkpoint.js';
export * from './actions/latest-headers.js';
export * from './actions/materialize-runtimes.js';
export * from './actions/nonce-used.js';
export * from './actions/read-gas-cost.js';
export * from './actions/read-pinned-contracts.js';
export {
  simulatedBlock,
  type SimulatedBlock,
  type SimulatedTransaction,
  type TimeWindow,
} from './actions/provider-execution.js';
export * from './actions/rehearse-transaction.js';
export * from './actions/simulate-transaction.js';
export type { SimulatedEffects } from './actions/simulated-effects.js';
export * from './finality/ports.types.js';
export {
  derivedTargets,
  launchTarget,
  type ComponentTarget,
  type DerivedTarget,
  type LaunchTarget,
  type MultiRoleTarget,
  type StampedTarget,
} from './finality/launch-target.js';
export { atomicLaunchTarget, routerV1Target, type HandedOffBatch } from './finality/router-v1-target.js';
export { namesTarget } from './finality/target-proof.js';
export * from './finality/finality-rules.js';
export * from './finality/observe-once.js';
export * from './finality/judge-named.js';
export { rpcL1Observer } from './finality/rpc-l1.observer.js';
export { DEFAULT_LOG_SEARCH, rpcL2Observer, type LogSearch } from './finality/rpc-l2.observer.js';
export {
  DEFAULT_STAMP_SEARCH,
  finalizedHead,
  scanStamps,
  type PinnedBlock,
  type StampSearch,
  type StampSearchLimits,
  type StampSearchResult,
} from './finality/scan-stamps.js';
export * from './finality/recent-stamps.js';
export * from './finality/poll-plan.js';
export * from './finality/estimate.js';
export { decodeBatchCall } from './finality/rpc-l1.observer.js';
export { BATCH_DELIVERED_ABI } from './finality/inbox.abi.js';
export * from './finality/replay-finality.js';
export * from './evidence/collect-proofs.js';
export { keptStampOf } from './evidence/prove-state.js';
export * from './usd-reference/read-usd-reference.js';
