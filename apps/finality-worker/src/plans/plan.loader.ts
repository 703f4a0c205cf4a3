import type { BlobReader } from '@launch/blob-store';
import {
  atomicLaunchTarget,
  routerV1Target,
  type ComponentTarget,
  type FinalityRule,
  type StampedTarget,
} from '@launch/chain';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { PlanRef } from '@launch/contracts/orchestration';
import {
  planHandoffSchema,
  planRequestSchema,
  type PlanHandoff,
  type PlanHandoffStep,
  type PlanRequest,
} from '@launch/contracts/plans';
import { recentReads } from '@launch/platform';
import { FinalityError } from '../finality.error.js';
import type { CustomLaunchContextRepository } from '../launch/custom-launch-context.repository.js';
import { documentsOf, ruleOf, withoutSources } from '../launch/launch.loader.js';

/** One handed-off step and its target. */
export interface HandedOffStep {
  readonly step: PlanHandoffStep;
  readonly target: StampedTarget | ComponentTarget;
}

/** A handed-off plan. */
export interface HandedOffPlan {
  readonly request: PlanRequest;
  /** The context that the request names. */
  readonly context: CustomLaunchContext;
  readonly handoff: PlanHandoff;
  readonly rule: FinalityRule;
  /** In plan order. */
  readonly steps: readonly HandedOffStep[];
}

export interface PlanLoader {
  /** Reads by hash, so the answer never changes. @throws BlobError, FinalityError */
  load(plan: PlanRef): Promise<HandedOffPlan>;
}

/** The number of plans that stay parsed while their steps are polled every few seconds. */
const KEPT = 16;

export function createPlanLoader(blobs: BlobReader, contexts: Pick<CustomLaunchContextRepository, 'load'>): PlanLoader {
  const recent = recentReads<HandedOffPlan>(KEPT);
  return {
    load: (plan) =>
      recent([plan.planId, plan.requestSha256, plan.handoffSha256].join(' '), () => read(blobs, contexts, plan)),
  };
}

async function read(
  blobs: BlobReader,
  contexts: Pick<CustomLaunchContextRepository, 'load'>,
  plan: PlanRef,
): Promise<HandedOffPlan> {
  const { handoff, body } = await documentsOf(blobs, plan, planHandoffSchema);
  if (handoff.planId !== plan.planId)
    throw new FinalityError('HANDOFF_OF_ANOTHER_REQUEST', 'the hand-off names another plan');
  const request = withoutSources(planRequestSchema.parse(body));
  const context = await contexts.load(handoff.contextHash);
  const steps = handoff.steps.map((step) => ({ step, target: targetOf(step, handoff, context) }));
  return { request, context, handoff, rule: ruleOf(context), steps };
}

function targetOf(
  step: PlanHandoffStep,
  { simulation }: PlanHandoff,
  context: CustomLaunchContext,
): StampedTarget | ComponentTarget {
  if (step.kind !== 'atomic_launch') {
    const { walletTransaction } = step;
    return routerV1Target({ walletTransaction, simulation }, context);
  }
  return atomicLaunchTarget({ chainId: context.chainId, calls: step.calls, simulation }, context);
}

/** @throws FinalityError STEP_UNKNOWN */
export function stepOf({ steps }: HandedOffPlan, stepId: string): HandedOffStep {
  const found = steps.find(({ step }) => step.stepId === stepId);
  if (found === undefined) throw new FinalityError('STEP_UNKNOWN', 'the plan has no such step');
  return found;
}
