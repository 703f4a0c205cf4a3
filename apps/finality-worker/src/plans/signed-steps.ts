import { recordStatement, stepObservationStatement } from '@launch/contracts/activities';
import type {
  PlanFinalityActivities,
  PlanRef,
  SignedStepPoll,
  StatedHandoff,
  StepPoll,
} from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { FinalityError } from '../finality.error.js';
import type { PollKeys } from '../signed-polls.js';
import type { StepPollInput, UnsignedStepPoll } from './observe-step.service.js';
import type { PlanRecordOf } from './plan-record.js';
import type { PlanLoader } from './plan.loader.js';

export interface UnsignedSteps {
  observeStep(input: StepPollInput): Promise<UnsignedStepPoll>;
  buildPlanRecord(input: PlanRecordOf): Promise<{ readonly recordSha256: Sha256Digest }>;
}

/**
 * Signs polls of steps and records of plans, and continues only from polls that this service signed for the same step, as
 * `signPolls` does for launches.
 * @throws FinalityError `STATEMENT_UNVERIFIED`.
 */
export function signSteps(
  work: UnsignedSteps,
  { plans, signer, verifier }: PollKeys & { readonly plans: PlanLoader },
): Pick<PlanFinalityActivities, 'observeStep' | 'buildPlanRecord'> {
  const statedOf = async ({ planId, requestSha256, handoffSha256 }: PlanRef): Promise<StatedHandoff> => {
    const { requestHash, contextHash } = (await plans.load({ planId, requestSha256, handoffSha256 })).handoff;
    return { launchId: planId, requestSha256, requestHash, contextHash, handoffSha256 };
  };
  const pollOf = (plan: StatedHandoff, stepId: string, { signed, ...poll }: SignedStepPoll): StepPoll => {
    if (verifier.verify(stepObservationStatement(plan, stepId, poll), signed) !== 'valid')
      throw new FinalityError('STATEMENT_UNVERIFIED', 'the earlier poll is not signed by this service');
    return poll;
  };

  return {
    async observeStep({ before, ...input }) {
      const plan = await statedOf(input);
      const { stepId } = input;
      const earlier = before === null ? null : pollOf(plan, stepId, before);
      const { basis, nextPollMs, ...poll } = await work.observeStep({ ...input, before: earlier });
      return { ...poll, signed: signer.sign(stepObservationStatement(plan, stepId, poll)), basis, nextPollMs };
    },
    async buildPlanRecord({ observed, ...input }) {
      const plan = await statedOf(input);
      const last = (await plans.load(input)).steps.at(-1)?.step.stepId ?? '';
      const { memory, evidenceSha256 } = pollOf(plan, last, observed);
      if (memory.stage !== 'finalized' || evidenceSha256 === null)
        throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${memory.stage}`);
      const { recordSha256 } = await work.buildPlanRecord({
        ...input,
        memory,
        evidenceSha256,
        finalizedAt: memory.stageSince,
      });
      return { recordSha256, signed: signer.sign(recordStatement(plan, { recordSha256, evidenceSha256 })) };
    },
  };
}
