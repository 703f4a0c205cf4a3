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

/** Rounds of one run; each is some thirty history events. */
const ROUNDS_A_RUN = 120;

/** A report that is late is worth less than the next one: nothing is tried again. */
const ONCE = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
} as const;

const review = proxyActivities<ReviewReadinessActivities>({
  ...ONCE,
  taskQueue: TASK_QUEUES.moduleReview,
  summary: 'Look at the review itself',
});
const builder = proxyActivities<ModuleBuildActivities>({
  ...ONCE,
  taskQueue: TASK_QUEUES.moduleBuild,
  summary: 'Ask the builder who it is',
});
const gateway = proxyActivities<ReviewReadinessGatewayActivities>({
  ...ONCE,
  taskQueue: TASK_QUEUES.gateway,
  summary: 'Show the readiness',
});

/** Null while no builder of the policy answers. */
async function answerTo(question: AttestationInput): Promise<SignedAttestation | null> {
  try {
    return await builder.attestBuilder(question);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return null;
  }
}

/** One report of what the review can do now. */
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

/** Reports what the review can do, again and again. */
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
