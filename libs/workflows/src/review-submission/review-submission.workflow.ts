import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import {
  REVIEW_REJECTIONS,
  REVIEW_UPDATES,
  TASK_QUEUES,
  type AttestationInput,
  type BuildInput,
  type BuildVerdict,
  type DecisionUpdate,
  type ModuleBuildActivities,
  type ModuleGatewayActivities,
  type ModuleReviewActivities,
  type PlanUpdate,
  type ReviewAnswer,
  type ReviewState,
  type ReviewSubject,
} from '@launch/contracts/orchestration';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { Review } from './review-submission.logic.js';

export const attachPlan = defineUpdate<ReviewAnswer, [PlanUpdate]>(REVIEW_UPDATES.attachPlan);
export const requeue = defineUpdate<ReviewAnswer, [{ readonly revision: number }]>(REVIEW_UPDATES.requeue);
export const decide = defineUpdate<ReviewAnswer, [DecisionUpdate]>(REVIEW_UPDATES.decide);

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const OUTCOMES = ['accept', 'request_changes', 'reject'] as const;

const review = proxyActivities<ModuleReviewActivities>({ ...IDEMPOTENT_WRITE, taskQueue: TASK_QUEUES.moduleReview });
const reading = proxyActivities<ModuleReviewActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.moduleReview });
const gateway = proxyActivities<ModuleGatewayActivities>({ ...IDEMPOTENT_WRITE, taskQueue: TASK_QUEUES.gateway });
/** One attempt is one builder's: whether another one follows is counted here. */
const builder = proxyActivities<ModuleBuildActivities>({
  taskQueue: TASK_QUEUES.moduleBuild,
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
});

/** Waits on the queue for as long as nobody polls it. */
const asking = proxyActivities<ModuleBuildActivities>({
  taskQueue: TASK_QUEUES.moduleBuild,
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
});

const rejection = (code: (typeof REVIEW_REJECTIONS)[keyof typeof REVIEW_REJECTIONS], message: string) =>
  ApplicationFailure.nonRetryable(`${code}: ${message}`, code);

function checkDigest(digest: unknown, name: string): void {
  if (typeof digest !== 'string' || !DIGEST.test(digest))
    throw rejection(REVIEW_REJECTIONS.input, `${name} is sha256: followed by 64 hex digits`);
}

/** Null for a builder that was lost, or that gave no verdict: the next attempt may be another's. */
async function buildOnce(input: BuildInput): Promise<BuildVerdict | null> {
  try {
    return await builder.buildModule(input);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return null;
  }
}

async function askBuilder(question: AttestationInput): Promise<boolean> {
  try {
    await asking.attestBuilder(question);
    return true;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return false;
  }
}

/** A submission's review from its draft to a decision; its id is `review/<submissionId>`. */
export async function reviewSubmission(subject: ReviewSubject): Promise<ReviewState> {
  const { submissionId } = subject;
  const reviewing = new Review(
    subject,
    {
      openReview: (opened) => review.openReview(opened),
      judgePlan: (input) => reading.judgePlan(input),
      judgeDecision: (input) => reading.judgeDecision(input),
      prepareBuild: (input) => reading.prepareBuild(input),
      checkBuild: (input) => reading.checkBuild(input),
      moveReview: (move) => review.moveReview(move),
      askBuilder,
      pause: sleep,
      isHistoryLong: () => workflowInfo().continueAsNewSuggested,
      build: buildOnce,
      async show({ state, revision, attempt, statusSha256 }) {
        upsertMemo({ state, revision, attempt });
        await gateway.recordReview({ submissionId, revision, statusSha256 });
      },
      until: condition,
    },
    rejection,
  );
  setHandler(attachPlan, (update) => reviewing.attachPlan(update), {
    description: 'A build plan for this submission: {"revision", "planSha256"}.',
    validator({ revision, planSha256 }) {
      checkDigest(planSha256, 'planSha256');
      reviewing.check(revision, 'plan_attached');
    },
  });
  setHandler(requeue, (update) => reviewing.requeue(update), {
    description: 'Builds the plan that failed once more: {"revision"}. For operators.',
    validator({ revision }) {
      reviewing.check(revision, 'plan_attached');
      if (!reviewing.hasPlan) throw rejection(REVIEW_REJECTIONS.state, 'there is no plan yet');
    },
  });
  setHandler(decide, (update) => reviewing.decide(update), {
    description: 'A signed decision: {"revision", "outcome", "decisionSha256"}.',
    validator({ revision, outcome, decisionSha256 }) {
      checkDigest(decisionSha256, 'decisionSha256');
      if (!OUTCOMES.includes(outcome)) throw rejection(REVIEW_REJECTIONS.input, `outcome is ${OUTCOMES.join(', ')}`);
      reviewing.check(revision, outcome);
    },
  });
  const state = await reviewing.run();
  await condition(allHandlersFinished);
  if (state === 'continue') return continueAsNew<typeof reviewSubmission>(subject);
  return state;
}
