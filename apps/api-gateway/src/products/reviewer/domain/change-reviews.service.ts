import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import { MODULE_CATALOGUE, REVIEWER_CATALOGUE, type ServedCode } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import type { BuildPlan, ReviewDecision, ReviewMoved, SentDecision } from '@launch/contracts/modules';
import { REVIEW_UPDATES as UPDATES } from '@launch/contracts/orchestration';
import { REVIEW_STATES, isReviewEnd } from '@launch/contracts/states';
import { readWalletSignature, SUPPORTED_SIGNATURES } from '@launch/evm';
import { ApiError, refusal } from '@launch/http';
import { BLOB_STORE } from '../../../platform/tokens.js';
import { ReviewQueueRepository } from '../data/review-queue.repository.js';
import { RUNNING_REVIEWS, type ChangeOutcome, type ReviewChange, type ReviewUpdates } from './review-updates.js';

const CODES = { ...MODULE_CATALOGUE, ...REVIEWER_CATALOGUE } as const;
const isKnown = (code: string): code is keyof typeof CODES => Object.hasOwn(CODES, code);

/**
 * Makes the changes of reviewers. Each is an update of the review's workflow and durable before it is answered
 * (docs/reference/modules.md#reviewer-routes).
 */
@Injectable()
export class ChangeReviewsService {
  constructor(
    private readonly reviews: ReviewQueueRepository,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(RUNNING_REVIEWS) private readonly updates: ReviewUpdates,
  ) {}

  async attachPlan(submissionId: string, revision: number, plan: BuildPlan): Promise<ReviewMoved> {
    await this.mustExist(submissionId);
    const planSha256 = await this.blobs.put(canonicalizeJson(plan));
    return this.change(submissionId, { name: UPDATES.attachPlan, input: { revision, planSha256 } });
  }

  /** @throws ApiError `REVIEW_SIGNATURE_INVALID` for an unsupported encoding, and the errors of every change. */
  async decide(submissionId: string, revision: number, sent: SentDecision): Promise<ReviewMoved> {
    await this.mustExist(submissionId);
    const decision = inOneForm(sent);
    const decisionSha256 = await this.blobs.put(canonicalizeJson(decision));
    const { outcome } = decision;
    return this.change(submissionId, { name: UPDATES.decide, input: { revision, outcome, decisionSha256 } });
  }

  async requeue(submissionId: string, revision: number): Promise<ReviewMoved> {
    await this.mustExist(submissionId);
    return this.change(submissionId, { name: UPDATES.requeue, input: { revision } });
  }

  private async mustExist(submissionId: string): Promise<void> {
    if ((await this.reviews.find(submissionId)) === null) throw new ApiError('NOT_FOUND');
  }

  private async change(submissionId: string, change: ReviewChange): Promise<ReviewMoved> {
    let outcome: ChangeOutcome;
    try {
      outcome = await this.updates.change(submissionId, change);
    } catch (error) {
      throw new ApiError('MODULE_REVIEW_UNAVAILABLE', { cause: error });
    }
    switch (outcome.kind) {
      case 'moved': {
        const { state, revision } = outcome;
        return { schemaVersion: 'service.modules.review-moved.v1', submissionId, state, revision };
      }
      case 'refused':
        throw refusal(codeOf(outcome.code), outcome.place.startsWith('/') ? outcome.place : '', {
          ...(outcome.place === '' ? {} : { actual: outcome.place }),
        });
      case 'rejected':
        throw new ApiError(isKnown(outcome.code) ? outcome.code : 'MODULE_REVIEW_UNAVAILABLE', { cause: outcome.code });
      case 'ended':
        throw new ApiError(await this.codeOfEnded(submissionId, change.input.revision));
    }
  }

  /** A review that ended accepts no change. A review that has no workflow and no end was never started. */
  private async codeOfEnded(submissionId: string, revision: number): Promise<ServedCode> {
    const row = await this.reviews.find(submissionId);
    if (row === null) return 'MODULE_REVIEW_JOB_UNAVAILABLE';
    const { review } = JSON.parse(row.projection) as { readonly review: { readonly state?: string } };
    const state = REVIEW_STATES.find((one) => one === review.state);
    if (state === undefined || !isReviewEnd(state)) return 'MODULE_REVIEW_JOB_UNAVAILABLE';
    return row.revision === revision ? 'REVIEW_STATE_INVALID' : 'REVISION_STALE';
  }
}

/** A rejection by the review is a code of the catalogue; any other failure is a fault. */
const codeOf = (code: string): ServedCode => (isKnown(code) ? code : 'INTERNAL');

/**
 * Returns the decision with its signature in the encoding of the records, so that one decision is one change in every
 * encoding.
 */
function inOneForm(sent: SentDecision): ReviewDecision {
  const read = readWalletSignature(sent.signature);
  if (read.kind === 'supported') return { ...sent, signature: read.signature };
  throw refusal('REVIEW_SIGNATURE_INVALID', '/signature', { expected: SUPPORTED_SIGNATURES, actual: read.encoding });
}
