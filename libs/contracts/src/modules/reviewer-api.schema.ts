import { z } from 'zod';
import { addressSchema, sha256DigestSchema, timestampSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { buildFindingSchema } from './build-findings.schema.js';
import { MODULE_LIMITS } from './module-limits.js';
import { modulePackageSchema } from './package.schema.js';
import { moduleReceiptSchema } from './receipt.schema.js';
import { reviewDecisionSchema } from './review-decision.schema.js';
import { REVIEW_STATES } from '../states/review-states.js';
import { moduleReviewStatusSchema } from './review-status.schema.js';

/** Paths of the reviewer's listener (docs/reference/modules.md#reviewer-routes). */
export const REVIEWER_PATH = '/v1/reviewer';

/** An entry of the queue. */
const queuedReviewSchema = z.strictObject({
  submissionId: uuidSchema,
  name: z.string(),
  version: z.string(),
  family: z.string(),
  author: addressSchema,
  supersedes: uuidSchema.nullable(),
  state: z.enum(REVIEW_STATES),
  revision: z.number().int().nonnegative(),
  receivedAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type QueuedReview = z.infer<typeof queuedReviewSchema>;

/** Reviews, the longest unchanged first. */
export const reviewQueueSchema = z
  .strictObject({
    schemaVersion: z.literal('service.modules.review-queue.v1'),
    items: z.array(queuedReviewSchema).max(MODULE_LIMITS.listMax),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ReviewQueue' });
export type ReviewQueue = z.infer<typeof reviewQueueSchema>;

const reviewedFileSchema = z.strictObject({
  path: z.string(),
  sha256: sha256DigestSchema,
  byteCount: z.number().int().nonnegative(),
});
export type ReviewedFile = z.infer<typeof reviewedFileSchema>;

/** A submission without the bytes of its files. */
export const reviewedSubmissionSchema = z
  .strictObject({
    schemaVersion: z.literal('service.modules.reviewed-submission.v1'),
    receipt: moduleReceiptSchema,
    package: modulePackageSchema,
    files: z.array(reviewedFileSchema).max(MODULE_LIMITS.maxFiles),
    status: moduleReviewStatusSchema,
    /** The submission that supersedes this one. */
    supersededBy: uuidSchema.nullable(),
    /** Digest of the plan that was attached last. */
    planSha256: sha256DigestSchema.nullable(),
    /** Digest of the policy that the review service reported within the last minute. */
    reviewerPolicyDigest: sha256DigestSchema.nullable(),
  })
  .meta({ id: 'ReviewedSubmission' });
export type ReviewedSubmissionDocument = z.infer<typeof reviewedSubmissionSchema>;

/** Findings of the current build; empty before a build. */
export const reviewFindingsSchema = z
  .strictObject({
    schemaVersion: z.literal('service.modules.review-findings.v1'),
    submissionId: uuidSchema,
    revision: z.number().int().nonnegative(),
    findingsSha256: sha256DigestSchema.nullable(),
    findings: z.array(buildFindingSchema).max(1_024),
  })
  .meta({ id: 'ReviewFindings' });
export type ReviewFindings = z.infer<typeof reviewFindingsSchema>;

export const DIFF_LIMITS = { context: 3, lines: 20_000, characters: 2 * 1024 * 1024 } as const;

const hunkSchema = z.strictObject({
  /** First line numbers, from 1. */
  oldStart: z.number().int().nonnegative(),
  newStart: z.number().int().nonnegative(),
  lines: z.array(z.strictObject({ kind: z.enum(['same', 'removed', 'added']), text: z.string() })),
});
export type DiffHunk = z.infer<typeof hunkSchema>;

const changedFileSchema = z.strictObject({
  path: z.string(),
  change: z.enum(['added', 'removed', 'modified']),
  before: sha256DigestSchema.nullable(),
  after: sha256DigestSchema.nullable(),
  /**
   * Null for files that are not text, for files that are too large to compare, and for hunks that do not fit into the
   * response.
   */
  hunks: z.array(hunkSchema).nullable(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** Differences from the files of the superseded submission; equal files are only counted. */
export const reviewDiffSchema = z
  .strictObject({
    schemaVersion: z.literal('service.modules.review-diff.v1'),
    submissionId: uuidSchema,
    /** Null for a submission that supersedes none: every file is new, and no lines are listed. */
    against: uuidSchema.nullable(),
    unchanged: z.number().int().nonnegative(),
    files: z.array(changedFileSchema).max(2 * MODULE_LIMITS.maxFiles),
    /** Whether lines were left out. */
    truncated: z.boolean(),
  })
  .meta({ id: 'ReviewDiff' });
export type ReviewDiff = z.infer<typeof reviewDiffSchema>;

/** The result of a change. */
export const reviewMovedSchema = z
  .strictObject({
    schemaVersion: z.literal('service.modules.review-moved.v1'),
    submissionId: uuidSchema,
    state: z.enum(REVIEW_STATES),
    revision: z.number().int().nonnegative(),
  })
  .meta({ id: 'ReviewMoved' });
export type ReviewMoved = z.infer<typeof reviewMovedSchema>;

/** The reviewer's input to a decision; the rest follows from the review. */
export const decisionDraftRequestSchema = reviewDecisionSchema
  .pick({ outcome: true, reason: true, reviewerWallet: true })
  .meta({ id: 'DecisionDraftRequest' });
export type DecisionDraftRequest = z.infer<typeof decisionDraftRequestSchema>;

/** A decision that waits for its signature. */
export const decisionDraftSchema = z
  .strictObject({
    schemaVersion: z.literal('service.modules.decision-draft.v1'),
    /** With `signature` added, the body of the decision. */
    decision: reviewDecisionSchema.omit({ signature: true }),
    /** For `eth_signTypedData_v4`; integers are decimal strings. */
    typedData: z.looseObject({ primaryType: z.literal('ReviewDecision') }),
  })
  .meta({ id: 'DecisionDraft' });
export type DecisionDraft = z.infer<typeof decisionDraftSchema>;
