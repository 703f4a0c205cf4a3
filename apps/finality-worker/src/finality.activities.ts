import { finalityInputs } from '@launch/contracts/activities';
import { canonicalizeJson } from '@launch/contracts/json';
import type { FinalityActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge, type ActivityWork } from '@launch/worker';
import { observeLaunchOnce, type ObservationDependencies } from './observation/observe-launch.service.js';
import { customLaunchRecord } from './record/custom-launch-record.js';
import { finalizedRecord } from './record/finalized-record.js';
import { readFinalizedHead, searchStamps, type RecoveryDependencies } from './recovery/search-stamps.service.js';

const FAILED = 'FINALITY_STEP_FAILED';

/** What observation and recovery do; each loads what it needs by hash, so any worker can take any poll. */
export const finalityWork = (
  deps: ObservationDependencies & RecoveryDependencies,
): ActivityWork<FinalityActivities> => ({
  observe: (input) => observeLaunchOnce(deps, input),
  async buildFinalizedRecord(input) {
    const launch = await deps.launches.load(input);
    const record =
      launch.family === 'multi-role.v2'
        ? finalizedRecord(input.launchId, launch, input.memory, input.finalizedAt)
        : customLaunchRecord(launch, input);
    const recordSha256 = await deps.blobs.put(canonicalizeJson(record));
    await deps.observations.recordPublished(input.launchId, recordSha256);
    return { recordSha256 };
  },
  finalizedHead: () => readFinalizedHead(deps),
  scanStamps: (input) => searchStamps(deps, input),
  commitCheckpoint: (input) => deps.checkpoints.move(input.router, input.before, input.through, new Date(deps.now())),
});

/** The activities of `launch-finality`. */
export const createFinalityActivities = (
  work: ActivityWork<FinalityActivities>,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<FinalityActivities> =>
  new Activities<FinalityActivities>(finalityInputs, work, { failures: { outage: FAILED, fault: FAILED }, onTrouble });
