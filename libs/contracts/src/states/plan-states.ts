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

/** What can be learned of a step; observers that disagree or do not answer are no trigger at all. */
export const STEP_TRIGGERS = [
  /** All that it needs is included, both simulators agree at the head, and a minute is left. */
  'offered',
  /** A reorganisation took back a step that it needs. */
  'predecessor_gone',
  /** A client named a transaction: a name for the reader and nothing else. */
  'proof_named',
  /** The named transaction is another's, or nobody shows it any more. */
  'proof_refuted',
  /** Both L2 observers agree on what proves the step. */
  'inclusion_agreed',
  /** Its block is not in the L2 chain any more, or its receipt is gone. */
  'inclusion_gone',
  'posting_agreed',
  'posting_gone',
  /** The common finalized checkpoint is at or above the posting, and all was read again at that L2 block. */
  'finality_proven',
  /** It reverted in a finalized block, and the permit cannot be used again. */
  'revert_finalized',
  /** Finalized L2 time is past the deadline, and the step is not in the chain. */
  'window_passed',
] as const;
export type StepTrigger = (typeof STEP_TRIGGERS)[number];

type Moves = Readonly<Partial<Record<StepTrigger, StepStatus>>>;

/** A step progresses without any proof, and stages can be passed over between two looks. */
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

/** The status after a trigger: the same where the trigger does not concern it. */
export const nextStepStatus = (status: StepStatus, trigger: StepTrigger): StepStatus =>
  moves[status][trigger] ?? status;

/** Whether a step that needs this one may be offered. */
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

/** Plans that another one may take the place of: ended below finality. The accepted successor makes them `superseded`. */
export const SUPERSEDABLE_STATUSES = ['action_required', 'failed', 'expired'] as const satisfies readonly PlanStatus[];

/** A plan that was admitted is what its steps make it; so a reorganisation that takes a step back takes the plan back. */
export function planStatusOf(steps: readonly StepStatus[]): PlanStatus {
  if (steps.includes('reverted')) return 'failed';
  if (steps.includes('expired')) return 'expired';
  if (steps.every((status) => status === 'finalized')) return 'finalized';
  if (steps.every(isIncluded)) return 'finalizing';
  return steps.some((status) => isIncluded(status) || status === 'proof_received') ? 'in_progress' : 'awaiting_wallet';
}
