import { Inject, Injectable } from '@nestjs/common';
import {
  MODULE_REVIEW_CAPABILITIES_SCHEMA,
  moduleReviewCapabilitiesSchema,
  type ModuleReviewCapabilities,
} from '@launch/contracts/modules';
import { CLOCK, type Clock } from '../../platform/tokens.js';
import { SubmissionRepository, type ReportedReadiness } from './submission.repository.js';

/** Milliseconds for which a report of the review worker is valid (docs/reference/modules.md#review-readiness). */
const READINESS_MS = 60_000;

const NOT_READY: ModuleReviewCapabilities = {
  schemaVersion: MODULE_REVIEW_CAPABILITIES_SCHEMA,
  reviewAvailable: false,
  statusReadAvailable: false,
  databaseReady: false,
  workerAuthorityReady: false,
  reviewerPolicyDigest: null,
  workerSourceCommit: null,
  approved: false,
  available: false,
};

/** Returns the readiness that the review reported within the last minute. */
@Injectable()
export class ReviewReadinessService {
  constructor(
    private readonly submissions: SubmissionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async now(): Promise<ModuleReviewCapabilities> {
    return this.judge(await this.submissions.readiness());
  }

  /** Judges a report that was read together with other rows. */
  judge(report: ReportedReadiness | null): ModuleReviewCapabilities {
    if (report === null || report.reportedAt.getTime() + READINESS_MS < this.clock.now()) return NOT_READY;
    return moduleReviewCapabilitiesSchema.parse(JSON.parse(report.document));
  }
}
