import { ApplicationFailure } from '@temporalio/common';
import type { BlobStore } from '@launch/blob-store';
import { admissionInputs, planAdmissionInputs } from '@launch/contracts/activities';
import type { AdmissionActivities, LaunchRef, PlanAdmissionActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge } from '@launch/worker';
import type { AdmissionSteps } from './admission.steps.js';
import { judgeRequest } from './judgement/judge-request.service.js';
import type { SignedOutcomes } from './receipt/signed-outcomes.js';

export interface ActivityDependencies {
  readonly steps: AdmissionSteps;
  readonly outcomes: SignedOutcomes;
  /** Loads requests by hash, for activities beside the steps. */
  readonly blobs: BlobStore;
  readonly onTrouble: ActivityEdge['onTrouble'];
}

const FAILED = 'ADMISSION_STEP_FAILED';

/** The activities of `launch-admission`. */
export function createAdmissionActivities(
  deps: ActivityDependencies,
): Activities<AdmissionActivities & PlanAdmissionActivities> {
  const { steps, outcomes, onTrouble } = deps;
  return new Activities<AdmissionActivities & PlanAdmissionActivities>(
    { ...admissionInputs, ...planAdmissionInputs },
    {
      judgeRequest: async (ref, compilation, { progress }) =>
        outcomes.evaluation(ref, await judgeRequest(steps, ref, compilation, progress)),
      judgePreflight: (ref, compilation) => steps.judgePreflight(ref, compilation),
      issueRefusal: (input) => steps.issueRefusal(input),
      rehearseLaunch: async (ref, economicsHash) =>
        outcomes.rehearsal(ref, await steps.rehearseLaunch(ref, economicsHash)),

      readUsdReference: async (ref) =>
        outcomes.reading(ref, await steps.readUsdReference(reserved(ref, 'readUsdReference'))),
      simulateHandoff: async (ref, permit, usdReferenceSha256) =>
        outcomes.simulation(
          ref,
          await steps.simulateHandoff(reserved(ref, 'simulateHandoff'), permit, usdReferenceSha256),
        ),
      simulateStep: (input) => steps.simulateStep(input),
    },
    { failures: { outage: FAILED, fault: FAILED }, onTrouble },
  );
}

function reserved(ref: LaunchRef, step: string): LaunchRef & { readonly launchId: string } {
  const { launchId } = ref;
  if (launchId === null) throw ApplicationFailure.nonRetryable(`${step} needs a reserved launch`, 'LAUNCH_REQUIRED');
  return { ...ref, launchId };
}
