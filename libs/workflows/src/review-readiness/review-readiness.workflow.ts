import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import {
  REVIEW_READINESS_EVERY_MS,
  TASK_QUEUES,
  type AttestationInput,
  type HousekeepingInput,
  type ModuleBuildActivities,
  type ReviewReadinessActivities,
  type ReviewReadinessGatewayActivities,
  type SignedAttestation,
} from '@launch/contracts/orchestration';
import { housekeep } from '../housekeeping/housekeep.js';

/** The most rounds of one run, with about thirty history events each. */
const ROUNDS_A_RUN = 120;

/** A late report is worth less than the next one, so there are no retries. */
const ONCE = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
} as const;

const review = proxyActivities<ReviewReadinessActivities>({
  ...ONCE,
  taskQueue: TASK_QUEUES.moduleReview,
  summary: 'Check the review service',
});
const builder = proxyActivities<ModuleBuildActivities>({
  ...ONCE,
  taskQueue: TASK_QUEUES.moduleBuild,
  summary: 'Verify the identity of the builder',
});
const gateway = proxyActivities<ReviewReadinessGatewayActivities>({
  ...ONCE,
  taskQueue: TASK_QUEUES.gateway,
  summary: 'Show the readiness',
});

/** Returns null while no builder of the policy answers. */
async function answerTo(question: AttestationInput): Promise<SignedAttestation | null> {
  try {
    return await builder.attestBuilder(question);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return null;
  }
}

/** Makes one report of the readiness of reviews. */
async function report(): Promise<void> {
  const { databaseReady, question } = await review.reviewSelfCheck();
  const answer = await answerTo(question);
  const workerAuthorityReady = answer !== null && (await review.judgeBuilder({ question, answer }));
  await gateway.recordReviewReadiness({
    databaseReady,
    workerAuthorityReady,
    reviewerPolicyDigest: question.reviewerPolicyDigest,
    workerSourceCommit: workerAuthorityReady ? answer.workerSourceCommit : null,
  });
}

/** Reports the readiness of reviews periodically. */
export async function reportReviewReadiness(input?: HousekeepingInput): Promise<void> {
  return housekeep(input, {
    everyMs: REVIEW_READINESS_EVERY_MS,
    maxRounds: ROUNDS_A_RUN,
    async round() {
      await report();
      return REVIEW_READINESS_EVERY_MS;
    },
  });
}
