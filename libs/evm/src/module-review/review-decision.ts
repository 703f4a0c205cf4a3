import type { DecisionOutcome, ReviewDecision, ReviewerPolicy } from '@launch/contracts/modules';
import { CHAIN_ID, keccak256Hex, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { hashTypedData } from 'viem/utils';
import { recoverWalletSigner } from '../wallet-signature/wallet-signature.js';

/** EIP-712 type of a decision (docs/reference/modules.md#review-decision). */
export const REVIEW_DECISION_TYPES = {
  ReviewDecision: [
    { name: 'submissionDigest', type: 'bytes32' },
    { name: 'revision', type: 'uint64' },
    { name: 'outcome', type: 'uint8' },
    { name: 'artifactDigest', type: 'bytes32' },
    { name: 'hostManifestDigest', type: 'bytes32' },
    { name: 'policyDigest', type: 'bytes32' },
    { name: 'reasonHash', type: 'bytes32' },
    { name: 'decidedAt', type: 'uint64' },
  ],
} as const;

const OUTCOMES: Readonly<Record<DecisionOutcome, number>> = { accept: 1, request_changes: 2, reject: 3 };
/** The largest difference in seconds between a decision's time and the gateway's clock. */
const WINDOW_SECONDS = 300n;
const ABSENT: Hex = `0x${'0'.repeat(64)}`;
const word = (digest: Sha256Digest | null): Hex => (digest === null ? ABSENT : `0x${digest.slice('sha256:'.length)}`);

/** The review that a decision concludes. */
export interface DecidedReview {
  readonly requestDigest: Sha256Digest;
  readonly revision: number;
  /** Authors and reward wallets of the submission and of all submissions that it supersedes. */
  readonly lineageWallets: readonly Hex[];
  /** The recorded build; null without one. */
  readonly build: { readonly artifactDigest: Sha256Digest; readonly hostManifestDigest: Sha256Digest } | null;
}

/** Returns the typed data that a reviewer's wallet signs, in the form of `eth_signTypedData_v4` and viem. */
export function reviewDecisionTypedData(
  decision: Omit<ReviewDecision, 'signature' | 'reviewerWallet'>,
  { requestDigest, revision }: Pick<DecidedReview, 'requestDigest' | 'revision'>,
) {
  return {
    domain: { name: 'Service Module Review', version: '1', chainId: BigInt(CHAIN_ID) },
    types: REVIEW_DECISION_TYPES,
    primaryType: 'ReviewDecision',
    message: {
      submissionDigest: word(requestDigest),
      revision: BigInt(revision),
      outcome: OUTCOMES[decision.outcome],
      artifactDigest: word(decision.artifactDigest),
      hostManifestDigest: word(decision.hostManifestDigest),
      policyDigest: word(decision.reviewerPolicyDigest),
      reasonHash: keccak256Hex(new TextEncoder().encode(decision.reason)),
      decidedAt: BigInt(decision.decidedAt),
    },
  } as const;
}

/** Returns the digest that the signature covers, which identifies the decision. */
export const reviewDecisionDigest = (...of: Parameters<typeof reviewDecisionTypedData>): Hex =>
  hashTypedData(reviewDecisionTypedData(...of));

export type DecisionProblem =
  | 'REVIEW_POLICY_STALE'
  | 'REVIEWER_NOT_AUTHORIZED'
  | 'REVIEWER_IS_AUTHOR'
  | 'REVIEW_EVIDENCE_MISMATCH'
  | 'REVIEW_DECISION_EXPIRED'
  | 'REVIEW_SIGNATURE_INVALID';

/**
 * Returns the first reason why a decision does not count, or null. A valid decision names the policy, a reviewer of it
 * without a part in the module, exactly the recorded build and a time near the current one, and that reviewer signed it
 * for this revision.
 */
export function decisionProblem(
  decision: ReviewDecision,
  review: DecidedReview,
  policy: { readonly document: Pick<ReviewerPolicy, 'reviewers'>; readonly digest: Sha256Digest },
  nowSeconds: bigint,
): DecisionProblem | null {
  const { reviewerWallet } = decision;
  if (decision.reviewerPolicyDigest !== policy.digest) return 'REVIEW_POLICY_STALE';
  if (!policy.document.reviewers.includes(reviewerWallet)) return 'REVIEWER_NOT_AUTHORIZED';
  if (review.lineageWallets.includes(reviewerWallet)) return 'REVIEWER_IS_AUTHOR';
  const { build } = review;
  const isOfBuild =
    decision.artifactDigest === (build?.artifactDigest ?? null) &&
    decision.hostManifestDigest === (build?.hostManifestDigest ?? null);
  if (!isOfBuild || (decision.outcome === 'accept' && build === null)) return 'REVIEW_EVIDENCE_MISMATCH';
  const apart = BigInt(decision.decidedAt) - nowSeconds;
  if (apart > WINDOW_SECONDS || apart < -WINDOW_SECONDS) return 'REVIEW_DECISION_EXPIRED';
  const signer = recoverWalletSigner(reviewDecisionDigest(decision, review), decision.signature);
  return signer === reviewerWallet ? null : 'REVIEW_SIGNATURE_INVALID';
}
