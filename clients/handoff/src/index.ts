/**
 * Reviews the hand-off of a launch or plan as an untrusted claim: recomputes it from the request, asks the chain through the
 * controller's own provider, and explains it in plain words. Runs in browsers and in Node.
 */
export { agreesThroughout, reviewHandoff } from './review-handoff.js';
export { deploymentOfContext } from './deployment-of-context.js';
export { FACT_LABELS, type FactId } from './explain-launch.js';
export { judgeChainReads, readChain, type ChainCheck, type ChainReads, type ChainVerdict } from './chain-reads.js';
export type {
  HandoffCheck,
  HandoffClaim,
  HandoffFact,
  HandoffFamily,
  HandoffReview,
  HandoffVerdict,
  ReviewedCall,
  ReviewedTransaction,
  TrustedDeployment,
  WalletProvider,
} from './handoff.types.js';
