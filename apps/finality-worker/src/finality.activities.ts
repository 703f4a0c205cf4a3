import { finalityInputs, planFinalityInputs } from '@launch/contracts/activities';
import { canonicalizeJson } from '@launch/contracts/json';
import type { FinalityActivities, PlanFinalityActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge, type ActivityWork } from '@launch/worker';
import type { LaunchLoader } from './launch/launch.loader.js';
import { observeLaunchOnce, type ObservationDependencies } from './observation/observe-launch.service.js';
import { observePlanStep, type StepDependencies } from './plans/observe-step.service.js';
import { readPlanSteps, storePlanRecord } from './plans/plan-record.js';
import type { PlanLoader } from './plans/plan.loader.js';
import { signSteps, type UnsignedSteps } from './plans/signed-steps.js';
import { customLaunchRecord } from './record/custom-launch-record.js';
import { finalizedRecord } from './record/finalized-record.js';
import { signPolls, type PollKeys, type UnsignedPolls } from './signed-polls.js';
import { readFinalizedHead, searchStamps, type RecoveryDependencies } from './recovery/search-stamps.service.js';

const FAILED = 'FINALITY_STEP_FAILED';

/**
 * Creates the work of observation and recovery. Each call loads its documents by hash, so any worker can run any poll.
 */
export const finalityWork = (
  deps: ObservationDependencies & RecoveryDependencies & StepDependencies,
): UnsignedFinalityWork => ({
  observe: (input) => observeLaunchOnce(deps, input),
  async buildFinalizedRecord(input) {
    const launch = await deps.launches.load(input);
    const record =
      launch.family === 'multi-role.v2'
        ? finalizedRecord(input.launchId, launch, input.memory, input.finalizedAt)
        : customLaunchRecord(launch, 'launch', input);
    const recordSha256 = await deps.blobs.put(canonicalizeJson(record));
    await deps.observations.recordPublished(input.launchId, recordSha256);
    return { recordSha256 };
  },
  readPlan: (input) => readPlanSteps(deps, input),
  observeStep: (input) => observePlanStep(deps, input),
  buildPlanRecord: (input) => storePlanRecord(deps, input),
  finalizedHead: () => readFinalizedHead(deps),
  scanStamps: (input) => searchStamps(deps, input),
  commitCheckpoint: (input) => deps.checkpoints.move(input.router, input.before, input.through, new Date(deps.now())),
});

type Unsigned = UnsignedPolls & UnsignedSteps;
export type UnsignedFinalityWork = Unsigned & Omit<ActivityWork<FinalityWorkerActivities>, keyof Unsigned>;

/** Signs the results that the gateway stores. */
export const signedFinalityWork = (
  work: UnsignedFinalityWork,
  keys: PollKeys & { readonly launches: LaunchLoader; readonly plans: PlanLoader },
): ActivityWork<FinalityWorkerActivities> => ({ ...work, ...signPolls(work, keys), ...signSteps(work, keys) });

/** All activities of `launch-finality`. */
export type FinalityWorkerActivities = FinalityActivities & PlanFinalityActivities;

/** The activities of `launch-finality`. */
export const createFinalityActivities = (
  work: ActivityWork<FinalityWorkerActivities>,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<FinalityWorkerActivities> =>
  new Activities<FinalityWorkerActivities>({ ...finalityInputs, ...planFinalityInputs }, work, {
    failures: { outage: FAILED, fault: FAILED },
    onTrouble,
  });
