import { customLaunchFinding, type CustomLaunchFinding } from '@launch/contracts/errors';
import {
  canShowPlan,
  PLAN_PATHS,
  type PlanMode,
  type PlanResourceV12,
  type PlanStepView,
  type PlanView,
} from '@launch/contracts/plans';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import { isIncluded, type PlanStatus, type StepStatus } from '@launch/contracts/states';
import { maySee } from '../../../core/accounts/credentials/caller.js';
import type { ReleaseState } from '../../../core/gates/custom-launch-release.js';
import { sitePagesOf, type OwnerView } from '../../../core/launches/owner-view.js';
import { hasEstimatePassed, isWindowOpen } from '../../../core/launches/reading-time.js';
import { isOfPlanProfile } from './plan-profile.js';
import type { PlanRow, StepFinality, StepRow, StepTransaction } from '../data/plan.row.js';

/** The route of a plan, stored with the plan and sent as `Location`. */
export const resumeUrlOf = (planId: string): string =>
  PLAN_PATHS.get.replace('{chainId}', '4663').replace('{planId}', planId);

/** Returns the finding for a plan that a response version cannot show; null for other plans. */
export const tooOldFinding = (version: PlanResponseVersion, mode: PlanMode): CustomLaunchFinding | null =>
  canShowPlan(version, mode)
    ? null
    : customLaunchFinding('RESPONSE_VERSION_TOO_OLD', '', {
        expected: '1.2',
        actual: version,
        detail: 'Send Service-Launch-Response-Version: 1.2.',
      });

/** The owner's view of a plan, and the release whose context and profile a plan may outlive. */
export interface PlanViewer extends OwnerView {
  readonly release: ReleaseState;
}

/** Builds the full view of a plan; `planResourceOf` omits members that an older version lacks. */
export function planView(plan: PlanRow, viewer: PlanViewer): PlanView {
  const steps = plan.steps.map((step) => stepView(plan, step, viewer));
  const asksWallet = steps.some(({ authorization, status }) => authorization !== null && WAITING.includes(status));
  return {
    schemaVersion: 'service.custom-launch-plan-resource.v1.2',
    planId: plan.planId,
    planDigest: plan.planDigest,
    requestSha256: plan.requestSha256,
    status: plan.status,
    createdAt: plan.createdAt.toISOString(),
    updatedAt: plan.updatedAt.toISOString(),
    expiresAt: new Date(Number(plan.deadline) * 1_000).toISOString(),
    launchWallet: plan.controller,
    resumeUrl: plan.resumeUrl,
    findings: plan.findings,
    progress: {
      completedSteps: steps.filter(({ status }) => status === 'finalized').length,
      nextStepId: steps.find(({ status }) => !isIncluded(status))?.stepId ?? null,
      totalSteps: steps.length,
    },
    steps,
    ...sitePagesOf(viewer, 'plans', plan.planId, asksWallet),
    continuation: continuationOf(plan, viewer.release),
  };
}

const NOT_OBSERVED: StepFinality = {
  stage: 'pending',
  l2Inclusion: null,
  l1Posting: null,
  l1FinalizedCheckpoint: null,
  estimatedNextStageAt: null,
};

function stepView(plan: PlanRow, step: StepRow, viewer: PlanViewer) {
  return {
    stepId: step.stepId,
    ordinal: step.ordinal,
    kind: step.kind,
    status: step.status,
    dependsOn: step.dependsOn,
    authorization: isAuthorizationShown(plan, step, viewer) ? step.authorization : null,
    transactions: transactionsOf(step),
    finality: step.finality === null ? NOT_OBSERVED : finalityAt(step.finality, viewer.nowMs),
  } satisfies PlanStepView;
}

/** Returns the finality without an estimate that passed without a new observation. */
function finalityAt(finality: StepFinality, nowMs: number): StepFinality {
  return hasEstimatePassed(finality.estimatedNextStageAt, nowMs)
    ? { ...finality, estimatedNextStageAt: null }
    : finality;
}

/** Steps that may still be the wallet's to send. */
const WAITING: readonly StepStatus[] = ['awaiting_signature', 'proof_received'];

/** Statuses of a plan for which a wallet sends nothing more, except for steps in the chain. */
const ENDED: readonly PlanStatus[] = ['action_required', 'failed', 'expired', 'superseded'];

/**
 * Returns whether a step shows its bytes: while the wallet may send them, and for a step in the chain. They are hidden from
 * a key without the read scope, while a reorganisation has removed the step's predecessor, and after the window passed.
 */
function isAuthorizationShown(plan: PlanRow, step: StepRow, { caller, nowMs }: PlanViewer): boolean {
  if (!maySee(caller, 'custom-launch:read')) return false;
  switch (step.status) {
    case 'blocked':
    case 'expired':
      return false;
    case 'awaiting_signature':
    case 'proof_received':
      return !ENDED.includes(plan.status) && isWindowOpen(plan.deadline, nowMs);
    case 'included':
    case 'ethereum_posted':
    case 'finalized':
    case 'reverted':
      return true;
  }
}

/** Returns the observed transactions, then the ones named since. */
function transactionsOf({ transactions: observed, proofs }: StepRow): readonly StepTransaction[] {
  const seen = new Set(observed.map(({ transactionHash }) => transactionHash));
  return [
    ...observed,
    ...proofs
      .filter((hash) => !seen.has(hash))
      .map((transactionHash) => ({ transactionHash, source: 'hint', status: 'unseen' }) as const),
  ];
}

type Reason = NonNullable<PlanResourceV12['continuation']>['reason'];

const ADVICE: Readonly<Record<Reason, string>> = {
  context_superseded:
    'This plan goes on under the context it names. A new plan names the published one; this plan cannot be its predecessor before it ends.',
  profile_superseded:
    'This plan goes on under the profile it names. A new plan is of the published one; this plan cannot be its predecessor before it ends.',
  expired:
    'Its window passed. A successor needs a new nonce, new salts and so new addresses: contracts that were deployed are not adopted.',
  failed:
    'A step reverted. A successor needs a new nonce, new salts and so new addresses: contracts that were deployed are not adopted.',
  action_required: 'It was refused; the findings say why. A corrected successor is a new request with its own key.',
};

function continuationOf(plan: PlanRow, release: ReleaseState): PlanResourceV12['continuation'] {
  const reason = reasonOf(plan, release);
  if (reason === null) return null;
  const { planId, planDigest, successorId } = plan;
  return {
    kind: 'historical-plan',
    reason,
    successorPredecessor: { planId, planDigest },
    advice: successorId === null ? ADVICE[reason] : `Its successor is ${resumeUrlOf(successorId)}.`,
  };
}

function reasonOf({ status, statusReason, contextHash }: PlanRow, { bound }: ReleaseState): Reason | null {
  const ended = status === 'superseded' ? statusReason : status;
  if (ended === 'expired' || ended === 'failed' || ended === 'action_required') return ended;
  if (ended === 'finalized') return null;
  if (bound !== null && !isOfPlanProfile(bound)) return 'profile_superseded';
  return bound?.contextHash === contextHash ? null : 'context_superseded';
}
