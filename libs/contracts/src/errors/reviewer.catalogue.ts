import type { CatalogueEntry } from './catalogue.js';

/** Codes of the reviewer routes only (docs/reference/errors.md#reviewer-codes). */
export const REVIEWER_CATALOGUE = {
  PRECONDITION_REQUIRED: {
    status: 428,
    layer: 'transport',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'Send If-Match with the revision that the change applies to.',
  },
  REVISION_STALE: {
    status: 412,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'The review is at another revision, or is being written; read it again.',
  },
  REVIEW_STATE_INVALID: {
    status: 409,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'The state of the review does not allow this; read it again.',
  },
  PLAN_MISMATCH: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The plan names another submission, policy, file or target.',
  },
  MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED: {
    status: 422,
    layer: 'source',
    retryable: false,
    action: 'inspect_existing',
    message: 'The package is larger than the build profile allows; the author sees the reason.',
  },
  REVIEW_POLICY_STALE: {
    status: 422,
    layer: 'auth',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The decision names another reviewer policy than the current one.',
  },
  REVIEWER_NOT_AUTHORIZED: {
    status: 403,
    layer: 'auth',
    retryable: false,
    action: 'contact_support',
    message: 'The signing wallet is not a reviewer of the policy.',
  },
  REVIEWER_IS_AUTHOR: {
    status: 403,
    layer: 'auth',
    retryable: false,
    action: 'contact_support',
    message: 'The signing wallet is an author or reward wallet of the module, or of a version that it supersedes.',
  },
  REVIEW_EVIDENCE_MISMATCH: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The decision names another build than the recorded one, or accepts without one.',
  },
  REVIEW_DECISION_EXPIRED: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'decidedAt is more than 300 seconds from now; sign again.',
  },
  REVIEW_SIGNATURE_INVALID: {
    status: 422,
    layer: 'auth',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The signature does not belong to this decision, revision and wallet.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** A code that only the reviewer routes return. */
export type ReviewerOwnCode = keyof typeof REVIEWER_CATALOGUE;

export const isReviewerOwnCode = (code: string): code is ReviewerOwnCode => Object.hasOwn(REVIEWER_CATALOGUE, code);
