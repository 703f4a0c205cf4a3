import { Inject, Injectable } from '@nestjs/common';
import type { DecisionDraft, DecisionDraftRequest } from '@launch/contracts/modules';
import { reviewDecisionTypedData } from '@launch/evm';
import { ApiError } from '@launch/http';
import { ReviewReadinessService } from '../../../core/module-submissions/review-readiness.service.js';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { ReadReviewsService } from './read-reviews.service.js';

/** The types of the domain's members. EIP-712 leaves them out, and wallets require them. */
const EIP712_DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
];

/** Completes a reviewer's decision to the data that the wallet signs (docs/reference/modules.md#review-decision). */
@Injectable()
export class DraftDecisionService {
  constructor(
    private readonly reading: ReadReviewsService,
    private readonly readiness: ReviewReadinessService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError `NOT_FOUND`, `REVISION_STALE`; `MODULE_REVIEW_UNAVAILABLE` while the review names no policy */
  async draft(submissionId: string, revision: number, said: DecisionDraftRequest): Promise<DecisionDraft> {
    const [{ row, status }, { reviewerPolicyDigest }] = await Promise.all([
      this.reading.find(submissionId),
      this.readiness.now(),
    ]);
    if (row.revision !== revision) throw new ApiError('REVISION_STALE');
    if (reviewerPolicyDigest === null) throw new ApiError('MODULE_REVIEW_UNAVAILABLE');
    const { build } = status;
    const decision: DecisionDraft['decision'] = {
      ...said,
      artifactDigest: build?.artifactDigest ?? null,
      hostManifestDigest: build?.hostManifestDigest ?? null,
      reviewerPolicyDigest,
      decidedAt: String(Math.floor(this.clock.now() / 1_000)),
    };
    const { requestDigest } = row;
    const { domain, types, primaryType, message } = reviewDecisionTypedData(decision, { requestDigest, revision });
    return {
      schemaVersion: 'service.modules.decision-draft.v1',
      decision,
      typedData: {
        domain: { ...domain, chainId: Number(domain.chainId) },
        types: { EIP712Domain: EIP712_DOMAIN, ...types },
        primaryType,
        message: Object.fromEntries(
          Object.entries(message).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
        ),
      },
    };
  }
}
