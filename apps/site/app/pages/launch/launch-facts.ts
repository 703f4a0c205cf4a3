import type { CustomLaunch, CustomLaunchList } from '@launch/sdk';
import type { MultiRoleLaunch, MultiRoleList } from '@launch/sdk/multi-role';
import type { ListedPlan, Plan } from '@launch/sdk/plans';

/** A launch of the signed-in owner, whole or as a list contains it. */
export type OwnedLaunch =
  | { readonly kind: 'launch'; readonly value: CustomLaunch | CustomLaunchList['items'][number] }
  | { readonly kind: 'plan'; readonly value: Plan | ListedPlan }
  | { readonly kind: 'multi-role'; readonly value: MultiRoleLaunch | MultiRoleList['items'][number] };
export type LaunchKind = OwnedLaunch['kind'];

export const KIND_NAMES: Readonly<Record<LaunchKind, string>> = {
  launch: 'Custom launch',
  plan: 'Plan',
  'multi-role': 'Multi-role launch',
};

/** The stages of every launch, in their order. */
export const STAGES = ['received', 'judged', 'authorized', 'sent', 'included', 'posted', 'finalized'] as const;
export type Stage = (typeof STAGES)[number];

/** A fault of a request as every family reports it. */
export type LaunchFinding = OwnedLaunch['value']['findings'][number];

type Finality = CustomLaunch['finality'];

export interface NamedTransaction {
  readonly hash: string;
  readonly is: 'named' | 'seen' | 'included' | 'reverted';
}

/** The facts that the pages show of a launch, equal for the three families. */
export interface LaunchFacts {
  readonly kind: LaunchKind;
  readonly id: string;
  readonly status: string;
  /** The first stage that the launch has not reached; null after finality. */
  readonly next: Stage | null;
  readonly end: 'finalized' | 'stopped' | null;
  /** The party whose action the launch waits for; null at an end. */
  readonly waitsFor: 'service' | 'wallet' | 'chain' | null;
  /** A code of docs/reference/errors.md. */
  readonly reason: string | null;
  readonly failure: CustomLaunch['failure'];
  readonly launchWallet: string;
  readonly requestSha256: string;
  readonly onchainLaunchId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  readonly authorizedAt: string | null;
  readonly inclusion: Finality['l2Inclusion'];
  readonly posting: Finality['l1Posting'];
  readonly checkpoint: Finality['l1FinalizedCheckpoint'];
  readonly estimatedNextStageAt: string | null;
  readonly transactions: readonly NamedTransaction[];
  readonly findings: readonly LaunchFinding[];
  /** Steps of a plan; one transaction each. */
  readonly steps: { readonly included: number; readonly total: number; readonly nextStepId: string | null } | null;
  /** The id and digest that a successor of an ended plan names. */
  readonly predecessor: string | null;
}

/** Returns the facts of a launch of any family. */
export function factsOf(owned: OwnedLaunch): LaunchFacts {
  switch (owned.kind) {
    case 'launch':
      return factsOfLaunch(owned.value);
    case 'plan':
      return factsOfPlan(owned.value);
    case 'multi-role':
      return factsOfMultiRole(owned.value);
  }
}

type Position = Pick<LaunchFacts, 'next' | 'end' | 'waitsFor'>;
const at = (next: Stage, waitsFor: LaunchFacts['waitsFor']): Position => ({ next, end: null, waitsFor });
const stopped = (next: Stage): Position => ({ next, end: 'stopped', waitsFor: null });
const FINALIZED: Position = { next: null, end: 'finalized', waitsFor: null };

type LaunchValue = Extract<OwnedLaunch, { kind: 'launch' }>['value'];

const LAUNCH_POSITIONS: Readonly<Record<LaunchValue['status'], Position>> = {
  admitting: at('judged', 'service'),
  action_required: stopped('judged'),
  authorized: at('sent', 'service'),
  awaiting_wallet_signature: at('sent', 'wallet'),
  wallet_action_required: at('sent', 'wallet'),
  submitted: at('included', 'chain'),
  sequencer_soft_confirmed: at('posted', 'chain'),
  ethereum_posted: at('finalized', 'chain'),
  finalized: FINALIZED,
  failed: stopped('sent'),
};

function factsOfLaunch(launch: LaunchValue): LaunchFacts {
  const { status, failure, finality } = launch;
  const position =
    status === 'failed' && failure !== null
      ? stopped(LAUNCH_POSITIONS[failure.stage].next ?? 'finalized')
      : LAUNCH_POSITIONS[status];
  return {
    ...position,
    kind: 'launch',
    id: launch.launchId,
    status,
    reason: launch.statusReason,
    failure,
    launchWallet: launch.launchWallet,
    requestSha256: launch.requestSha256,
    onchainLaunchId: launch.onchainLaunchId,
    createdAt: launch.createdAt,
    updatedAt: launch.updatedAt,
    expiresAt: launch.expiresAt,
    authorizedAt: 'handoff' in launch ? (launch.handoff?.createdAt ?? null) : null,
    inclusion: finality.l2Inclusion,
    posting: finality.l1Posting,
    checkpoint: finality.l1FinalizedCheckpoint,
    estimatedNextStageAt: finality.estimatedNextStageAt,
    transactions: launch.transactions.map(namedTransaction),
    findings: launch.findings,
    steps: null,
    predecessor: null,
  };
}

type PlanValue = Extract<OwnedLaunch, { kind: 'plan' }>['value'];
type StepStage = PlanValue['steps'][number]['finality']['stage'];
const STEP_STAGES: readonly StepStage[] = ['pending', 'included', 'posted', 'ethereum_finalized'];

function positionOfPlan({ status, steps, findings }: PlanValue): Position {
  const least = Math.min(...steps.map(({ finality }) => STEP_STAGES.indexOf(finality.stage)));
  const onChain = (['sent', 'posted', 'finalized', 'finalized'] as const)[least] ?? 'sent';
  switch (status) {
    case 'admission_pending':
      return at('judged', 'service');
    case 'action_required':
      return stopped('judged');
    case 'awaiting_wallet':
    case 'in_progress':
      return at('sent', steps.some((step) => step.status === 'awaiting_signature') ? 'wallet' : 'chain');
    case 'finalizing':
      return at(onChain, 'chain');
    case 'finalized':
      return FINALIZED;
    default:
      return stopped(findings.length > 0 ? 'judged' : onChain);
  }
}

function factsOfPlan(plan: PlanValue): LaunchFacts {
  const { steps, progress } = plan;
  const included = steps.filter(({ finality }) => finality.l2Inclusion !== null);
  const last = included.at(-1)?.finality;
  const areAllIncluded = included.length === steps.length;
  return {
    ...positionOfPlan(plan),
    kind: 'plan',
    id: plan.planId,
    status: plan.status,
    reason: null,
    failure: null,
    launchWallet: plan.launchWallet,
    requestSha256: plan.requestSha256,
    onchainLaunchId: null,
    createdAt: plan.createdAt,
    updatedAt: plan.updatedAt,
    expiresAt: plan.expiresAt,
    // A plan does not state when its permit was signed.
    authorizedAt: null,
    inclusion: areAllIncluded ? (last?.l2Inclusion ?? null) : null,
    posting: areAllIncluded ? (last?.l1Posting ?? null) : null,
    checkpoint: areAllIncluded ? (last?.l1FinalizedCheckpoint ?? null) : null,
    estimatedNextStageAt: latest(steps.map(({ finality }) => finality.estimatedNextStageAt)),
    transactions: steps.flatMap(({ transactions }) => transactions.map(namedTransaction)),
    findings: plan.findings,
    steps: { included: included.length, total: progress.totalSteps, nextStepId: progress.nextStepId },
    predecessor: `${plan.planId}/${plan.planDigest}`,
  };
}

type MultiRoleValue = Extract<OwnedLaunch, { kind: 'multi-role' }>['value'];

function positionOfMultiRole({ status, finality, sourceAssessment }: MultiRoleValue): Position {
  switch (status) {
    case 'reserved':
    case 'admitting':
      return at('judged', 'service');
    case 'action_required':
      return stopped('judged');
    case 'authorized':
      return at('sent', 'service');
    case 'awaiting_wallet_signature':
      return at('sent', 'wallet');
    case 'submitted':
      return at(finality.posting !== null ? 'finalized' : finality.inclusion !== null ? 'posted' : 'included', 'chain');
    case 'finalized':
      return FINALIZED;
    default:
      return stopped(sourceAssessment === null ? 'judged' : 'sent');
  }
}

function factsOfMultiRole(launch: MultiRoleValue): LaunchFacts {
  const { finality, permitWindow } = launch;
  const { transactionHash } = finality;
  return {
    ...positionOfMultiRole(launch),
    kind: 'multi-role',
    id: launch.launchId,
    status: launch.status,
    reason: launch.statusReason,
    failure: null,
    launchWallet: launch.launchWallet,
    requestSha256: launch.requestSha256,
    onchainLaunchId: launch.onchainLaunchId,
    createdAt: launch.createdAt,
    updatedAt: launch.updatedAt,
    expiresAt: new Date(Number(permitWindow.deadline) * 1_000).toISOString(),
    authorizedAt: 'wallet' in launch ? (launch.wallet?.createdAt ?? null) : null,
    inclusion: finality.inclusion,
    posting: finality.posting,
    checkpoint: finality.checkpoint,
    estimatedNextStageAt: finality.estimatedNextStageAt,
    transactions:
      transactionHash === null
        ? []
        : [{ hash: transactionHash, is: finality.inclusion === null ? 'seen' : 'included' }],
    findings: launch.findings,
    steps: null,
    predecessor: null,
  };
}

const namedTransaction = ({ transactionHash, status }: CustomLaunch['transactions'][number]): NamedTransaction => ({
  hash: transactionHash,
  is: status === 'included' || status === 'reverted' || status === 'seen' ? status : 'named',
});

const latest = (times: readonly (string | null)[]): string | null =>
  times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
