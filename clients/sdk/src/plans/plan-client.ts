import {
  createPlan,
  getPlan,
  getPlanRequest,
  listPlans,
  nameStepTransaction,
  preflightPlan,
  type components,
} from '@launch/api-client';
import {
  PLAN_LIST_MEMBERS,
  PLAN_MEMBERS,
  PLAN_PREFLIGHT_MEMBERS,
  PROVED_PLAN_MEMBERS,
  type BoundMember,
  type SentLaunch,
} from '@launch/client-core/binding';
import { hasPlanEnded, isOffered, isPlanAt } from '@launch/client-core/progress';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import { requireOpenGates } from '../transport/gates.js';
import { LaunchClientError } from '../transport/launch-client.error.js';
import { bodyOf, digestOf, sentOf, type Packed } from '../transport/packed.js';
import { pageSubject, type PageQuery } from '../transport/page.js';
import { readRequest } from '../transport/request-bytes.js';
import { isReplay, Service, type ClientOptions } from '../transport/service.js';
import { waitUntil, type WaitOptions } from '../transport/wait.js';
import { walletTransactionOf, type WalletTransaction } from '../transport/wallet-transaction.js';

export type Plan = components['schemas']['CustomLaunchPlanResourceV1_2'];
export type PlanStep = Plan['steps'][number];
export type PlanPreflight = components['schemas']['CustomLaunchPreflightV1'];

/** A plan after its submission. */
export interface SubmittedPlan extends Plan {
  readonly isReplay: boolean;
}

/** A plan in a list: without its authorizations, which `get` returns. */
export type ListedPlan = components['schemas']['CustomLaunchPlanListItemV1_2'];

/** A page of plans. */
export interface PlanPage {
  readonly items: readonly ListedPlan[];
  readonly nextCursor: string | null;
}

/** The next transactions that the wallet sends: one of a sequential plan, all at once of an atomic plan (EIP-5792). */
export interface OfferedStep {
  readonly stepId: string;
  /** Whether the wallet sends them in one batch, all or none. */
  readonly isAtomic: boolean;
  readonly walletTransactions: readonly WalletTransaction[];
  readonly plan: Plan;
}

/** Options of a wait for one step; for all steps without a `stepId`. */
export interface StepWaitOptions extends WaitOptions {
  readonly stepId?: string;
}

const CHAIN = { chainId: '4663' } as const;
/** The response version that shows every member of a plan, in either mode. */
const VERSION = { 'Service-Launch-Response-Version': '1.2' } as const;
/** Creates and follows plans of one service. It never signs: the wallet is yours. */
export class PlanClient {
  private readonly service: Service;
  private readonly sent = new Map<string, SentLaunch>();

  constructor(options: ClientOptions) {
    this.service = new Service(options);
  }

  /** Reads the service's verdict on a packed plan. The service stores nothing. */
  async preflight(packed: Packed): Promise<PlanPreflight> {
    await requireOpenGates(this.service);
    const binding = { members: PLAN_PREFLIGHT_MEMBERS, subject: sentOf(packed) };
    const input = { path: CHAIN, header: VERSION, body: bodyOf(packed) };
    return (await this.service.call(preflightPlan, input, binding)).value;
  }

  /** Reserves a plan. The same bytes with the same key are always the same plan. */
  async submit(packed: Packed, idempotencyKey?: string): Promise<SubmittedPlan> {
    const request = sentOf(packed);
    await requireOpenGates(this.service);
    const key = idempotencyKey ?? packed.report?.idempotencyKey ?? `plan-v1-${digestOf(packed)}`;
    const header = { ...VERSION, 'Idempotency-Key': key };
    const answer = await this.service.call(
      createPlan,
      { path: CHAIN, header, body: bodyOf(packed) },
      planBinding(PLAN_MEMBERS, { request }),
    );
    const plan = planOf(answer.value);
    this.sent.set(plan.planId, request);
    return { ...plan, isReplay: isReplay(answer) };
  }

  /** Reads a plan. @param packed its request, if another client submitted it: the response is compared with it */
  async get(planId: string, packed?: Packed): Promise<Plan> {
    if (packed !== undefined) this.sent.set(planId, sentOf(packed));
    const binding = planBinding(PLAN_MEMBERS, { id: planId, request: this.sent.get(planId) });
    return planOf((await this.service.call(getPlan, { path: { ...CHAIN, planId }, header: VERSION }, binding)).value);
  }

  /** Reads the request of a plan byte for byte as the service received it. Its SHA-256 is `requestSha256` of the plan. */
  async request(planId: string): Promise<Uint8Array> {
    const { requestSha256 } = await this.get(planId);
    const input = { path: { ...CHAIN, planId }, header: VERSION };
    return readRequest(this.service, getPlanRequest, input, requestSha256);
  }

  /** Reads one page of the key's plans, newest first. */
  async list(query: PageQuery = {}): Promise<PlanPage> {
    const input = { path: CHAIN, header: VERSION, query: { ...query } };
    const { value } = await this.service.call(listPlans, input, {
      members: PLAN_LIST_MEMBERS as readonly BoundMember<components['schemas']['AnyCustomLaunchPlanList'], unknown>[],
      subject: pageSubject(query),
    });
    return { items: value.items.map(listedPlanOf), nextCursor: value.nextCursor };
  }

  /** Names the transaction of a step. It is a hint: the service finds every step without it. */
  async prove(planId: string, stepId: string, transactionHash: `0x${string}`): Promise<Plan> {
    const body = canonicalizeJson({ schemaVersion: 'service.custom-launch-plan-step-proof.v1', transactionHash });
    const named = sha256Digest(new TextEncoder().encode(`${planId}/${stepId}/${transactionHash}`));
    const header = { ...VERSION, 'Idempotency-Key': `plan-v1-${named.slice('sha256:'.length)}` };
    const { value } = await this.service.call(
      nameStepTransaction,
      { path: { ...CHAIN, planId, stepId }, header, body: new Uint8Array(body) },
      planBinding(PROVED_PLAN_MEMBERS, { planId, stepId, transactionHash }),
    );
    return planOf(value);
  }

  /** Waits for the next transactions that the wallet sends. */
  waitFor(planId: string, goal: 'signature', options?: StepWaitOptions): Promise<OfferedStep>;
  /** Waits until a step, or every step, is included or finalized. */
  waitFor(planId: string, goal: 'included' | 'finalized', options?: StepWaitOptions): Promise<Plan>;
  async waitFor(
    planId: string,
    goal: 'signature' | 'included' | 'finalized',
    { stepId, ...options }: StepWaitOptions = {},
  ): Promise<OfferedStep | Plan> {
    const chosen = ({ steps }: Plan): readonly PlanStep[] =>
      stepId === undefined ? steps : steps.filter((step) => step.stepId === stepId);
    const plan = await waitUntil(
      () => this.get(planId),
      (one) => {
        if (chosen(one).length === 0) throw new LaunchClientError('INPUT_UNUSABLE', 'the plan has no such step');
        return isPlanAt(goal, one, stepId) ? 'reached' : hasPlanEnded(one.status) ? 'ended' : 'open';
      },
      { signal: this.service.signal, ...options },
    );
    return goal === 'signature' ? offeredOf(plan, chosen(plan).find(isOffered)!) : plan;
  }
}

function offeredOf(plan: Plan, { stepId, authorization }: PlanStep): OfferedStep {
  const offered = authorization!;
  const isAtomic = 'calls' in offered;
  const transactions = isAtomic ? offered.calls : [offered];
  return { stepId, isAtomic, walletTransactions: transactions.map(walletTransactionOf), plan };
}

type AnyPlan = components['schemas']['AnyCustomLaunchPlanResource'];

/** Binds a plan of version 1.2, which every call asks for. */
const planBinding = <Subject>(members: readonly BoundMember<Plan, Subject>[], subject: Subject) => ({
  members: members.map(({ faultsIn, ...member }) => ({
    ...member,
    faultsIn: (plan: AnyPlan, about: Subject) => faultsIn(planOf(plan), about),
  })),
  subject,
});

/** @throws {LaunchClientError} for a plan of another version than the request named */
function planOf(plan: AnyPlan): Plan {
  if (plan.schemaVersion === 'service.custom-launch-plan-resource.v1.2') return plan;
  throw anotherVersion();
}

type AnyListedPlan = components['schemas']['AnyCustomLaunchPlanList']['items'][number];

/** @throws {LaunchClientError} for a plan of another version than the request named */
function listedPlanOf(plan: AnyListedPlan): ListedPlan {
  if (plan.schemaVersion === 'service.custom-launch-plan-list-item.v1.2') return plan;
  throw anotherVersion();
}

const anotherVersion = (): LaunchClientError =>
  new LaunchClientError('RESPONSE_NOT_OF_REQUEST', 'the plan has another version than the request named', {
    findings: [{ path: '/schemaVersion', message: 'has another value than the request determines' }],
  });

/** Returns a client of plans. */
export const createPlanClient = (options: ClientOptions): PlanClient => new PlanClient(options);
