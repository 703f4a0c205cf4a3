import { z } from 'zod';
import { customLaunchFindingSchema } from '../launch/custom-launch-finding.schema.js';
import { namedTransactionSchema, stageFinalitySchema } from '../launch/finality-parts.schema.js';
import type { PlanResponseVersion } from '../launch/plan-versions.js';
import { sitePageMembers } from '../launch/site-pages.schema.js';
import { handoffUrlSchema, walletTransactionSchema } from '../launch/wallet-transaction.schema.js';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  hexBytesSchema,
  sha256DigestSchema,
  timestampSchema,
  uint256Schema,
  unixSecondsSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { PLAN_STATUSES, STEP_STATUSES } from '../states/plan-states.js';
import { STEP_KINDS, stepIdSchema } from './plan-steps.js';
import type { PlanMode } from './plan-request.schema.js';

/** One step per component, and the registration. */
const MAX_STEPS = 17;

/** The one transaction of a step. Versions 1.0 and 1.1 know no other form. */
export const transactionAuthorizationSchema = z.strictObject({
  form: z.literal('transaction.v1'),
  ...walletTransactionSchema.shape,
  validAfter: unixSecondsSchema,
  deadline: unixSecondsSchema,
  requestSha256: sha256DigestSchema.describe('Digest of the request body that created the plan.'),
  artifactSha256: sha256DigestSchema,
  simulation: z
    .strictObject({ blockNumber: decimalSchema, blockHash: bytes32Schema, gasUsed: decimalSchema })
    .describe('The block at which this exact transaction succeeded in simulation.'),
});

/** All calls as one batch (EIP-5792). A wallet without the capability must not be sent them one by one. */
const atomicAuthorizationSchema = z.strictObject({
  form: z.literal('atomic.v1'),
  calls: z
    .array(z.strictObject({ to: addressSchema, value: uint256Schema, data: hexBytesSchema(128 * 1024) }))
    .min(1)
    .max(MAX_STEPS)
    .describe('The batch that launchWallet sends: all calls in this order, or none of them.'),
  atomicRequired: z
    .literal(true)
    .describe('As in wallet_sendCalls of EIP-5792: the wallet must not send the calls one by one.'),
  capabilities: z
    .strictObject({ '0x1237': z.strictObject({ atomic: z.strictObject({ status: z.literal('supported') }) }) })
    .describe('Capabilities that the wallet must have, keyed by the chain id in hex (EIP-5792).'),
  validAfter: unixSecondsSchema,
  deadline: unixSecondsSchema,
  digest: bytes32Schema.describe('keccak256(abi.encode(permitDigest, keccak256(abi.encode(calls)))).'),
});

/** The authorization of a step, in either form. */
export const stepAuthorizationSchema = z.discriminatedUnion('form', [
  transactionAuthorizationSchema,
  atomicAuthorizationSchema,
]);
export type StepAuthorization = z.infer<typeof stepAuthorizationSchema>;

const AUTHORIZATION =
  'The exact transaction that launchWallet sends. It is written once, when the step is offered, and never changes. Null before the step is offered, and for a key that cannot read it.';

const stepMembers = {
  stepId: stepIdSchema,
  ordinal: z
    .number()
    .int()
    .min(0)
    .max(MAX_STEPS - 1),
  kind: z.enum(STEP_KINDS),
  status: z
    .enum(STEP_STATUSES)
    .describe(
      'awaiting_signature: the wallet can send the step. blocked: the step waits for the steps that it depends on. proof_received: a transaction was named or seen, and is not included yet. included and ethereum_posted can be reversed by a reorganisation. finalized, reverted and expired are final.',
    ),
  dependsOn: z.array(stepIdSchema).max(MAX_STEPS).describe('Steps that must be included before this step is offered.'),
  transactions: z
    .array(namedTransactionSchema)
    .max(LIMITS.hintsPerLaunch + 4)
    .describe(
      'Transactions that a proof named (`hint`) or that were found on chain (`observed`). Only included transactions count.',
    ),
} as const;

const observedStepMembers = { ...stepMembers, finality: stageFinalitySchema } as const;

const transactionMembers = {
  authorization: transactionAuthorizationSchema.nullable().describe(AUTHORIZATION),
} as const;

const stepsOf = <Members extends z.ZodRawShape>(members: Members) =>
  z.array(z.strictObject(members)).min(1).max(MAX_STEPS);

const planMembers = {
  planId: uuidSchema.describe('The id to read the plan, and the `launchId` of its record in the public feed.'),
  planDigest: sha256DigestSchema.describe("Digest of the plan's canonical JSON. A successor names it."),
  requestSha256: sha256DigestSchema.describe('Digest of the request body as the client sent it.'),
  status: z
    .enum(PLAN_STATUSES)
    .describe(
      'Only finalized satisfies the finality policy. action_required, failed and expired are final, and a successor can name such a plan; superseded means that a successor exists. A plan in any other status can advance, or return to an earlier status if a reorganisation affects one of its steps.',
    ),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  expiresAt: timestampSchema.describe('End of the permit window.'),
  launchWallet: addressSchema.describe('The controller, which signs and sends every step.'),
  resumeUrl: z.string().max(256).describe('The path of the plan. Resolve it against the origin of the service.'),
  findings: z.array(customLaunchFindingSchema).max(LIMITS.findings),
} as const;

const progressMembers = {
  progress: z.strictObject({
    completedSteps: z.number().int().min(0).max(MAX_STEPS).describe('Number of finalized steps.'),
    totalSteps: z.number().int().min(1).max(MAX_STEPS),
    nextStepId: stepIdSchema.nullable().describe('The first step that is not included.'),
  }),
} as const;

/** The reason why a plan cannot continue, and the values that a successor names. Advice without authority. */
const continuationSchema = z.strictObject({
  kind: z.literal('historical-plan'),
  reason: z.enum(['context_superseded', 'profile_superseded', 'expired', 'failed', 'action_required']),
  successorPredecessor: z.strictObject({ planId: uuidSchema, planDigest: sha256DigestSchema }),
  advice: z.string().max(1024),
});

/** A plan as version 1.0 shows it; each version is closed. */
export const planResourceSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-plan-resource.v1'),
    ...planMembers,
    steps: stepsOf({ ...stepMembers, ...transactionMembers }),
  })
  .meta({ id: 'CustomLaunchPlanResourceV1' });
export type PlanResource = z.infer<typeof planResourceSchema>;

/** 1.1: finality of each step, and progress. */
export const planResourceV11Schema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-plan-resource.v1.1'),
    ...planMembers,
    ...progressMembers,
    steps: stepsOf({ ...observedStepMembers, ...transactionMembers }),
  })
  .meta({ id: 'CustomLaunchPlanResourceV1_1' });
export type PlanResourceV11 = z.infer<typeof planResourceV11Schema>;

/** 1.2: Atomic authorization, the pages of the website, and advice for historical plans. */
export const planResourceV12Schema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-plan-resource.v1.2'),
    ...planMembers,
    ...progressMembers,
    steps: stepsOf({
      ...observedStepMembers,
      authorization: stepAuthorizationSchema.nullable().describe(AUTHORIZATION),
    }),
    ...sitePageMembers,
    continuation: continuationSchema
      .nullable()
      .describe('Why a historical plan cannot continue, and the values that its successor names. Advisory only.'),
  })
  .meta({ id: 'CustomLaunchPlanResourceV1_2' });
export type PlanResourceV12 = z.infer<typeof planResourceV12Schema>;

/** In the order of canonical JSON, so that the writer sorts nothing. */
const namesOf = (shape: object): readonly string[] => Object.keys(shape).sort();

/** The members of each version, from its schema; those of a step are without its authorization. */
const MEMBERS: Readonly<
  Record<PlanResponseVersion, { readonly plan: readonly string[]; readonly step: readonly string[] }>
> = {
  '1.0': { plan: namesOf(planResourceSchema.shape), step: namesOf(stepMembers) },
  '1.1': { plan: namesOf(planResourceV11Schema.shape), step: namesOf(observedStepMembers) },
  '1.2': { plan: namesOf(planResourceV12Schema.shape), step: namesOf(observedStepMembers) },
};
const NAMES = {
  '1.0': 'service.custom-launch-plan-resource.v1',
  '1.1': 'service.custom-launch-plan-resource.v1.1',
  '1.2': 'service.custom-launch-plan-resource.v1.2',
} as const satisfies Record<PlanResponseVersion, string>;

/** Returns whether a version can show a plan; only 1.2 has the authorization of an Atomic plan. */
export const canShowPlan = (version: PlanResponseVersion, mode: PlanMode): boolean =>
  version === '1.2' || mode === 'sequential';

/** A plan with every member of 1.2. A value may be JSON that was written earlier. */
export type PlanView = Readonly<Record<Exclude<keyof PlanResourceV12, 'steps'>, unknown>> & {
  readonly steps: readonly PlanStepView[];
};
export type PlanStepView = Readonly<Record<keyof PlanResourceV12['steps'][number], unknown>>;

/** A plan as the response contains it, by the schema of the version. */
export interface ShownPlan {
  readonly schemaVersion: (typeof NAMES)[PlanResponseVersion];
  readonly steps: readonly object[];
}

function only<Value extends object>(value: Value, members: readonly string[]): Value {
  const shown: Record<string, unknown> = {};
  for (const member of members) shown[member] = (value as Record<string, unknown>)[member];
  return shown as Value;
}

/** @throws {TypeError} for an Atomic plan under a version that cannot show one. */
function requireShowable({ steps }: PlanView, version: PlanResponseVersion): void {
  const mode = steps.some(({ kind }) => kind === 'atomic_launch') ? 'atomic' : 'sequential';
  if (!canShowPlan(version, mode)) throw new TypeError(`${version} cannot show an Atomic plan`);
}

/**
 * Returns the plan as a version shows it. A version only omits members, so all versions show the same authorization.
 * @throws {TypeError} for an Atomic plan under a version that cannot show one; call `canShowPlan` first.
 */
export function planResourceOf(plan: PlanView, version: PlanResponseVersion): ShownPlan {
  requireShowable(plan, version);
  const members = MEMBERS[version];
  return {
    ...only(plan, members.plan),
    schemaVersion: NAMES[version],
    steps: plan.steps.map((step) => only(step, ['authorization', ...members.step])),
  };
}

/** A plan in a list: without its authorizations, which `handoffUrl` links (docs/reference/api-conventions.md#list-items). */
export const planListItemSchema = planResourceSchema
  .extend({
    schemaVersion: z.literal('service.custom-launch-plan-list-item.v1'),
    steps: stepsOf(stepMembers),
    handoffUrl: handoffUrlSchema,
  })
  .meta({ id: 'CustomLaunchPlanListItemV1' });
export const planListItemV11Schema = planResourceV11Schema
  .extend({
    schemaVersion: z.literal('service.custom-launch-plan-list-item.v1.1'),
    steps: stepsOf(observedStepMembers),
    handoffUrl: handoffUrlSchema,
  })
  .meta({ id: 'CustomLaunchPlanListItemV1_1' });
export const planListItemV12Schema = planResourceV12Schema
  .extend({
    schemaVersion: z.literal('service.custom-launch-plan-list-item.v1.2'),
    steps: stepsOf(observedStepMembers),
    handoffUrl: handoffUrlSchema,
  })
  .meta({ id: 'CustomLaunchPlanListItemV1_2' });
export type PlanListItemV12 = z.infer<typeof planListItemV12Schema>;

const listOf = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  z.strictObject({
    schemaVersion: z.literal(name),
    items: z.array(item).max(LIMITS.listMax),
    nextCursor: z.string().max(2_048).nullable(),
  });

/** `GET …/custom-launch-plans`, newest first; 1.0 and 1.1 omit Atomic plans and count them in a header. */
export const planListSchema = listOf('service.custom-launch-plan-list.v1', planListItemSchema).meta({
  id: 'CustomLaunchPlanListV1',
});
export const planListV11Schema = listOf('service.custom-launch-plan-list.v1.1', planListItemV11Schema).meta({
  id: 'CustomLaunchPlanListV1_1',
});
export const planListV12Schema = listOf('service.custom-launch-plan-list.v1.2', planListItemV12Schema).meta({
  id: 'CustomLaunchPlanListV1_2',
});

/** A plan in any version. */
export const anyPlanResourceSchema = z
  .discriminatedUnion('schemaVersion', [planResourceSchema, planResourceV11Schema, planResourceV12Schema])
  .meta({ id: 'AnyCustomLaunchPlanResource' });
export type AnyPlanResource = z.infer<typeof anyPlanResourceSchema>;

/** A page in any version. */
export const anyPlanListSchema = z
  .discriminatedUnion('schemaVersion', [planListSchema, planListV11Schema, planListV12Schema])
  .meta({ id: 'AnyCustomLaunchPlanList' });
export type AnyPlanList = z.infer<typeof anyPlanListSchema>;

const LIST_NAMES = {
  '1.0': { page: 'service.custom-launch-plan-list.v1', item: 'service.custom-launch-plan-list-item.v1' },
  '1.1': { page: 'service.custom-launch-plan-list.v1.1', item: 'service.custom-launch-plan-list-item.v1.1' },
  '1.2': { page: 'service.custom-launch-plan-list.v1.2', item: 'service.custom-launch-plan-list-item.v1.2' },
} as const satisfies Record<PlanResponseVersion, object>;

/** A plan as a list contains it, by the schema of the version. */
export interface ListedPlan {
  readonly schemaVersion: (typeof LIST_NAMES)[PlanResponseVersion]['item'];
  readonly steps: readonly object[];
  readonly handoffUrl: unknown;
}

/** A page as the response contains it, by the schema of the version. */
export interface ShownPlanList {
  readonly schemaVersion: (typeof LIST_NAMES)[PlanResponseVersion]['page'];
  readonly items: readonly ListedPlan[];
  readonly nextCursor: string | null;
}

function listedPlan(plan: PlanView, version: PlanResponseVersion): ListedPlan {
  requireShowable(plan, version);
  const members = MEMBERS[version];
  const isHandedOff = plan.steps.some(({ authorization }) => authorization !== null);
  return {
    ...only(plan, members.plan),
    schemaVersion: LIST_NAMES[version].item,
    steps: plan.steps.map((step) => only(step, members.step)),
    handoffUrl: isHandedOff ? plan.resumeUrl : null,
  };
}

/** Returns a page as a version shows it. Throws like `planResourceOf`. */
export const planListOf = (
  plans: readonly PlanView[],
  nextCursor: string | null,
  version: PlanResponseVersion,
): ShownPlanList => ({
  schemaVersion: LIST_NAMES[version].page,
  items: plans.map((plan) => listedPlan(plan, version)),
  nextCursor,
});

/** `POST …/steps/{stepId}/proofs`: a transaction discovery hint for the step, without authority. */
export const stepProofSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-plan-step-proof.v1'),
    transactionHash: bytes32Schema,
  })
  .meta({ id: 'CustomLaunchPlanStepProofV1' });
export type StepProof = z.infer<typeof stepProofSchema>;
