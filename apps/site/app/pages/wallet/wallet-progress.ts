import type { Idle } from './wallet-flow.js';
import type { Resource } from './wallet-source.js';

/** The stages after the signature, in their order. */
export const STAGES = ['submitted', 'included', 'posted', 'finalized'] as const;
export type Stage = (typeof STAGES)[number];

/** The service's view of a transaction. It is a claim: the wallet's own receipt is shown beside it. */
export interface Progress {
  /** The last stage that was reached; null before the transaction was seen. */
  readonly stage: Stage | null;
  readonly outcome: 'open' | 'finalized' | 'failed';
  /** RFC 3339; null if no stage is expected. */
  readonly nextStageAt: string | null;
}

type PlanResource = Extract<Resource, { family: 'plan' }>['plan'];
type Step = PlanResource['steps'][number];

/** Returns the reason why nothing can be signed now; null if the service offers a hand-off. */
export function idleReason(resource: Resource): Idle | null {
  if (resource.family === 'plan') return idlePlan(resource.plan);
  const { status } = resource.launch;
  if (status === 'finalized') return 'finalized';
  if (ENDED.includes(status)) return 'ended';
  const handoff = resource.family === 'custom-launch' ? resource.launch.handoff : resource.launch.wallet;
  if (stageOf(resource) !== null) return 'sent-elsewhere';
  return handoff === null ? 'not-ready' : null;
}

function idlePlan(plan: PlanResource): Idle | null {
  if (plan.status === 'finalized') return 'finalized';
  if (ENDED.includes(plan.status)) return 'ended';
  if (offeredStep(plan) !== null) return null;
  return plan.steps.some(({ status }) => status === 'blocked') ? 'not-ready' : 'sent-elsewhere';
}

const ENDED: readonly string[] = ['action_required', 'failed', 'expired', 'superseded', 'reverted'];

/** Returns the step that the wallet can send now. */
export const offeredStep = ({ steps }: PlanResource): Step | null =>
  steps.find(
    ({ status, authorization }) =>
      authorization !== null && (status === 'awaiting_signature' || status === 'proof_received'),
  ) ?? null;

/** Returns the progress of the transaction that this tab sent. @param stepId of a plan */
export function progressOf(resource: Resource, stepId: string | null): Progress {
  if (resource.family === 'plan') return stepProgress(resource.plan, stepId);
  const { status, finality } = resource.launch;
  return {
    stage: stageOf(resource),
    outcome: status === 'finalized' ? 'finalized' : ENDED.includes(status) ? 'failed' : 'open',
    nextStageAt: finality.estimatedNextStageAt,
  };
}

function stepProgress({ status, steps }: PlanResource, stepId: string | null): Progress {
  const step = steps.find((one) => one.stepId === stepId);
  const isFailed = ENDED.includes(status) || (step !== undefined && ENDED.includes(step.status));
  return {
    stage: step === undefined ? null : stepStage(step.status),
    outcome: status === 'finalized' ? 'finalized' : isFailed ? 'failed' : 'open',
    nextStageAt: step?.finality.estimatedNextStageAt ?? null,
  };
}

const STEP_STAGES: Readonly<Partial<Record<Step['status'], Stage>>> = {
  proof_received: 'submitted',
  included: 'included',
  ethereum_posted: 'posted',
  finalized: 'finalized',
};
const stepStage = (status: Step['status']): Stage | null => STEP_STAGES[status] ?? null;

/** Returns whether the plan goes on with another step after this one. */
export const hasNextStep = ({ steps }: PlanResource, stepId: string | null): boolean => {
  const step = steps.find((one) => one.stepId === stepId);
  const isIncluded = step !== undefined && step.status !== 'proof_received' && stepStage(step.status) !== null;
  return isIncluded && steps.some(({ ordinal, status }) => ordinal > step.ordinal && stepStage(status) === null);
};

type Launched = Exclude<Resource, { family: 'plan' }>;

function stageOf(resource: Launched): Stage | null {
  if (resource.launch.status === 'finalized') return 'finalized';
  return resource.family === 'custom-launch' ? customStage(resource.launch) : multiRoleStage(resource.launch);
}

function customStage({ status }: Extract<Launched, { family: 'custom-launch' }>['launch']): Stage | null {
  if (status === 'ethereum_posted') return 'posted';
  if (status === 'sequencer_soft_confirmed') return 'included';
  return status === 'submitted' ? 'submitted' : null;
}

function multiRoleStage({ status, finality }: Extract<Launched, { family: 'multi-role' }>['launch']): Stage | null {
  if (finality.posting !== null) return 'posted';
  if (finality.inclusion !== null) return 'included';
  return status === 'submitted' ? 'submitted' : null;
}
