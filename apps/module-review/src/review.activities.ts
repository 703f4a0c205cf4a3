import { moduleReviewInputs, reviewReadinessInputs } from '@launch/contracts/activities';
import type { ModuleReviewActivities, ReviewReadinessActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge } from '@launch/worker';

const FAILED = 'MODULE_REVIEW_STEP_FAILED';

type AllReviewActivities = ModuleReviewActivities & ReviewReadinessActivities;

/** The activities of `launch-module-review`. */
export const createReviewActivities = (
  service: ModuleReviewActivities,
  readiness: ReviewReadinessActivities,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<AllReviewActivities> =>
  new Activities<AllReviewActivities>(
    { ...moduleReviewInputs, ...reviewReadinessInputs },
    {
      openReview: (subject) => service.openReview(subject),
      judgePlan: (input) => service.judgePlan(input),
      judgeDecision: (input) => service.judgeDecision(input),
      prepareBuild: (input) => service.prepareBuild(input),
      checkBuild: (input) => service.checkBuild(input),
      moveReview: (move) => service.moveReview(move),
      reviewSelfCheck: () => readiness.reviewSelfCheck(),
      judgeBuilder: (input) => readiness.judgeBuilder(input),
    },
    { failures: { outage: FAILED, fault: FAILED }, onTrouble },
  );
