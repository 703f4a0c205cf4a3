import { describe, expect, it } from '@jest/globals';
import type { ReviewDecision } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { hashTypedData, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  decisionProblem,
  reviewDecisionDigest,
  reviewDecisionTypedData,
  type DecidedReview,
  type DecisionProblem,
} from './review-decision.js';

const digest = (digit: string): Sha256Digest => `sha256:${digit.repeat(64)}`;
const accountOf = (digit: string) => privateKeyToAccount(`0x${digit.repeat(64)}`);
const walletOf = (digit: string) => accountOf(digit).address.toLowerCase() as `0x${string}`;
const NOW = 1_800_000_000n;
const REVIEW: DecidedReview = {
  requestDigest: digest('1'),
  revision: 4,
  lineageWallets: [walletOf('a'), walletOf('b')],
  build: { artifactDigest: digest('2'), hostManifestDigest: digest('3') },
};
const POLICY = { document: { reviewers: ['c', 'd', 'a', 'b'].map(walletOf) }, digest: digest('4') };
const DECISION: Omit<ReviewDecision, 'signature'> = {
  outcome: 'accept',
  reason: 'Gelesen und für gut befunden.',
  artifactDigest: digest('2'),
  hostManifestDigest: digest('3'),
  reviewerPolicyDigest: digest('4'),
  reviewerWallet: walletOf('c'),
  decidedAt: String(NOW),
};

/** Signs with another implementation: viem's own account. */
async function signed(
  given: Partial<ReviewDecision> = {},
  by = 'c',
  of: DecidedReview = REVIEW,
): Promise<ReviewDecision> {
  const decision = { ...DECISION, ...given };
  return { ...decision, signature: await accountOf(by).signTypedData(reviewDecisionTypedData(decision, of)), ...given };
}

describe('A decision', () => {
  it('is signed according to EIP-712, under the domain and type that the policy publishes', () => {
    const types = {
      ReviewDecision:
        'bytes32 submissionDigest,uint64 revision,uint8 outcome,bytes32 artifactDigest,bytes32 hostManifestDigest,bytes32 policyDigest,bytes32 reasonHash,uint64 decidedAt'
          .split(',')
          .map((member) => ({ type: member.split(' ')[0]!, name: member.split(' ')[1]! })),
    };
    const { message } = reviewDecisionTypedData(DECISION, REVIEW);
    const domain = { name: 'Service Module Review', version: '1', chainId: 4663 };
    expect(reviewDecisionDigest(DECISION, REVIEW)).toBe(
      hashTypedData({ domain, types, primaryType: 'ReviewDecision', message }),
    );
    expect(message).toMatchObject({ outcome: 1, revision: 4n, submissionDigest: `0x${'1'.repeat(64)}` });
  });

  it.each<[string, Partial<ReviewDecision>, string, Partial<DecidedReview>, DecisionProblem | null]>([
    ['by a reviewer about the recorded build counts', {}, 'c', {}, null],
    ['at the edge of its window counts', { decidedAt: String(NOW - 300n) }, 'c', {}, null],
    [
      'that requests changes counts without a build',
      { outcome: 'request_changes', artifactDigest: null, hostManifestDigest: null },
      'c',
      { build: null },
      null,
    ],
    [
      'of acceptance without a build does not count',
      { artifactDigest: null, hostManifestDigest: null },
      'c',
      { build: null },
      'REVIEW_EVIDENCE_MISMATCH',
    ],
    ['about another artifact does not count', { artifactDigest: digest('9') }, 'c', {}, 'REVIEW_EVIDENCE_MISMATCH'],
    ['about another host manifest does not count', { hostManifestDigest: null }, 'c', {}, 'REVIEW_EVIDENCE_MISMATCH'],
    ['under another policy does not count', { reviewerPolicyDigest: digest('9') }, 'c', {}, 'REVIEW_POLICY_STALE'],
    ['by an unknown wallet does not count', { reviewerWallet: walletOf('e') }, 'e', {}, 'REVIEWER_NOT_AUTHORIZED'],
    ['by the author does not count', { reviewerWallet: walletOf('a') }, 'a', {}, 'REVIEWER_IS_AUTHOR'],
    ['by the reward wallet does not count', { reviewerWallet: walletOf('b') }, 'b', {}, 'REVIEWER_IS_AUTHOR'],
    ['too early does not count', { decidedAt: String(NOW - 301n) }, 'c', {}, 'REVIEW_DECISION_EXPIRED'],
    ['too late does not count', { decidedAt: String(NOW + 301n) }, 'c', {}, 'REVIEW_DECISION_EXPIRED'],
    ['signed by another wallet does not count', {}, 'd', {}, 'REVIEW_SIGNATURE_INVALID'],
    [
      'with a broken signature does not count',
      { signature: `0x${'00'.repeat(65)}` },
      'c',
      {},
      'REVIEW_SIGNATURE_INVALID',
    ],
  ])('%s', async (_what, given, by, review, expected) => {
    const of = { ...REVIEW, ...review };
    expect(decisionProblem(await signed(given, by, of), of, POLICY, NOW)).toBe(expected);
  });

  it('counts in every encoding that wallets return', async () => {
    const decision = await signed();
    const bit = decision.signature.endsWith('1b') ? '00' : '01';
    const encodings: ReviewDecision['signature'][] = [
      `${decision.signature.slice(0, 130) as `0x${string}`}${bit}`,
      serializeCompactSignature(signatureToCompactSignature(parseSignature(decision.signature))),
    ];
    for (const signature of encodings)
      expect(decisionProblem({ ...decision, signature }, REVIEW, POLICY, NOW)).toBeNull();
  });

  it('binds revision, submission, outcome and reason, so no signature can be reused', async () => {
    const decision = await signed();
    for (const review of [{ revision: 5 }, { requestDigest: digest('8') }]) {
      expect(decisionProblem(decision, { ...REVIEW, ...review }, POLICY, NOW)).toBe('REVIEW_SIGNATURE_INVALID');
    }
    for (const given of [{ outcome: 'reject' as const }, { reason: 'Anders.' }, { decidedAt: String(NOW + 1n) }]) {
      expect(decisionProblem({ ...decision, ...given }, REVIEW, POLICY, NOW)).toBe('REVIEW_SIGNATURE_INVALID');
    }
  });
});
