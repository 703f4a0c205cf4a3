import { z } from 'zod';
import { l1CheckpointSchema, l1PostingSchema, l2InclusionSchema } from '../launch/finality-parts.schema.js';
import { CAIP2, LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  timestampSchema,
  uuidSchema,
  type Sha256Digest,
} from '../primitives/scalars.schema.js';
import { componentIdSchema } from '../launch/custom-launch-body.schema.js';

export const CUSTOM_LAUNCH_FEED_PATH = '/v4/chains/4663/finalized-custom-launches';
/** Returns the path of the public evidence bundle with this digest. */
export const customLaunchEvidencePath = (launchId: string, sha256: Sha256Digest): string =>
  `${CUSTOM_LAUNCH_FEED_PATH}/${launchId}/evidence/${sha256.slice('sha256:'.length)}`;

/**
 * Positions on both chains as readers see them. Each evidence object lists the observers that agreed on it by the ids of
 * the context, never by address.
 */
const onchainSchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-onchain-evidence.v3'),
  router: addressSchema,
  routerLaunchId: bytes32Schema.describe(
    'The 32-byte id that the router assigned. The UUID of the request is launchId.',
  ),
  terminal: z.literal(true),
  checkpointType: z.literal('ethereum_finalized'),
  transactionHash: bytes32Schema,
  l2Inclusion: l2InclusionSchema,
  l1Posting: l1PostingSchema,
  l1FinalizedCheckpoint: l1CheckpointSchema.required({ common: true }),
  blockNumber: decimalSchema.describe(
    'Deprecated: the Ethereum block of the checkpoint. Do not combine it with the transaction hash.',
  ),
  blockHash: bytes32Schema.describe('Deprecated: the hash of the Ethereum block of the checkpoint.'),
  logIndex: z
    .number()
    .int()
    .nonnegative()
    .describe("Deprecated: the log index of the posting's event in its Ethereum block."),
});

/** One finalized custom launch or plan (docs/reference/custom-launch.md#feed). */
export const customLaunchFinalizedSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-finalized-metadata.v4'),
    platformId: z.literal('service'),
    category: z.literal('custom'),
    chainId: z.literal(4663),
    caip2: z.literal(CAIP2),
    launchId: uuidSchema.describe('The id to read the launch with the key that created it. For a plan, its planId.'),
    requestKind: z.enum(['launch', 'plan']),
    projectMetadata: z.strictObject({
      token: z.strictObject({ name: z.string().min(1).max(64), symbol: z.string().min(1).max(16) }),
    }),
    market: z.strictObject({
      token: addressSchema,
      hook: addressSchema,
      poolManager: addressSchema,
      poolId: bytes32Schema,
    }),
    onchain: onchainSchema,
    /** Each runtime equals the compiled output of the admitted sources, read at the launch's own finalized block. */
    sourceVerification: z.strictObject({
      status: z.literal('exact_match'),
      components: z
        .array(
          z.strictObject({
            targetId: componentIdSchema,
            address: addressSchema,
            runtimeCodeHash: bytes32Schema,
            status: z.literal('exact_match'),
          }),
        )
        .min(1)
        .max(16),
    }),
    quality: z.strictObject({ status: z.literal('ready') }),
    evidence: z
      .strictObject({ sha256: sha256DigestSchema, path: z.string().max(256) })
      .describe('Path and digest of the public evidence bundle of the finality.'),
    finalizedAt: timestampSchema,
  })
  .meta({ id: 'CustomLaunchFinalizedMetadataV4' });
export type CustomLaunchFinalized = z.infer<typeof customLaunchFinalizedSchema>;

/**
 * Counts finalized launches, the published ones among them, and those that are withheld because their record fails a
 * check.
 */
const counters = {
  sourceRowCount: z.number().int().nonnegative(),
  publishedRowCount: z.number().int().nonnegative(),
  quarantinedRowCount: z.number().int().nonnegative(),
};

/** A page of `GET /finalized-custom-launches`, in the order of publication; its counters are in `dataset` and at the top level. */
export const customLaunchFinalizedListSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-finalized-list.v4'),
    dataset: z.strictObject({ ...counters, asOf: timestampSchema }),
    quality: z.strictObject({
      status: z.enum(['ready', 'not_ready']),
      reasons: z.array(z.enum(['RECORDS_QUARANTINED', 'RECORDS_UNPUBLISHED'])).max(2),
    }),
    ...counters,
    items: z.array(customLaunchFinalizedSchema).max(LIMITS.listMax),
    nextCursor: z.string().max(512).nullable(),
  })
  .meta({ id: 'CustomLaunchFinalizedListV4' });
export type CustomLaunchFinalizedList = z.infer<typeof customLaunchFinalizedListSchema>;
