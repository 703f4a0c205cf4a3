import { Injectable } from '@nestjs/common';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  MODULE_REVIEW_CAPABILITIES_SCHEMA,
  moduleReviewStatusSchema,
  type ModuleReviewCapabilities,
} from '@launch/contracts/modules';
import type {
  ModuleGatewayActivities,
  ReviewReadinessGatewayActivities,
  ReviewReadinessReport,
} from '@launch/contracts/orchestration';
import { nextActionOf, isReviewEnd } from '@launch/contracts/states';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import { mustAgree, StoredDocuments } from '../../../core/projections/stored-documents.js';
import { ReviewRepository } from '../data/review.repository.js';

type ReviewWork = ModuleGatewayActivities & ReviewReadinessGatewayActivities;

/** Writes the authors' view of their reviews, as the review reports it (docs/reference/modules.md#review-status). */
@Injectable()
export class ReviewProjectionsService implements ReviewWork {
  constructor(
    private readonly reviews: ReviewRepository,
    private readonly documents: StoredDocuments,
  ) {}

  /** @throws ProjectionError `LAUNCH_UNKNOWN`, `DOCUMENT_INVALID`, `PROJECTION_MISMATCH`; BlobError */
  async recordReview({
    submissionId,
    revision,
    statusSha256,
    planSha256,
    findingsSha256,
  }: Parameters<ReviewWork['recordReview']>[0]): Promise<void> {
    const draft = await this.reviews.identityOf(submissionId);
    if (draft === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'submissionId');
    const { text, value: status } = await this.documents.read(statusSha256, moduleReviewStatusSchema);
    mustAgree([
      ['submissionId', status.submissionId, submissionId],
      ['packageId', status.packageId, draft.packageId],
      ['requestDigest', status.requestDigest, draft.requestDigest],
      ['review.revision', String(status.review.revision), String(revision)],
      ['review.nextAction', status.review.nextAction, nextActionOf(status.review.state)],
    ]);
    await this.reviews.record(status, text, { planSha256, findingsSha256 }, isReviewEnd(status.review.state));
  }

  async recordReviewReadiness(report: ReviewReadinessReport): Promise<void> {
    const { databaseReady, workerAuthorityReady, reviewerPolicyDigest } = report;
    const document: ModuleReviewCapabilities = {
      schemaVersion: MODULE_REVIEW_CAPABILITIES_SCHEMA,
      ...report,
      reviewAvailable: databaseReady && workerAuthorityReady && reviewerPolicyDigest !== null,
      statusReadAvailable: databaseReady,
      approved: false,
      available: false,
    };
    await this.reviews.recordReadiness(canonicalJsonText(document));
  }
}

/** Adapts the service to Temporal's activities. */
export const reviewWork = (service: ReviewWork): ReviewWork => ({
  recordReview: (input) => service.recordReview(input),
  recordReviewReadiness: (report) => service.recordReviewReadiness(report),
});
