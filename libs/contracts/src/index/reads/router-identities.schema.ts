import { z } from 'zod';
import { bytes32Schema, decimalSchema, sha256DigestSchema } from '../../primitives/scalars.schema.js';
import { abiUrlSchema, checksummedAddressSchema, CUSTOM_GRAPH_KIND } from './read-parts.schema.js';

export const ROUTER_IDENTITIES_PATH = '/api/indexers/v1/router-custom-identities';
export const ROUTER_IDENTITIES_SCHEMA = 'service.router-custom-identities.v1';

const identity = z.strictObject({
  tokenAddress: checksummedAddressSchema,
  routerAddress: checksummedAddressSchema,
  launchId: bytes32Schema,
  kind: z.literal(CUSTOM_GRAPH_KIND),
  poolManager: checksummedAddressSchema,
  poolId: bytes32Schema,
  hook: checksummedAddressSchema,
  transactionHash: bytes32Schema,
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  logIndex: z.number().int().min(0),
});

/**
 * Every finalized Custom coin of the routers on Ethereum, as of a checkpoint that every active router has reached.
 * Equal state gives equal bytes (docs/reference/index-reads.md#identity-snapshot).
 */
export const routerIdentitiesSchema = z
  .strictObject({
    schemaVersion: z.literal(ROUTER_IDENTITIES_SCHEMA),
    chainId: z.literal(1),
    checkpoint: z.strictObject({ number: decimalSchema, hash: bytes32Schema }),
    routers: z
      .array(
        z.strictObject({
          address: checksummedAddressSchema,
          runtimeCodeHash: bytes32Schema,
          startBlock: decimalSchema,
          endBlock: decimalSchema.nullable(),
          releaseDigest: sha256DigestSchema,
          abiUrl: abiUrlSchema,
          abiSha256: sha256DigestSchema,
        }),
      )
      .min(1)
      .max(64),
    count: z.number().int().nonnegative(),
    identities: z.array(identity),
  })
  .meta({ id: 'RouterCustomIdentities' });
export type RouterIdentities = z.infer<typeof routerIdentitiesSchema>;
