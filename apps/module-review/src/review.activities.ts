import { moduleReviewInputs } from '@launch/contracts/activities';
import type { ModuleReviewActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge } from '@launch/worker';

const FAILED = 'MODULE_REVIEW_STEP_FAILED';

/** The activities of `launch-module-review`. */
export const createReviewActivities = (
  service: ModuleReviewActivities,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<ModuleReviewActivities> =>
  new Activities<ModuleReviewActivities>(
    moduleReviewInputs,
    {
      openReview: (subject) => service.openReview(subject),
      judgePlan: (input) => service.judgePlan(input),
      judgeDecision: (input) => service.judgeDecision(input),
      prepareBuild: (input) => service.prepareBuild(input),
      checkBuild: (input) => service.checkBuild(input),
      moveReview: (move) => service.moveReview(move),
    },
    { failures: { outage: FAILED, fault: FAILED }, onTrouble },
  );
