import { canonicalizeJson } from '@launch/contracts/json';
import type { FinalityActivities } from '@launch/contracts/orchestration';
import { isOutage } from '@launch/platform';
import { activityStep, type StepOptions } from '@launch/worker';
import { observeLaunchOnce, type ObservationDependencies } from './observation/observe-launch.service.js';
import { finalizedRecord } from './record/finalized-record.js';
import { readFinalizedHead, searchStamps, type RecoveryDependencies } from './recovery/search-stamps.service.js';

/** The activities of `launch-finality`; each loads what it needs by hash, so any worker can take any poll. */
export function createFinalityActivities(
  deps: ObservationDependencies & RecoveryDependencies & Pick<StepOptions, 'onTrouble'>,
): FinalityActivities {
  const step = activityStep({ isOutage, unknown: 'FINALITY_STEP_FAILED', onTrouble: deps.onTrouble });
  return {
    observe: (input) => step(() => observeLaunchOnce(deps, input)),
    buildFinalizedRecord: (input) =>
      step(async () => {
        const record = finalizedRecord(
          input.launchId,
          await deps.launches.load(input),
          input.memory,
          input.finalizedAt,
        );
        const recordSha256 = await deps.blobs.put(canonicalizeJson(record));
        await deps.observations.recordPublished(input.launchId, recordSha256);
        return { recordSha256 };
      }),
    finalizedHead: () => step(() => readFinalizedHead(deps)),
    scanStamps: (input) => step(() => searchStamps(deps, input)),
    commitCheckpoint: (input) =>
      step(() => deps.checkpoints.move(input.router, input.before, input.through, new Date(deps.now()))),
  };
}
