import { canonicalizeJson } from '@launch/contracts/json';
import type { ObservationMemory, PlanRef, ReadPlanResult } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { FinalityError } from '../finality.error.js';
import { customLaunchRecord } from '../record/custom-launch-record.js';
import type { StepDependencies } from './observe-step.service.js';

/** A record of a plan to build from the verified poll of its last step. */
export interface PlanRecordOf extends PlanRef {
  readonly memory: ObservationMemory;
  readonly evidenceSha256: Sha256Digest;
  readonly finalizedAt: string;
}

/** Reads the steps of a plan without their bytes. */
export async function readPlanSteps(
  { plans }: Pick<StepDependencies, 'plans'>,
  input: PlanRef,
): Promise<ReadPlanResult> {
  const { steps } = await plans.load(input);
  return {
    steps: steps.map(({ step: { stepId, ordinal, kind, dependsOn } }) => ({ stepId, ordinal, kind, dependsOn })),
  };
}

/**
 * Stores the public record of a finalized plan, whose last step stamps the launch.
 * @throws FinalityError EVIDENCE_INCOMPLETE if the memory is not of a finalized launch.
 */
export async function storePlanRecord(
  { plans, blobs }: Pick<StepDependencies, 'plans' | 'blobs'>,
  input: PlanRecordOf,
): Promise<{ readonly recordSha256: Sha256Digest }> {
  const { request, steps } = await plans.load(input);
  const target = steps.at(-1)?.target;
  if (target?.provenBy !== 'stamp-v1')
    throw new FinalityError('EVIDENCE_INCOMPLETE', 'the last step of the plan stamps nothing');
  const record = customLaunchRecord({ request, target }, 'plan', { ...input, launchId: input.planId });
  return { recordSha256: await blobs.put(canonicalizeJson(record)) };
}
