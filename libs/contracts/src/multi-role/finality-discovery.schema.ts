import { z } from 'zod';
import { CAIP2 } from '../primitives/limits.js';
import { addressSchema, bytes32Schema, decimalSchema, timestampSchema } from '../primitives/scalars.schema.js';

const generationSchema = z.strictObject({
  transactionHint: z.strictObject({ path: z.string(), schemaVersion: z.string(), receiptSchemaVersion: z.string() }),
  finality: z.strictObject({ path: z.string(), schemaVersion: z.string() }),
  feed: z.strictObject({
    list: z.string(),
    record: z.string(),
    image: z.string(),
    listSchemaVersion: z.string(),
    recordSchemaVersion: z.string(),
  }),
});

/**
 * `GET /derived-finality-v3/discovery`: routes and schemas of both generations, and how to select the generation of a
 * launch.
 */
export const finalityDiscoverySchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-finality-discovery.v3'),
    chainId: z.literal('4663'),
    caip2: z.literal(CAIP2),
    selection: z.strictObject({
      /** Path of the marker in the original response. */
      contextField: z.literal('profile.derivedContractFinality'),
      absent: z.literal('v2'),
      /** The only marker that selects V3, matched exactly. */
      policyV3: z.string().min(1).max(128),
      otherwise: z.literal('refused'),
    }),
    /** Generation of new launches; null while the context selects none. */
    current: z.enum(['v2', 'v3']).nullable(),
    v2: generationSchema,
    v3: generationSchema,
    readiness: z.string(),
  })
  .meta({ id: 'FinalityDiscovery' });
export type FinalityDiscovery = z.infer<typeof finalityDiscoverySchema>;

export const RECOVERY_REASONS = [
  'CONTEXT_NOT_CONFIGURED',
  'FINALITY_POLICY_UNKNOWN',
  'RECOVERY_PAUSED',
  'RECOVERY_NEVER_REPORTED',
  'RECOVERY_SILENT',
  'RECOVERY_INDETERMINATE',
  'RECOVERY_BEHIND',
] as const;
export type RecoveryReason = (typeof RECOVERY_REASONS)[number];

/** `GET /derived-finality-v3/readiness`: the last report of the recovery worker. */
export const finalityReadinessSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-finality-readiness.v3'),
    /**
     * `ready`: everything up to the finalized head is searched. `catching_up`: the search advances towards it.
     * `unavailable`: the search makes no progress.
     */
    status: z.enum(['ready', 'catching_up', 'unavailable']),
    /**
     * Reasons why it is not ready. `RECOVERY_PAUSED` comes first and can occur with any status: an operator stopped the
     * search.
     */
    reasonCodes: z.array(z.enum(RECOVERY_REASONS)).max(8),
    /** The router whose stamps are searched; null without a report. */
    recovery: z
      .strictObject({
        router: addressSchema,
        /** The last searched block; both observers have it as finalized. */
        checkpoint: z.strictObject({ blockNumber: decimalSchema, blockHash: bytes32Schema }).nullable(),
        /** The newest block that both observers report as finalized. */
        head: z.strictObject({ blockNumber: decimalSchema }).nullable(),
        lagBlocks: decimalSchema.nullable(),
        observation: z.enum(['agreed', 'indeterminate']),
        reportedAt: timestampSchema,
      })
      .nullable(),
    checkedAt: timestampSchema,
  })
  .meta({ id: 'FinalityReadiness' });
export type FinalityReadiness = z.infer<typeof finalityReadinessSchema>;
