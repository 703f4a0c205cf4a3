import type { PlanResourceV12 } from '@launch/contracts/plans';

export type PlanGoal = 'signature' | 'included' | 'finalized';

interface GoalStep {
  readonly stepId: string;
  readonly status: PlanResourceV12['steps'][number]['status'];
  readonly authorization: object | null;
}
interface GoalPlan {
  readonly status: PlanResourceV12['status'];
  readonly steps: readonly GoalStep[];
}

const INCLUDED: readonly GoalStep['status'][] = ['included', 'ethereum_posted', 'finalized'];
const ENDS: readonly GoalPlan['status'][] = ['action_required', 'finalized', 'failed', 'expired', 'superseded'];

/** Returns whether the wallet can send the transaction of a step. */
export const isOffered = ({ status, authorization }: GoalStep): boolean =>
  authorization !== null && (status === 'awaiting_signature' || status === 'proof_received');

/** Returns whether a step, or the plan if none is named, has reached a goal. */
export function isPlanAt(goal: PlanGoal, { status, steps }: GoalPlan, stepId: string | undefined): boolean {
  const chosen = stepId === undefined ? steps : steps.filter((step) => step.stepId === stepId);
  switch (goal) {
    case 'signature':
      return chosen.some(isOffered);
    case 'included':
      return chosen.every((step) => INCLUDED.includes(step.status));
    case 'finalized':
      return stepId === undefined ? status === 'finalized' : chosen.every((step) => step.status === 'finalized');
  }
}

/** Returns whether a plan changes no more without its owner. */
export const hasPlanEnded = (status: GoalPlan['status']): boolean => ENDS.includes(status);
