import { z } from 'zod';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  roleMaskSchema,
  timestampSchema,
  uint160Schema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { CAIP2 } from '../primitives/limits.js';
import { chainBindingsSchema } from '../launch/context-parts.schema.js';
import { poolKeySchema } from '../launch/graph.schema.js';
import { imageSchema, projectMetadataSchema } from '../launch/source.schema.js';

const publicPostingSchema = z.strictObject({
  sequencerInbox: addressSchema,
  batchNumber: decimalSchema,
  batchTransactionHash: bytes32Schema,
  l1BlockNumber: decimalSchema,
  l1BlockHash: bytes32Schema,
});

/** A stamped account: scope 0 a component, 1 a derived child, 2 an external contract. */
export const finalizedComponentSchema = z.strictObject({
  account: addressSchema,
  roleMask: roleMaskSchema,
  runtimeCodeHash: bytes32Schema,
  scope: z.number().int().min(0).max(2),
  resultIndex: z.number().int().nonnegative(),
});

/**
 * The public finalized record: no signatures, submitted source or provider payloads
 * (docs/reference/multi-role.md#public-record).
 */
export const finalizedRecordSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-finalized-metadata.v2'),
    apiLaunchId: uuidSchema,
    onchainLaunchId: bytes32Schema,
    caip2: z.literal(CAIP2),
    chainBindings: chainBindingsSchema,
    projectMetadata: projectMetadataSchema,
    image: z.strictObject({ ...imageSchema.shape, path: z.string() }),
    market: z.strictObject({
      token: addressSchema,
      hook: addressSchema,
      poolManager: addressSchema,
      poolId: bytes32Schema,
      poolKey: poolKeySchema,
      sqrtPriceX96: uint160Schema,
    }),
    components: z.array(finalizedComponentSchema).min(1).max(80),
    provenance: z.strictObject({
      requestHash: bytes32Schema,
      contextHash: bytes32Schema,
      graphHash: bytes32Schema,
      economicsHash: bytes32Schema,
      instructionPolicyHash: bytes32Schema,
      artifactHash: bytes32Schema,
      transactionHash: bytes32Schema,
      l2Block: z.strictObject({ number: decimalSchema, hash: bytes32Schema }),
    }),
    ethereum: z.strictObject({
      posting: publicPostingSchema,
      finalized: z.strictObject({ blockNumber: decimalSchema, blockHash: bytes32Schema }),
    }),
    sourcePublication: z.strictObject({
      sourcify: z.literal('not_verified'),
      blockExplorer: z.literal('not_verified'),
    }),
    indexerPublication: z.literal('not_claimed'),
    finalizedAt: timestampSchema,
  })
  .meta({ id: 'FinalizedRecord' });
export type FinalizedRecord = z.infer<typeof finalizedRecordSchema>;

export const finalizedListSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-finalized-metadata-list.v2'),
    items: z.array(finalizedRecordSchema).max(LIMITS.listMax),
    nextCursor: z.string().max(512).nullable(),
  })
  .meta({ id: 'FinalizedList' });
export type FinalizedList = z.infer<typeof finalizedListSchema>;
