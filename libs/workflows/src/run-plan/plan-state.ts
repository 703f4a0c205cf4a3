import {
  MAX_PLAN_PROOFS,
  MAX_STEP_PROOFS,
  type NamedProof,
  type ObservedStage,
  type ObserveStepResult,
  type PlanOutcome,
  type PlanStepMemory,
  type PlanStepPart,
  type RunningPlanStatus,
} from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { isIncluded, nextStepStatus, planStatusOf, type StepStatus, type StepTrigger } from '@launch/contracts/states';

/** The steps of a plan in their order; every function here answers new ones. */
export type PlanSteps = readonly PlanStepMemory[];

/** Steps of which nothing is known yet. */
export const unknownSteps = (parts: readonly PlanStepPart[]): PlanSteps =>
  parts.map((part) => ({
    ...part,
    status: 'blocked',
    observed: null,
    transactions: [],
    evidenceSha256: null,
  }));

/** The steps with what clients named; anything beyond the bounds, of no step or of an ended one has no effect. */
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

/** Transactions that clients named for a step. */
export const hintsOf = ({ transactions }: PlanStepMemory): Hex[] =>
  transactions.filter(({ source }) => source === 'hint').map(({ transactionHash }) => transactionHash);

/** Steps that can be on chain by now: all that they need is there, or they were seen before. The router takes them in order alone. */
export const inPlay = (steps: PlanSteps): PlanSteps =>
  steps.filter((step) => !isEnded(step) && (isReady(step, steps) || wasSeen(step)));

const wasSeen = ({ observed, status }: PlanStepMemory): boolean =>
  isIncluded(status) || (observed !== null && observed.stage !== 'pending');

/** Whether a step waits for nothing but to be offered. */
export const isOfferable = (step: PlanStepMemory, steps: PlanSteps): boolean =>
  step.status === 'blocked' && isReady(step, steps);

/**
 * Steps to look at before their time, after what was seen of others: one that can be offered now, and all where one has
 * gone from the chain, for what took it may have taken those before it.
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
  const { memory, evidenceSha256 } = result;
  const seen = { ...step, observed: memory, transactions: judged(step, result), evidenceSha256 };
  return moved(seen, ...triggersOf(step.status, memory.stage));
}

/** What was named stays as it was last judged; what was found stays until a statement says otherwise. */
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

/** What is learned from a stage, in the order of the stages. */
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

/** The step as both simulators agree that it can be sent. */
export const offered = (step: PlanStepMemory): PlanStepMemory =>
  moved(step, 'offered', isNamed(step) ? 'proof_named' : 'proof_refuted');

/** What follows for each step from those it needs, and from what became of the transactions that were named for it. */
export function settled(steps: PlanSteps): PlanSteps {
  return steps.reduce<PlanSteps>((sofar, { stepId }) => {
    const step = stepOf(sofar, stepId);
    const next = moved(step, isNamed(step) ? 'proof_named' : 'proof_refuted');
    return withStep(sofar, moved(next, ...inherited(next, sofar)));
  }, steps);
}

function inherited(step: PlanStepMemory, steps: PlanSteps): StepTrigger[] {
  if (isReady(step, steps)) return [];
  // Its predecessor's window is its own: both are of one permit.
  const isOver = predecessorsOf(step, steps).some(({ status }) => status === 'expired' || status === 'reverted');
  return isOver ? ['predecessor_gone', 'window_passed'] : ['predecessor_gone'];
}

/** Whether a transaction is known that may still turn out to be this step's. */
const isNamed = ({ transactions }: PlanStepMemory): boolean =>
  transactions.some(({ status }) => status === 'unseen' || status === 'seen' || status === 'included');

/**
 * Whether enough was said of a step for its owner to read. A run that begins anew knows nothing at first: it takes no
 * step back that an earlier run recorded, until the observers or the simulators say so.
 */
export function isKnown(step: PlanStepMemory, steps: PlanSteps): boolean {
  if (step.status !== 'blocked' || step.observed?.statedAt !== undefined) return true;
  const predecessors = predecessorsOf(step, steps);
  return !isReady(step, steps) && predecessors.every((one) => isKnown(one, steps));
}

/** Whether nothing can happen to a step any more. */
export const isEnded = ({ status }: PlanStepMemory): boolean =>
  status === 'finalized' || status === 'reverted' || status === 'expired';

/** The end of the plan; null while anything can still happen to one of its steps. */
export function outcomeOf(steps: PlanSteps): PlanOutcome | null {
  return steps.every(isEnded) ? (planStatusOf(steps.map(({ status }) => status)) as PlanOutcome) : null;
}

/** What a plan is while it has no end: a step that ended badly waits for those before it to be finalized. */
export function runningStatusOf(steps: PlanSteps): RunningPlanStatus {
  const status = planStatusOf(steps.map((step) => step.status));
  return status === 'awaiting_wallet' || status === 'finalizing' ? status : 'in_progress';
}

/** @throws TypeError where the plan has no such step. */
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
