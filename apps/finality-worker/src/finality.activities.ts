import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { canonicalizeJson } from '@launch/contracts/json';
import type { FinalityActivities } from '@launch/contracts/orchestration';
import { FinalityError } from './finality.error.js';
import { observeLaunchOnce, type ObservationDependencies } from './observation/observe-launch.service.js';
import { finalizedRecord } from './record/finalized-record.js';
import { readFinalizedHead, searchStamps, type RecoveryDependencies } from './recovery/search-stamps.service.js';

const HEARTBEAT_MS = 5_000;

/** Runs a step with heartbeats; what trying again cannot mend is final. */
async function step<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } catch (error) {
    if (error instanceof FinalityError) throw ApplicationFailure.create({ type: error.code, message: error.message, nonRetryable: !error.retryable });
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** The activities of `launch-finality`; each loads what it needs by hash, so any worker can take any poll. */
export function createFinalityActivities(deps: ObservationDependencies & RecoveryDependencies): FinalityActivities {
  return {
    observe: (input) => step(() => observeLaunchOnce(deps, input)),
    buildFinalizedRecord: (input) =>
      step(async () => {
        const record = finalizedRecord(input.launchId, await deps.launches.load(input), input.memory, input.finalizedAt);
        const recordSha256 = await deps.blobs.put(canonicalizeJson(record));
        await deps.observations.recordPublished(input.launchId, recordSha256);
        return { recordSha256 };
      }),
    finalizedHead: () => step(() => readFinalizedHead(deps)),
    scanStamps: (input) => step(() => searchStamps(deps, input)),
    commitCheckpoint: (input) => step(() => deps.checkpoints.move(input.router, input.before, input.through, new Date(deps.now()))),
  };
}
