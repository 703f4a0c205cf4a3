import type { PlanListItemV12, PlanPreflight, PlanResourceV12 } from '@launch/contracts/plans';
import { equal, everyItem, holds, within, withinEvery, type BoundMember } from './bound-member.js';
import { ownerPageMembers, type PageSubject } from './page.members.js';
import { PREFLIGHT_PARTS } from './preflight.members.js';
import { sitePageMembers } from './site-pages.members.js';
import { STAGE_FINALITY_MEMBERS } from './stage-finality.members.js';
import { timestampOf, type LaunchSubject, type SentLaunch } from './subject.js';
import type { Wire } from './wire.types.js';

const PLANS = '/v4/chains/4663/custom-launch-plans';

type Plan = Wire<PlanResourceV12>;
type Step = Plan['steps'][number];
/** The members that a plan has in its own read and in a list. */
type ListedPlan = Omit<Wire<PlanListItemV12>, 'schemaVersion' | 'handoffUrl'>;
type ListedStep = ListedPlan['steps'][number];
type Authorization = NonNullable<Step['authorization']>;
type StepAuthorization = Extract<Authorization, { readonly form: 'transaction.v1' }>;
type BatchAuthorization = Extract<Authorization, { readonly form: 'atomic.v1' }>;

/** The plan and the request that an authorization repeats. */
interface AuthorizationSubject {
  readonly plan: Plan;
  readonly request: SentLaunch | undefined;
}

/** The window of an authorization, in both forms. */
const windowMembers = <Form extends Authorization>(): readonly BoundMember<Form, AuthorizationSubject>[] => [
  holds(
    '/validAfter',
    'the start of the permit window in the request; before the deadline',
    ({ validAfter, deadline }, { request }) =>
      BigInt(validAfter) < BigInt(deadline) &&
      (request === undefined || validAfter === request.permitWindow.validAfter),
  ),
  holds(
    '/deadline',
    'the end of the permit window in the request; expiresAt of the plan',
    ({ deadline }, { plan }) => timestampOf(deadline) === plan.expiresAt,
  ),
];

/** The router of every call: of the request's context, else of the first call that the plan shows. */
const routerOf = ({ plan, request }: AuthorizationSubject): string | undefined => {
  if (request?.router !== undefined) return request.router;
  const shown = plan.steps.find(({ authorization }) => authorization !== null)?.authorization ?? null;
  if (shown === null) return undefined;
  return shown.form === 'transaction.v1' ? shown.to : shown.calls[0]?.to;
};

const transactionMembers = (isRegister: boolean): readonly BoundMember<StepAuthorization, AuthorizationSubject>[] => [
  equal(
    '/from',
    'launchWallet of the plan',
    ({ from }) => from,
    ({ plan }) => plan.launchWallet,
  ),
  equal('/to', 'the router of the context; the same in every step', ({ to }) => to, routerOf),
  equal(
    '/value',
    'funding.totalValueWei of the request for register; 0 for a component',
    ({ value }) => value,
    ({ request }) => (isRegister ? request?.totalValueWei : '0'),
  ),
  ...windowMembers<StepAuthorization>(),
  equal(
    '/requestSha256',
    'requestSha256 of the plan',
    ({ requestSha256 }) => requestSha256,
    ({ plan }) => plan.requestSha256,
  ),
  equal(
    '/artifactSha256',
    'the same in every step',
    ({ artifactSha256 }) => artifactSha256,
    ({ plan }) =>
      plan.steps.map(({ authorization }) => authorization).find((one) => one?.form === 'transaction.v1')
        ?.artifactSha256,
  ),
];

const BATCH_MEMBERS: readonly BoundMember<BatchAuthorization, AuthorizationSubject>[] = [
  holds(
    '/calls',
    'one for each component of the request, and one for the registration',
    ({ calls }, { request }) => request === undefined || calls.length === request.components.length + 1,
  ),
  everyItem<BatchAuthorization, AuthorizationSubject, BatchAuthorization['calls'][number]>(
    '/calls/*/to',
    'the router of the context; the same in every call',
    ({ calls }) => calls,
    ({ to }, _index, _batch, subject) => to === routerOf(subject),
  ),
  everyItem<BatchAuthorization, AuthorizationSubject, BatchAuthorization['calls'][number]>(
    '/calls/*/value',
    'funding.totalValueWei of the request for the last call; 0 before it',
    ({ calls }) => calls,
    ({ value }, index, { calls }, { request }) =>
      index < calls.length - 1 ? value === '0' : request === undefined || value === request.totalValueWei,
  ),
  ...windowMembers<BatchAuthorization>(),
];

/** The members of an authorization, by its form and the kind of its step. */
const authorizationMembers: readonly BoundMember<Step, AuthorizationSubject>[] = [
  ...within(
    '/authorization',
    ({ kind, authorization }: Step) =>
      kind === 'register' && authorization?.form === 'transaction.v1' ? authorization : null,
    (subject: AuthorizationSubject) => subject,
    transactionMembers(true),
  ),
  ...within(
    '/authorization',
    ({ kind, authorization }: Step) =>
      kind !== 'register' && authorization?.form === 'transaction.v1' ? authorization : null,
    (subject: AuthorizationSubject) => subject,
    transactionMembers(false),
  ),
  ...within(
    '/authorization',
    ({ authorization }: Step) => (authorization?.form === 'atomic.v1' ? authorization : null),
    (subject: AuthorizationSubject) => subject,
    BATCH_MEMBERS,
  ),
];

const REGISTERING = 'register';
const ATOMIC = 'atomic-launch';

/** Returns the kind of the step with this id. */
const kindOf = (stepId: string): Step['kind'] =>
  stepId === ATOMIC ? 'atomic_launch' : stepId === REGISTERING ? 'register' : 'deploy_component';

const INCLUDED: readonly Step['status'][] = ['included', 'ethereum_posted', 'finalized'];

const step = <Name extends string>(
  name: Name,
  is: string,
  condition: (one: ListedStep, index: number, plan: ListedPlan, subject: LaunchSubject) => boolean,
): BoundMember<ListedPlan, LaunchSubject> =>
  everyItem<ListedPlan, LaunchSubject, ListedStep>(`/steps/*/${name}`, is, ({ steps }) => steps, condition);

const LISTED_MEMBERS: readonly BoundMember<ListedPlan, LaunchSubject>[] = [
  equal(
    '/planId',
    'the requested id',
    ({ planId }) => planId,
    ({ id }) => id,
  ),
  equal(
    '/planDigest',
    'SHA-256 of the canonical JSON of the request',
    ({ planDigest }) => planDigest,
    ({ request }) => request?.planDigest,
  ),
  equal(
    '/requestSha256',
    'SHA-256 of the request',
    ({ requestSha256 }) => requestSha256,
    ({ request }) => request?.requestSha256,
  ),
  equal(
    '/launchWallet',
    'launchWallet of the request',
    ({ launchWallet }) => launchWallet,
    ({ request }) => request?.launchWallet,
  ),
  equal(
    '/expiresAt',
    'the end of the permit window in the request',
    ({ expiresAt }) => expiresAt,
    ({ request }) => (request === undefined ? undefined : timestampOf(request.permitWindow.deadline)),
  ),
  equal(
    '/resumeUrl',
    'the route of the plan',
    ({ resumeUrl }) => resumeUrl,
    (_subject, { planId }) => `${PLANS}/${planId}`,
  ),
  ...sitePageMembers<ListedPlan, LaunchSubject>('plans', ({ planId }) => planId),
  equal(
    '/progress/completedSteps',
    'the number of finalized steps',
    ({ progress }) => progress.completedSteps,
    (_subject, { steps }) => steps.filter(({ status }) => status === 'finalized').length,
  ),
  equal(
    '/progress/totalSteps',
    'the number of steps',
    ({ progress }) => progress.totalSteps,
    (_subject, { steps }) => steps.length,
  ),
  equal(
    '/progress/nextStepId',
    'the first step that is not included',
    ({ progress }) => progress.nextStepId,
    (_subject, { steps }) => steps.find(({ status }) => !INCLUDED.includes(status))?.stepId ?? null,
  ),
  step(
    'stepId',
    'of the step at this place in the request; another one than the steps before',
    ({ stepId }, index, { steps }, { request }) =>
      steps.findIndex((one) => one.stepId === stepId) === index &&
      (request?.stepIds === undefined || stepId === request.stepIds[index]),
  ),
  step('ordinal', 'the place of the step', ({ ordinal }, index) => ordinal === index),
  step('kind', 'the kind that the id names', ({ kind, stepId }) => kind === kindOf(stepId)),
  step(
    'dependsOn',
    'the step before',
    ({ dependsOn }, index, { steps }) =>
      dependsOn.length === Math.min(index, 1) && dependsOn.every((one) => one === steps[index - 1]?.stepId),
  ),
  step(
    'status',
    'finalized only at the stage ethereum_finalized',
    ({ status, finality }) => status !== 'finalized' || finality.stage === 'ethereum_finalized',
  ),
  holds(
    '/status',
    'finalized only with every step finalized',
    ({ status, steps }) => status !== 'finalized' || steps.every((one) => one.status === 'finalized'),
  ),
  ...withinEvery(
    '/steps',
    ({ steps }: ListedPlan) => steps,
    (subject: LaunchSubject) => subject,
    within(
      '/finality',
      ({ finality }: ListedStep) => finality,
      (subject: LaunchSubject) => subject,
      STAGE_FINALITY_MEMBERS,
    ),
  ),
  ...(['planId', 'planDigest'] as const).map((name) =>
    holds<ListedPlan, LaunchSubject>(
      `/continuation/successorPredecessor/${name}`,
      `${name} of the plan`,
      (plan) => plan.continuation === null || plan.continuation.successorPredecessor[name] === plan[name],
    ),
  ),
];

/** The members of a plan in response version 1.2 that its request determines. */
export const PLAN_MEMBERS: readonly BoundMember<Plan, LaunchSubject>[] = [
  ...LISTED_MEMBERS,
  everyItem<Plan, LaunchSubject, Step>(
    '/steps/*/status',
    'neither blocked nor expired with an authorization',
    ({ steps }) => steps,
    ({ status, authorization }) => authorization === null || (status !== 'blocked' && status !== 'expired'),
  ),
  ...withinEvery(
    '/steps',
    ({ steps }: Plan) => steps,
    ({ request }: LaunchSubject, plan) => ({ plan, request }),
    authorizationMembers,
  ),
];

/** The members of a plan in a list. */
const PLAN_ITEM_MEMBERS: readonly BoundMember<Wire<PlanListItemV12>, LaunchSubject>[] = [
  ...LISTED_MEMBERS,
  holds(
    '/handoffUrl',
    'null, or the route of the plan',
    ({ handoffUrl, planId }) => handoffUrl === null || handoffUrl === `${PLANS}/${planId}`,
  ),
];

/** The step and the transaction that a proof names. */
export interface ProofSubject {
  readonly planId: string;
  readonly stepId: string;
  readonly transactionHash: string;
}

/** The members of the plan that answers a proof. A finalized step takes no more hashes. */
export const PROVED_PLAN_MEMBERS: readonly BoundMember<Plan, ProofSubject>[] = [
  ...within(
    '',
    (plan: Plan) => plan,
    ({ planId }: ProofSubject): LaunchSubject => ({ id: planId }),
    PLAN_MEMBERS,
  ),
  holds('/steps', 'the step of the proof with its transaction', ({ steps }, { stepId, transactionHash }) =>
    steps.some(
      (one) =>
        one.stepId === stepId &&
        (one.status === 'finalized' ||
          one.transactions.some((transaction) => transaction.transactionHash === transactionHash)),
    ),
  ),
];

interface PlanPage {
  readonly items: readonly Wire<PlanListItemV12>[];
  readonly nextCursor: string | null;
}

/** The members of a page of plans that its request determines. */
export const PLAN_LIST_MEMBERS: readonly BoundMember<PlanPage, PageSubject>[] = [
  ...ownerPageMembers<'planId', PlanPage>('planId'),
  ...withinEvery(
    '/items',
    ({ items }: PlanPage) => items,
    (): LaunchSubject => ({}),
    PLAN_ITEM_MEMBERS,
  ),
];

/** The members of a preflight of a plan that its request determines. */
export const PLAN_PREFLIGHT_MEMBERS: readonly BoundMember<Wire<PlanPreflight>, SentLaunch>[] = [
  ...PREFLIGHT_PARTS,
  equal(
    '/planDigest',
    'SHA-256 of the canonical JSON of the request',
    ({ planDigest }) => planDigest,
    ({ planDigest }) => planDigest,
  ),
  everyItem<Wire<PlanPreflight>, SentLaunch, Wire<PlanPreflight>['steps'][number]>(
    '/steps/*/stepId',
    'of the step at this place in the request',
    ({ steps }) => steps,
    ({ stepId }, index, _preflight, { stepIds }) => stepIds === undefined || stepId === stepIds[index],
  ),
  everyItem<Wire<PlanPreflight>, SentLaunch, Wire<PlanPreflight>['steps'][number]>(
    '/steps/*/ordinal',
    'the place of the step',
    ({ steps }) => steps,
    ({ ordinal }, index) => ordinal === index,
  ),
  everyItem<Wire<PlanPreflight>, SentLaunch, Wire<PlanPreflight>['steps'][number]>(
    '/steps/*/kind',
    'the kind that the id names',
    ({ steps }) => steps,
    ({ kind, stepId }) => kind === kindOf(stepId),
  ),
];
