import { z } from 'zod';
import { addressSchema, decimalSchema, sha256DigestSchema } from '../primitives/scalars.schema.js';
import { SOURCE_STATUSES } from './source-versions.js';

export const INDEX_DEPLOYMENT_SCHEMA = 'service.index-deployment.v1';

/** The most sources of one deployment, retired ones included. */
export const MAX_INDEX_SOURCES = 256;

/**
 * State of the sources of a deployment, outside their digests: their status, and how the blocks of the launch chain
 * reach Ethereum (docs/reference/index-sources.md#source-status). Each binding is a separate file beside it.
 */
export const indexDeploymentSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEX_DEPLOYMENT_SCHEMA),
    /** The rollup of chain 4663: its contracts, and the block of its message 0. */
    rollup: z.strictObject({
      sequencerInbox: addressSchema,
      bridge: addressSchema,
      nodeInterface: addressSchema,
      genesisBlock: decimalSchema,
    }),
    /** Each binding once, by the digest that names its file. */
    sources: z
      .array(z.strictObject({ releaseDigest: sha256DigestSchema, status: z.enum(SOURCE_STATUSES) }))
      .max(MAX_INDEX_SOURCES)
      .refine((sources) => new Set(sources.map(({ releaseDigest }) => releaseDigest)).size === sources.length, {
        message: 'names a source twice',
      }),
  })
  .meta({ id: 'IndexDeployment' });
export type IndexDeployment = z.infer<typeof indexDeploymentSchema>;
