import type { BlobStore } from '@launch/blob-store';
import { collectStepProofs, isTerminal, judgeNamed, type Poll } from '@launch/chain';
import type {
  ObservationMemory,
  ObservedStage,
  ObserveStepInput,
  ObserveStepResult,
  StepPoll,
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

/** A poll of a step whose earlier state is verified. */
export type StepPollInput = Omit<ObserveStepInput, 'before'> & { readonly before: StepPoll | null };
export type UnsignedStepPoll = Omit<ObserveStepResult, 'signed'>;

export interface StepDependencies extends PollDependencies, PaceDependencies {
  readonly blobs: BlobStore;
  readonly plans: PlanLoader;
  readonly steps: StepObservationRepository;
}

/** Polls one step by the rule and by the client's hints, stores the observation, and plans the next poll. */
export async function observePlanStep(deps: StepDependencies, input: StepPollInput): Promise<UnsignedStepPoll> {
  const before = input.before?.memory ?? null;
  const plan = await deps.plans.load(input);
  const judged = { target: stepOf(plan, input.stepId).target, rule: plan.rule };
  const { observation, exchanges, proofs } = await pollTarget(
    deps,
    judged,
    { hints: input.hints, memory: before },
    collectStepProofs,
  );
  const { status, reason } = observation;
  const now = deps.now();
  const { planId, requestSha256, handoffSha256, stepId } = input;
  // Counted over every run of the plan, as for a launch: the gateway refuses a number below its own.
  const polls = Math.max(before?.polls ?? 0, await deps.steps.polls(planId, stepId)) + 1;
  const memory = { ...timeStage(before, observation, now).memory, polls };
  const observedAt = new Date(now);

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
    transactions: await transactionsOf(recordingPoll(deps, judged, []), input, memory),
  };
}

/**
 * Returns the status of each named transaction and of the found one. One without a statement keeps its earlier status, and
 * is left out if it has none.
 */
async function transactionsOf(
  poll: Poll,
  { hints, before }: Pick<StepPollInput, 'hints' | 'before'>,
  { transactionHash, stage }: ObservationMemory,
): Promise<StepTransaction[]> {
  const statusOf = async (hash: Hex): Promise<StepTransaction['status'] | undefined> => {
    if (hash === transactionHash && isThere(stage)) return 'included';
    if (hash === transactionHash && stage === 'reverted_finalized') return 'reverted';
    const earlier = before?.transactions.find((one) => one.transactionHash === hash)?.status;
    return (await judgeNamed(poll, hash)) ?? earlier;
  };
  const hashes = [...new Set([...hints, ...(transactionHash === null ? [] : [transactionHash])])];
  const judged = await Promise.all(
    hashes.map(async (hash): Promise<StepTransaction[]> => {
      const status = await statusOf(hash);
      const source = hints.includes(hash) ? 'hint' : 'observed';
      return status === undefined ? [] : [{ transactionHash: hash, source, status }];
    }),
  );
  return judged.flat();
}

const isThere = (stage: ObservedStage): boolean => stage === 'included' || stage === 'posted' || stage === 'finalized';
