import { randomBytes } from 'node:crypto';
import type { BlobStore } from '@launch/blob-store';
import { assertCanonicalJson, canonicalizeJson, givenName } from '@launch/contracts/json';
import {
  buildPlanSchema,
  DECISION_OUTCOMES,
  planProblem,
  reviewDecisionSchema,
  reviewStatusOf,
  type BuildPlan,
  type BuildResult,
  type ModuleReviewStatus,
  type ReviewDecision,
  type ReviewerPolicy,
  type ReviewStep,
} from '@launch/contracts/modules';
import type {
  BuildVerdict,
  BuiltAttempt,
  ModuleReviewActivities,
  ReviewMove,
  ReviewRecord,
} from '@launch/contracts/orchestration';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { ReviewTrigger } from '@launch/contracts/states';
import { decisionProblem, reviewDecisionDigest, verifyBuilderSignature } from '@launch/evm';
import { failpoint } from '@launch/platform';
import { ReviewError, type RecordedReview, type ReviewRepository, type StepRow } from './review.repository.js';
import type { SubmissionReader } from './submissions/submission.reader.js';

export interface ReviewParts {
  readonly blobs: BlobStore;
  readonly submissions: Pick<SubmissionReader, 'read'>;
  readonly reviews: ReviewRepository;
  readonly policy: { readonly document: ReviewerPolicy; readonly digest: Sha256Digest };
  readonly now: () => Date;
}

type Built = Extract<BuildVerdict, { status: 'built' }>;
/** Maximum submissions in one chain of supersession, including the submission itself. */
const MAX_LINEAGE = 256;

/**
 * Creates the activities of a module's review: they read blobs by digest, judge by the policy, and record each step.
 */
export function createReviewService({ blobs, submissions, reviews, policy, now }: ReviewParts): ModuleReviewActivities {
  const documentOf = async (digest: Sha256Digest): Promise<unknown> => assertCanonicalJson(await blobs.get(digest));

  async function decisionOf(digest: Sha256Digest): Promise<ReviewDecision | null> {
    const parsed = reviewDecisionSchema.safeParse(await documentOf(digest));
    return parsed.success ? parsed.data : null;
  }

  /**
   * Returns the authors and reward wallets of a submission and of its predecessors; null while one of these has no
   * review.
   */
  async function lineageWallets({ review }: RecordedReview): Promise<Hex[] | null> {
    const wallets = new Set<Hex>();
    for (let at = review, seen = 0; ; seen += 1) {
      if (seen === MAX_LINEAGE) throw new ReviewError('REVIEW_INPUT_UNREADABLE', 'the lineage is too long');
      for (const wallet of (await submissions.read(at.requestDigest as Sha256Digest)).wallets) wallets.add(wallet);
      if (at.supersedes === null) return [...wallets];
      const predecessor = await reviews.findOpened(at.supersedes);
      if (predecessor === null) return null;
      at = predecessor.review;
    }
  }

  /** Stores the status that follows from the record's steps, and returns both. */
  async function recorded(one: RecordedReview): Promise<ReviewRecord> {
    const { review, steps } = one;
    const reported: ReviewStep[] = [];
    for (const [index, step] of steps.entries()) reported.push(await reportedStep(review.requestDigest, step, index));
    const status = reviewStatusOf(
      {
        submissionId: review.submissionId,
        packageId: review.packageId as Hex,
        requestDigest: review.requestDigest as Sha256Digest,
        createdAt: review.createdAt.toISOString(),
      },
      reported,
    );
    return {
      state: status.review.state,
      revision: status.review.revision,
      attempt: status.review.attempt,
      losses: stepsOfPlan(one).filter(({ trigger }) => trigger === 'builder_lost').length,
      planSha256: (steps.at(-1)?.planSha256 ?? null) as Sha256Digest | null,
      findingsSha256: lastBuild(one)?.findingsSha256 ?? null,
      statusSha256: await blobs.put(canonicalizeJson(status)),
    };
  }

  async function reportedStep(requestDigest: string, step: StepRow, revision: number): Promise<ReviewStep> {
    const { failureCode, failurePlace } = step;
    return {
      trigger: step.trigger as ReviewTrigger,
      attempt: step.attempt,
      at: step.at.toISOString(),
      failure:
        failureCode === null
          ? null
          : {
              code: failureCode as NonNullable<ReviewStep['failure']>['code'],
              place: await reportedPlace(step.planSha256, failurePlace ?? ''),
            },
      build: evidenceOf(step.build as Built | null),
      decision: await reportedDecision(requestDigest, step, revision),
    };
  }

  /** Converts a place for the author: it has the paths of the plan's sources, which no history contains. */
  async function reportedPlace(planSha256: string | null, place: string): Promise<string> {
    const numbered = /\/sources\/(\d+)/.exec(place);
    const plan = numbered === null || planSha256 === null ? null : await planOf(planSha256 as Sha256Digest);
    const path = plan?.sources[Number(numbered?.[1])]?.path;
    return numbered === null || path === undefined ? place : place.replace(numbered[0], () => givenName(path));
  }

  async function reportedDecision(
    requestDigest: string,
    step: StepRow,
    revision: number,
  ): Promise<ModuleReviewStatus['decision']> {
    if (step.decisionSha256 === null) return null;
    const decision = await decisionOf(step.decisionSha256 as Sha256Digest);
    if (decision === null) throw new ReviewError('REVIEW_INPUT_UNREADABLE', 'a recorded decision is none');
    const { outcome, reason, reviewerWallet, artifactDigest, hostManifestDigest } = decision;
    return {
      outcome,
      reason,
      reviewerWallet,
      decidedAt: new Date(Number(decision.decidedAt) * 1_000).toISOString(),
      digest: reviewDecisionDigest(decision, { requestDigest: requestDigest as Sha256Digest, revision }),
      artifactDigest,
      hostManifestDigest,
    };
  }

  async function planOf(planSha256: Sha256Digest): Promise<BuildPlan | null> {
    const parsed = buildPlanSchema.safeParse(await documentOf(planSha256));
    return parsed.success ? parsed.data : null;
  }

  async function isSigned({ submissionId, planSha256, attempt, build }: BuiltAttempt): Promise<boolean> {
    const { status: _built, signature, ...evidence } = build;
    const { review } = await reviews.find(submissionId);
    const result: BuildResult = {
      schemaVersion: 'service.modules.build-result.v1',
      submissionId,
      submissionDigest: review.requestDigest as Sha256Digest,
      planSha256,
      attempt,
      reviewerPolicyDigest: policy.digest,
      ...evidence,
    };
    return verifyBuilderSignature(result, signature, policy);
  }

  /** @param nowOf the seconds with which the decision's own time is compared. */
  async function judgedDecision(
    { submissionId, revision, outcome, decisionSha256 }: Parameters<ModuleReviewActivities['judgeDecision']>[0],
    nowOf: (decision: ReviewDecision) => bigint,
  ): Promise<string | null> {
    const decision = await decisionOf(decisionSha256);
    // A signature of one outcome is not valid for another.
    if (decision?.outcome !== outcome) return 'REVIEW_SIGNATURE_INVALID';
    const one = await reviews.find(submissionId);
    const wallets = await lineageWallets(one);
    if (wallets === null) return 'MODULE_REVIEW_JOB_UNAVAILABLE';
    const evidence = evidenceOf(lastBuild(one));
    return decisionProblem(
      decision,
      {
        requestDigest: one.review.requestDigest as Sha256Digest,
        revision,
        lineageWallets: wallets,
        build: evidence && {
          artifactDigest: evidence.artifactDigest,
          hostManifestDigest: evidence.hostManifestDigest,
        },
      },
      policy,
      nowOf(decision),
    );
  }

  /** @throws ReviewError `BUILD_RESULT_UNSIGNED`, `DECISION_UNSIGNED` */
  async function checkMove(move: ReviewMove): Promise<void> {
    const { submissionId, planSha256, attempt, build } = move;
    if (build !== null && (planSha256 === null || !(await isSigned({ submissionId, planSha256, attempt, build }))))
      throw new ReviewError('BUILD_RESULT_UNSIGNED', `BUILD_RESULT_UNSIGNED ${submissionId}`);
    await checkDecided(move);
  }

  /** Checks that the decision's outcome is the move's trigger. Its time was judged when it arrived. */
  async function checkDecided({ submissionId, revision, trigger, decisionSha256 }: ReviewMove): Promise<void> {
    const outcome = DECISION_OUTCOMES.find((one) => one === trigger);
    if (outcome === undefined && decisionSha256 === null) return;
    const problem =
      outcome === undefined || decisionSha256 === null
        ? 'REVIEW_SIGNATURE_INVALID'
        : await judgedDecision({ submissionId, revision, outcome, decisionSha256 }, ({ decidedAt }) =>
            BigInt(decidedAt),
          );
    if (problem !== null) throw new ReviewError('DECISION_UNSIGNED', `DECISION_UNSIGNED ${submissionId}: ${problem}`);
  }

  return {
    openReview: async (subject) => recorded(await reviews.open(subject)),

    async judgePlan({ submissionId, planSha256 }) {
      const plan = await planOf(planSha256);
      if (plan === null) return { code: 'PLAN_MISMATCH', place: '' };
      const { review } = await reviews.find(submissionId);
      const { planned } = await submissions.read(review.requestDigest as Sha256Digest);
      return planProblem(plan, policy, planned);
    },

    judgeDecision: (input) => judgedDecision(input, () => BigInt(Math.floor(now().getTime() / 1_000))),

    prepareBuild: async (input) => ({
      input: { ...input, earlier: await reviews.earlierFindings(input.submissionId) },
      question: { reviewerPolicyDigest: policy.digest, nonce: `0x${randomBytes(32).toString('hex')}` },
    }),

    checkBuild: isSigned,

    async moveReview(move) {
      // A recorded move was judged when it was made, possibly under an earlier policy.
      if ((await reviews.find(move.submissionId)).steps.length === move.revision) await checkMove(move);
      const moved = await reviews.move(move);
      failpoint(`module-review.${move.trigger}`);
      return recorded(moved);
    },
  };
}

/** Returns the steps since the current plan was attached. */
const stepsOfPlan = ({ steps }: RecordedReview): readonly StepRow[] =>
  steps.slice(steps.findLastIndex(({ trigger }) => trigger === 'plan_attached') + 1);

/** Returns the build of the current plan. */
const lastBuild = (one: RecordedReview): Built | null =>
  (stepsOfPlan(one).findLast(({ build }) => build !== null)?.build ?? null) as Built | null;

const evidenceOf = (build: Built | null): ReviewStep['build'] =>
  build === null
    ? null
    : {
        artifactDigest: build.artifactSha256,
        hostManifestDigest: build.hostManifestSha256,
        toolchainDigest: build.toolchainSha256,
        logsSha256: build.logsSha256,
      };
