/**
 * Facts about a transaction on chain, which the tables of custom launches and of steps share. Observers that disagree or
 * do not answer cause no trigger.
 */
export const CHAIN_TRIGGERS = [
  /** Both L2 observers agree on its success and on its proof. */
  'inclusion_agreed',
  /** Its block or its receipt is no longer in the L2 chain. */
  'inclusion_gone',
  /** Both L1 observers show the batch that contains its block. */
  'posting_agreed',
  /** A reorganisation of Ethereum took the batch back. */
  'posting_gone',
  /** The common finalized checkpoint is at or above the posting, and everything was read again at that L2 block. */
  'finality_proven',
  /** It reverted in a finalized block, and the permit cannot be used again. */
  'revert_finalized',
  /** Finalized L2 time is past the deadline, and the permit or the step is unused. */
  'window_passed',
] as const;
