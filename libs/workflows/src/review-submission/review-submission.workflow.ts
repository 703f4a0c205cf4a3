import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  proxyActivities,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  REVIEW_REJECTIONS,
  REVIEW_UPDATES,
  SEARCH_ATTRIBUTES,
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
  type ReviewResume,
  type ReviewSubject,
} from '@launch/contracts/orchestration';
import type { ReviewState } from '@launch/contracts/states';
import { OperatorConsole } from '../operator/operator-console.js';
import { NextStepHold } from '../operator/next-step-hold.js';
import { StepPauses } from '../operator/step-pauses.js';
import { stepSummary } from '../operator/step-summaries.js';
import { troubleHooks } from '../operator/trouble-hooks.js';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps, MAX_FAULTS, MAX_LOSSES, STEP_PAUSES, watched, type Patience } from '../steps/bounded-steps.js';
import { endlessPatience } from '../steps/patient-steps.js';
import { stepEndOf } from '../steps/step-end.js';
import { Review } from './review-submission.logic.js';
import { checkDigest, checkOutcome, judged, rejection } from './review-updates.js';

export const attachPlan = defineUpdate<ReviewAnswer, [PlanUpdate]>(REVIEW_UPDATES.attachPlan);
export const requeue = defineUpdate<ReviewAnswer, [{ readonly revision: number }]>(REVIEW_UPDATES.requeue);
export const decide = defineUpdate<ReviewAnswer, [DecisionUpdate]>(REVIEW_UPDATES.decide);

/** The party that a review in this state waits for, as an operator reads it. */
const WAITS_FOR: Partial<Readonly<Record<ReviewState, string>>> = {
  awaiting_plan: 'a reviewer to attach a build plan',
  queued: 'a builder of the reviewer policy',
  built: "a reviewer's decision",
  build_failed: "a reviewer's plan or decision",
};

const review = (step: string) =>
  proxyActivities<ModuleReviewActivities>({
    ...IDEMPOTENT_WRITE,
    // Another worker soon takes over the write of a killed one.
    heartbeatTimeout: '15 seconds',
    taskQueue: TASK_QUEUES.moduleReview,
    summary: stepSummary(step),
  });
const reading = (step: string) =>
  proxyActivities<ModuleReviewActivities>({
    ...READ_ONLY,
    taskQueue: TASK_QUEUES.moduleReview,
    summary: stepSummary(step),
  });
const gateway = (step: string) =>
  proxyActivities<ModuleGatewayActivities>({
    ...IDEMPOTENT_WRITE,
    taskQueue: TASK_QUEUES.gateway,
    summary: stepSummary(step),
  });
/** One attempt is one builder; the review counts them and decides about another one. */
const builder = (attempt: number) =>
  proxyActivities<ModuleBuildActivities>({
    taskQueue: TASK_QUEUES.moduleBuild,
    startToCloseTimeout: '20 minutes',
    heartbeatTimeout: '20 seconds',
    retry: { maximumAttempts: 1 },
    summary: `${stepSummary('buildModule')}: attempt ${attempt}`,
  });
/** Waits on the queue while no worker polls it. */
const asking = proxyActivities<ModuleBuildActivities>({
  taskQueue: TASK_QUEUES.moduleBuild,
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
  summary: stepSummary('attestBuilder'),
});

/** Runs a submission's review from its draft to a decision; its id is `review/<submissionId>`. */
export async function reviewSubmission(subject: ReviewSubject, resume?: ReviewResume): Promise<ReviewState> {
  const { submissionId } = subject;
  const shown = new OperatorConsole('awaiting_plan');
  const pauses = new StepPauses(shown);
  const wait = (): void =>
    shown.waiting(
      hold.isHeld && reviewing.state === 'queued'
        ? 'an operator to release the review'
        : (WAITS_FOR[reviewing.state] ?? null),
    );
  const hold = new NextStepHold(resume?.held ?? false, {
    shown,
    what: 'review',
    effect: 'begin no further build until it is released',
    description:
      'Begins no further build of this review until it is released. Input: a reason, a JSON string, or nothing. ' +
      'A running build, plans and decisions continue.',
    until: null,
    onChange() {
      upsertMemo({ held: hold.isHeld });
      wait();
    },
  });
  const hooks: Pick<Required<Patience>, 'pause' | 'watch' | 'onTrouble' | 'onRecovery'> = {
    pause: pauses.pause,
    watch: shown,
    ...troubleHooks(shown, (trouble) => {
      upsertMemo({ trouble });
      if (trouble === '') wait();
    }),
  };
  const endless = endlessPatience(hooks);
  const bounded: Patience = { ...hooks, faults: MAX_FAULTS, losses: MAX_LOSSES, pauses: STEP_PAUSES };
  const [writes, reads, judges, shows] = [
    boundedSteps(review, endless),
    boundedSteps(reading, endless),
    boundedSteps(reading, bounded),
    boundedSteps(gateway, endless),
  ];

  /** The code of the last failure does not mean trouble for the review: a builder was lost, or has another policy. */
  const tried = <T, E>(step: string, work: () => Promise<T>, ended: (code: string) => E): Promise<T | E> =>
    watched(shown, step, undefined, async (failed) => {
      try {
        return await work();
      } catch (error) {
        const end = stepEndOf(error);
        if (end === null) throw error;
        failed(end.code);
        return ended(end.code);
      }
    });

  const reviewing: Review = new Review(
    subject,
    {
      openReview: (opened) => writes.openReview(opened),
      judgePlan: (input) => judged(judges.judgePlan(input)),
      judgeDecision: (input) => judged(judges.judgeDecision(input)),
      judgePlanAgain: (plan) => reads.judgePlan(plan),
      prepareBuild: (input) => reads.prepareBuild(input),
      checkBuild: (input) => reads.checkBuild(input),
      moveReview: (move) => writes.moveReview(move),
      askBuilder: (question: AttestationInput) =>
        tried(
          'attestBuilder',
          async () => (await asking.attestBuilder(question), null),
          (code) => code,
        ),
      build: (input: BuildInput): Promise<BuildVerdict | null> =>
        tried(
          'buildModule',
          () => builder(input.attempt).buildModule(input),
          () => null,
        ),
      async pause(milliseconds, code, attempts) {
        const trouble = { step: 'attestBuilder', code, attempts };
        hooks.onTrouble(trouble);
        await pauses.pause(milliseconds, trouble);
        hooks.onRecovery();
      },
      released: () => condition(() => !hold.isHeld),
      isHistoryLong: () => workflowInfo().continueAsNewSuggested,
      async show({ state, revision, attempt, statusSha256, planSha256, findingsSha256 }) {
        shown.reached(state);
        wait();
        upsertSearchAttributes({
          [SEARCH_ATTRIBUTES.submission]: [submissionId],
          [SEARCH_ATTRIBUTES.author]: [subject.author],
          [SEARCH_ATTRIBUTES.reviewState]: [state],
          [SEARCH_ATTRIBUTES.reviewAttempt]: [attempt],
        });
        upsertMemo({ state, revision, attempt });
        await shows.recordReview({ submissionId, revision, statusSha256, planSha256, findingsSha256 });
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
  shown.offer(() =>
    reviewing.state === 'build_failed'
      ? {
          update: REVIEW_UPDATES.requeue,
          effect: `build the plan once more; its input is \`{"revision": ${reviewing.revision}}\``,
        }
      : null,
  );
  setHandler(decide, (update) => reviewing.decide(update), {
    description: 'A signed decision: {"revision", "outcome", "decisionSha256"}.',
    validator({ revision, outcome, decisionSha256 }) {
      checkDigest(decisionSha256, 'decisionSha256');
      checkOutcome(outcome);
      reviewing.check(revision, outcome);
    },
  });

  const end = await reviewing.run();
  await condition(allHandlersFinished);
  if (end === 'continue') return continueAsNew<typeof reviewSubmission>(subject, { held: hold.isHeld });
  shown.close();
  return end;
}
