import type { BlobStore } from '@launch/blob-store';
import { collectStepProofs, isTerminal, judgeNamed, type Poll } from '@launch/chain';
import type {
  ObservationMemory,
  ObserveStepInput,
  ObserveStepResult,
  StepTransaction,
} from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { failpoint } from '@launch/platform';
import { pollTarget, recordingPoll, type PollDependencies } from '../observation/poll-target.js';
import { nextPoll, type PaceDependencies } from '../observation/next-poll.js';
import { timeStage } from '../observation/time-stage.js';
import { stepOf, type PlanLoader } from './plan.loader.js';
import { storeStepEvidence } from './step-evidence.js';
import type { StepObservationRepository } from './step-observation.repository.js';

export interface StepDependencies extends PollDependencies, PaceDependencies {
  readonly blobs: BlobStore;
  readonly plans: PlanLoader;
  readonly steps: StepObservationRepository;
}

/** Polls one step by the rule and by the client's hints, stores the observation, and plans the next poll. */
export async function observePlanStep(deps: StepDependencies, input: ObserveStepInput): Promise<ObserveStepResult> {
  const plan = await deps.plans.load(input);
  const judged = { target: stepOf(plan, input.stepId).target, rule: plan.rule };
  const { observation, exchanges, proofs } = await pollTarget(deps, judged, input, collectStepProofs);
  const { status, reason } = observation;
  const now = deps.now();
  const { memory } = timeStage(input.memory, observation, now);
  const observedAt = new Date(now);
  const { planId, requestSha256, handoffSha256, stepId } = input;

  const evidenceSha256 = isTerminal(memory.stage)
    ? await storeStepEvidence(deps.blobs, {
        input: { planId, requestSha256, handoffSha256, stepId },
        plan,
        memory,
        observedAt: observedAt.toISOString(),
        exchanges,
        proofs,
      })
    : null;
  if (evidenceSha256 !== null) failpoint('finality.after-step-evidence');
  await deps.steps.save({ planId, stepId, memory, status, reason, evidenceSha256, observedAt });
  if (memory.inclusion !== null) failpoint('finality.after-step-inclusion');
  return {
    memory,
    observation: { status, reason, at: observedAt.toISOString() },
    ...(await nextPoll(deps, memory, status === 'indeterminate', now)),
    evidenceSha256,
    // A client's hints are not part of the evidence, so these requests are not recorded.
    transactions: await transactionsOf(recordingPoll(deps, judged, []), input.hints, memory),
  };
}

/** Returns the status of each named transaction and of the found one, except those without a statement. */
async function transactionsOf(
  poll: Poll,
  hints: readonly Hex[],
  { transactionHash, stage }: ObservationMemory,
): Promise<StepTransaction[]> {
  const hashes = [...new Set([...hints, ...(transactionHash === null ? [] : [transactionHash])])];
  const isThere = stage === 'included' || stage === 'posted' || stage === 'finalized';
  const judged = await Promise.all(
    hashes.map(async (hash): Promise<StepTransaction[]> => {
      const status = isThere && hash === transactionHash ? 'included' : await judgeNamed(poll, hash);
      const source = hints.includes(hash) ? 'hint' : 'observed';
      return status === null ? [] : [{ transactionHash: hash, source, status }];
    }),
  );
  return judged.flat();
}
