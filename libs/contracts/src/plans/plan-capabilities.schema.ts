import { z } from 'zod';
import { CAIP2, LIMITS } from '../primitives/limits.js';
import { bytes32Schema } from '../primitives/scalars.schema.js';
import { PLAN_CONTRACT_VERSION, PLAN_RESPONSE_VERSIONS } from '../launch/plan-versions.js';

/** The operations of the plan transport. */
export const PLAN_OPERATIONS = ['preflight', 'create', 'list', 'get', 'stepProof'] as const;
export type PlanOperation = (typeof PLAN_OPERATIONS)[number];

/** Bounds of the plan transport (docs/reference/limits.md#plans). */
export const PLAN_LIMITS = {
  requestBytes: LIMITS.requestBytes,
  proofBytes: LIMITS.hintBytes,
  listDefault: 25,
  listMax: 25,
  cursorCharacters: 2_048,
  proofsPerStep: 16,
} as const;

const availabilitySchema = z.strictObject({
  available: z.boolean(),
  reasonCodes: z
    .array(z.string().max(64))
    .max(32)
    .describe('Why the operation is unavailable. Empty while it is available.'),
});
export type PlanAvailability = z.infer<typeof availabilitySchema>;

/** `GET /custom-launch-capabilities`: the operations of the plan transport that are available now. */
export const planCapabilitiesSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-capabilities.v1'),
    chainId: z.literal('4663'),
    caip2: z.literal(CAIP2),
    contractVersion: z.literal(PLAN_CONTRACT_VERSION),
    responseVersions: z.array(z.enum(PLAN_RESPONSE_VERSIONS)).length(PLAN_RESPONSE_VERSIONS.length),
    contextHash: bytes32Schema
      .nullable()
      .describe('Hash of the context that new plans must name. Null if the deployment has no context.'),
    operations: z.strictObject({
      preflight: availabilitySchema,
      create: availabilitySchema,
      list: availabilitySchema,
      get: availabilitySchema,
      stepProof: availabilitySchema,
    } satisfies Record<PlanOperation, typeof availabilitySchema>),
    modes: z.strictObject({ sequential: availabilitySchema, atomic: availabilitySchema }),
    limits: z.strictObject({
      requestBytes: z.literal(PLAN_LIMITS.requestBytes),
      proofBytes: z.literal(PLAN_LIMITS.proofBytes),
      listDefault: z.literal(PLAN_LIMITS.listDefault),
      listMax: z.literal(PLAN_LIMITS.listMax),
      cursorCharacters: z.literal(PLAN_LIMITS.cursorCharacters),
      proofsPerStep: z.literal(PLAN_LIMITS.proofsPerStep),
      compileBudgetSeconds: z
        .number()
        .int()
        .positive()
        .describe('Processor time, in seconds, that all compilation units of a plan share.'),
    }),
  })
  .meta({ id: 'CustomLaunchCapabilitiesV1' });
export type PlanCapabilities = z.infer<typeof planCapabilitiesSchema>;
