import { compilationInputs, longCompilationInputs } from '@launch/contracts/activities';
import type { CompilationActivities, LaunchRef, LongCompilationActivities } from '@launch/contracts/orchestration';
import { Activities, fairnessKey, type ActivityEdge } from '@launch/worker';
import type { AdmissionSteps } from '../admission.steps.js';
import { isShareTaken, LineageShares } from './lineage-shares.js';

const FAILURES = { outage: 'ADMISSION_STEP_FAILED', fault: 'ADMISSION_STEP_FAILED' };

/** Returns the owner of a compilation: the lineage that the gateway named, or the controller of a workflow without one. */
const lineageOf = ({ controller }: LaunchRef): string => fairnessKey() ?? controller;

/**
 * The activity of `launch-compilation`.
 * @param places concurrent compilations; one lineage may use half of them.
 */
export function createCompilationActivities(
  steps: Pick<AdmissionSteps, 'compileRequest'>,
  places: number,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<CompilationActivities> {
  const shares = new LineageShares(Math.max(Math.floor(places / 2), 1));
  return new Activities<CompilationActivities>(
    compilationInputs,
    {
      compileRequest: (ref, { signal }) => shares.run(lineageOf(ref), () => steps.compileRequest(ref, signal)),
    },
    {
      failures: FAILURES,
      // A compilation that waits for its lineage's share is not in trouble.
      onTrouble: (trouble) => {
        if (!isShareTaken(trouble.err)) onTrouble(trouble);
      },
    },
  );
}

/** The activity of `launch-long-compilation`. */
export const createLongCompilationActivities = (
  steps: Pick<AdmissionSteps, 'compileLongRequest'>,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<LongCompilationActivities> =>
  new Activities<LongCompilationActivities>(
    longCompilationInputs,
    { compileLongRequest: (ref, { signal }) => steps.compileLongRequest(ref, signal) },
    { failures: FAILURES, onTrouble },
  );
