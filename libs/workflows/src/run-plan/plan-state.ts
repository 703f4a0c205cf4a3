import {
  MAX_PLAN_PROOFS,
  MAX_STEP_PROOFS,
  type NamedProof,
  type ObservedStage,
  type ObserveStepResult,
  type PlanOutcome,
  type PlanStepMemory,
  type PlanStepPart,
} from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import {
  isIncluded,
  isStepEnd,
  nextStepStatus,
  planStatusOf,
  runningPlanStatusOf,
  type RunningPlanStatus,
  type StepStatus,
  type StepTrigger,
} from '@launch/contracts/states';

/** The steps of a plan in their order. Every function here returns new ones. */
export type PlanSteps = readonly PlanStepMemory[];

/** Returns the initial steps, without any knowledge. */
export const unknownSteps = (parts: readonly PlanStepPart[]): PlanSteps =>
  parts.map((part) => ({
    ...part,
    status: 'blocked',
    observed: null,
    transactions: [],
    evidenceSha256: null,
  }));

/**
 * Adds transactions from clients to the steps. Ignores those beyond the bounds, of an unknown step or of an ended step.
 */
export function withProofs(steps: PlanSteps, proofs: readonly NamedProof[]): PlanSteps {
  return proofs.reduce((sofar, { stepId, transactionHash }) => {
    const step = sofar.find((one) => one.stepId === stepId);
    if (step === undefined || isEnded(step) || isFull(step, sofar) || names(step, transactionHash)) return sofar;
    const transactions = [...step.transactions, { transactionHash, source: 'hint', status: 'unseen' } as const];
    return withStep(sofar, moved({ ...step, transactions }, 'proof_named'));
  }, steps);
}

const names = ({ transactions }: PlanStepMemory, hash: Hex): boolean =>
  transactions.some(({ transactionHash }) => transactionHash === hash);

const isFull = (step: PlanStepMemory, steps: PlanSteps): boolean =>
  hintsOf(step).length >= MAX_STEP_PROOFS ||
  steps.filter((one) => !isEnded(one)).flatMap(hintsOf).length >= MAX_PLAN_PROOFS;

/** Returns the transactions that clients named for a step. */
export const hintsOf = ({ transactions }: PlanStepMemory): Hex[] =>
  transactions.filter(({ source }) => source === 'hint').map(({ transactionHash }) => transactionHash);

/**
 * Returns the steps that can be on chain by now: those whose predecessors are included, and those seen before. The
 * router accepts them only in order.
 */
export const inPlay = (steps: PlanSteps): PlanSteps =>
  steps.filter((step) => !isEnded(step) && (isReady(step, steps) || wasSeen(step)));

const wasSeen = ({ observed, status }: PlanStepMemory): boolean =>
  isIncluded(status) || (observed !== null && observed.memory.stage !== 'pending');

/** Returns whether a step waits only for its offer. */
export const isOfferable = (step: PlanStepMemory, steps: PlanSteps): boolean =>
  step.status === 'blocked' && isReady(step, steps);

/**
 * Returns the steps to observe early after an observation of others: one that can be offered now, or all steps if one
 * left the chain, because a reorganisation may also have removed those before it.
 */
export function unsettled(before: PlanSteps, now: PlanSteps): PlanSteps {
  const hasGone = before.some((step) => isIncluded(step.status) && !isIncluded(stepOf(now, step.stepId).status));
  return hasGone
    ? now
    : now.filter((step) => isOfferable(step, now) && !isOfferable(stepOf(before, step.stepId), before));
}

const isReady = (step: PlanStepMemory, steps: PlanSteps): boolean =>
  predecessorsOf(step, steps).every(({ status }) => isIncluded(status));

const predecessorsOf = ({ dependsOn }: PlanStepMemory, steps: PlanSteps): PlanSteps =>
  steps.filter(({ stepId }) => dependsOn.includes(stepId));

/** Returns a step after one observation. An observation without a statement keeps the stage before it. */
export function observed(step: PlanStepMemory, result: ObserveStepResult): PlanStepMemory {
  const { basis: _basis, nextPollMs: _next, ...poll } = result;
  const { memory, evidenceSha256 } = poll;
  const seen = { ...step, observed: poll, transactions: judged(step, result), evidenceSha256 };
  return moved(seen, ...triggersOf(step.status, memory.stage));
}

/** A named transaction keeps its last judgement; a found one stays until a statement contradicts it. */
function judged({ transactions }: PlanStepMemory, { transactions: now, observation }: ObserveStepResult) {
  const byHash = new Map(now.map((one) => [one.transactionHash, one]));
  const before = transactions.filter(
    ({ transactionHash, source }) =>
      source === 'hint' || byHash.has(transactionHash) || observation.status === 'indeterminate',
  );
  const known = before.map(({ transactionHash }) => transactionHash);
  return [
    ...before.map((one) => ({ ...one, status: byHash.get(one.transactionHash)?.status ?? one.status })),
    ...now.filter(({ transactionHash }) => !known.includes(transactionHash)),
  ];
}

/** The triggers of a stage, in the order of the stages. */
function triggersOf(status: StepStatus, stage: ObservedStage): StepTrigger[] {
  switch (stage) {
    case 'pending':
    case 'submitted':
      return isIncluded(status) ? ['inclusion_gone'] : [];
    case 'included':
      return [status === 'ethereum_posted' ? 'posting_gone' : 'inclusion_agreed'];
    case 'posted':
      return ['posting_agreed'];
    case 'finalized':
      return ['finality_proven'];
    case 'reverted_finalized':
      return ['revert_finalized'];
    case 'expired':
      return ['window_passed'];
  }
}

/** Returns the step after both simulators agreed that it can be sent. */
export const offered = (step: PlanStepMemory): PlanStepMemory =>
  moved(step, 'offered', isNamed(step) ? 'proof_named' : 'proof_refuted');

/** Applies to each step the state of its predecessors and of the transactions named for it. */
export function settled(steps: PlanSteps): PlanSteps {
  return steps.reduce<PlanSteps>((sofar, { stepId }) => {
    const step = stepOf(sofar, stepId);
    const next = moved(step, isNamed(step) ? 'proof_named' : 'proof_refuted');
    return withStep(sofar, moved(next, ...inherited(next, sofar)));
  }, steps);
}

function inherited(step: PlanStepMemory, steps: PlanSteps): StepTrigger[] {
  if (isReady(step, steps)) return [];
  // It has the same window as its predecessor, because both belong to one permit.
  const isOver = predecessorsOf(step, steps).some(({ status }) => status === 'expired' || status === 'reverted');
  return isOver ? ['predecessor_gone', 'window_passed'] : ['predecessor_gone'];
}

/** Returns whether a known transaction may still prove to be this step's. */
const isNamed = ({ transactions }: PlanStepMemory): boolean =>
  transactions.some(({ status }) => status === 'unseen' || status === 'seen' || status === 'included');

/**
 * Returns whether enough is known about a step to show it. A new run knows nothing at first and must not move back a
 * step that an earlier run recorded, until the observers or simulators report on it.
 */
export function isKnown(step: PlanStepMemory, steps: PlanSteps): boolean {
  if (step.status !== 'blocked' || step.observed?.memory.statedAt !== undefined) return true;
  const predecessors = predecessorsOf(step, steps);
  return !isReady(step, steps) && predecessors.every((one) => isKnown(one, steps));
}

/** Returns whether a step has ended. */
export const isEnded = ({ status }: PlanStepMemory): boolean => isStepEnd(status);

/** Returns the end of the plan; null while a step can still change. */
export function outcomeOf(steps: PlanSteps): PlanOutcome | null {
  return steps.every(isEnded) ? (planStatusOf(steps.map(({ status }) => status)) as PlanOutcome) : null;
}

/** Returns the status of a running plan. */
export const runningStatusOf = (steps: PlanSteps): RunningPlanStatus =>
  runningPlanStatusOf(steps.map(({ status }) => status));

/** Returns the step with this id. @throws TypeError if the plan has none. */
export function stepOf(steps: PlanSteps, stepId: string): PlanStepMemory {
  const found = steps.find((step) => step.stepId === stepId);
  if (found === undefined) throw new TypeError(`the plan has no step ${stepId}`);
  return found;
}

export const withStep = (steps: PlanSteps, changed: PlanStepMemory): PlanSteps =>
  steps.map((step) => (step.stepId === changed.stepId ? changed : step));

const moved = (step: PlanStepMemory, ...triggers: readonly StepTrigger[]): PlanStepMemory => {
  const status = triggers.reduce<StepStatus>(nextStepStatus, step.status);
  return status === step.status ? step : { ...step, status };
};
