import { CHAIN_TRIGGERS } from './chain-triggers.js';

/** Statuses of plans and steps, and their triggers (docs/reference/plans.md#step-status). */

export const STEP_STATUSES = [
  'blocked',
  'awaiting_signature',
  'proof_received',
  'included',
  'ethereum_posted',
  'finalized',
  'reverted',
  'expired',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Facts about a step. */
export const STEP_TRIGGERS = [
  /** All steps that it needs are included, both simulators succeed at the head, and a minute is left. */
  'offered',
  /** A reorganisation removed a step that it needs. */
  'predecessor_gone',
  /** A client named a transaction; this only informs readers. */
  'proof_named',
  /** The named transaction belongs to another step, or no observer shows it any more. */
  'proof_refuted',
  ...CHAIN_TRIGGERS,
] as const;
export type StepTrigger = (typeof STEP_TRIGGERS)[number];

type Moves = Readonly<Partial<Record<StepTrigger, StepStatus>>>;

/** A step progresses without a proof from a client, and can skip stages between two observations. */
const ON_CHAIN = {
  inclusion_agreed: 'included',
  posting_agreed: 'ethereum_posted',
  finality_proven: 'finalized',
  revert_finalized: 'reverted',
  window_passed: 'expired',
} as const satisfies Moves;

const STEP_TRANSITIONS = {
  blocked: { ...ON_CHAIN, offered: 'awaiting_signature' },
  awaiting_signature: { ...ON_CHAIN, predecessor_gone: 'blocked', proof_named: 'proof_received' },
  proof_received: { ...ON_CHAIN, predecessor_gone: 'blocked', proof_refuted: 'awaiting_signature' },
  included: {
    inclusion_gone: 'proof_received',
    posting_agreed: 'ethereum_posted',
    finality_proven: 'finalized',
    revert_finalized: 'reverted',
  },
  ethereum_posted: {
    inclusion_gone: 'proof_received',
    posting_gone: 'included',
    finality_proven: 'finalized',
    revert_finalized: 'reverted',
  },
  finalized: {},
  reverted: {},
  expired: {},
} as const satisfies Readonly<Record<StepStatus, Moves>>;

const moves: Readonly<Record<StepStatus, Moves>> = STEP_TRANSITIONS;

/** Returns the status after a trigger, or the same status if the trigger does not apply. */
export const nextStepStatus = (status: StepStatus, trigger: StepTrigger): StepStatus =>
  moves[status][trigger] ?? status;

/** Returns whether a step that needs this one may be offered. */
export const isIncluded = (status: StepStatus): boolean =>
  status === 'included' || status === 'ethereum_posted' || status === 'finalized';

export const PLAN_STATUSES = [
  'admission_pending',
  'action_required',
  'awaiting_wallet',
  'in_progress',
  'finalizing',
  'finalized',
  'failed',
  'expired',
  'superseded',
] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/**
 * Statuses of a plan that another one may supersede: ended below finality. An accepted successor makes it `superseded`.
 */
export const SUPERSEDABLE_STATUSES = ['action_required', 'failed', 'expired'] as const satisfies readonly PlanStatus[];

/**
 * Computes the status of an admitted plan from its steps, so a reorganisation that moves a step back moves the plan
 * back.
 */
export function planStatusOf(steps: readonly StepStatus[]): PlanStatus {
  if (steps.includes('reverted')) return 'failed';
  if (steps.includes('expired')) return 'expired';
  if (steps.every((status) => status === 'finalized')) return 'finalized';
  if (steps.every(isIncluded)) return 'finalizing';
  return steps.some((status) => isIncluded(status) || status === 'proof_received') ? 'in_progress' : 'awaiting_wallet';
}

/** Statuses of a plan while its workflow runs. */
export type RunningPlanStatus = Extract<PlanStatus, 'awaiting_wallet' | 'in_progress' | 'finalizing'>;

/** Computes the status of a running plan. A step with a bad end waits until those before it are finalized. */
export function runningPlanStatusOf(steps: readonly StepStatus[]): RunningPlanStatus {
  const status = planStatusOf(steps);
  return status === 'awaiting_wallet' || status === 'finalizing' ? status : 'in_progress';
}

/** Returns whether no trigger leaves the status of a step. */
export const isStepEnd = (status: StepStatus): boolean => Object.keys(moves[status]).length === 0;
