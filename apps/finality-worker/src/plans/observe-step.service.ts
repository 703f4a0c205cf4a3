import type { BlobStore } from '@launch/blob-store';
import { collectStepProofs, isTerminal, judgeNamed, type Look } from '@launch/chain';
import type {
  ObservationMemory,
  ObserveStepInput,
  ObserveStepResult,
  StepTransaction,
} from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { failpoint } from '@launch/platform';
import { lookAtTarget, recordedLook, type LookDependencies } from '../observation/look-at-target.js';
import { nextLook, type PaceDependencies } from '../observation/next-look.js';
import { timeStage } from '../observation/time-stage.js';
import { stepOf, type PlanLoader } from './plan.loader.js';
import { storeStepEvidence } from './step-evidence.js';
import type { StepObservationRepository } from './step-observation.repository.js';

export interface StepDependencies extends LookDependencies, PaceDependencies {
  readonly blobs: BlobStore;
  readonly plans: PlanLoader;
  readonly steps: StepObservationRepository;
}

/** One look at one step: by the rule, and by what its owner named; keeps what was seen, and says when to look again. */
export async function observePlanStep(deps: StepDependencies, input: ObserveStepInput): Promise<ObserveStepResult> {
  const plan = await deps.plans.load(input);
  const looked = { target: stepOf(plan, input.stepId).target, rule: plan.rule };
  const { observation, exchanges, proofs } = await lookAtTarget(deps, looked, input, collectStepProofs);
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
    ...(await nextLook(deps, memory, status === 'indeterminate', now)),
    evidenceSha256,
    // What a client named is no part of the evidence: these questions are not kept.
    transactions: await transactionsOf(recordedLook(deps, looked, []), input.hints, memory),
  };
}

/** What became of each transaction that was named, and of the one that was found; none that nobody says anything of. */
async function transactionsOf(
  look: Look,
  hints: readonly Hex[],
  { transactionHash, stage }: ObservationMemory,
): Promise<StepTransaction[]> {
  const hashes = [...new Set([...hints, ...(transactionHash === null ? [] : [transactionHash])])];
  const isThere = stage === 'included' || stage === 'posted' || stage === 'finalized';
  const judged = await Promise.all(
    hashes.map(async (hash): Promise<StepTransaction[]> => {
      const status = isThere && hash === transactionHash ? 'included' : await judgeNamed(look, hash);
      const source = hints.includes(hash) ? 'hint' : 'observed';
      return status === null ? [] : [{ transactionHash: hash, source, status }];
    }),
  );
  return judged.flat();
}
