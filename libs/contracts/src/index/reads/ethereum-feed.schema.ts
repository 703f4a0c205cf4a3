import { z } from 'zod';
import { LIMITS } from '../../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  timestampSchema,
  type Hex,
  type Sha256Digest,
} from '../../primitives/scalars.schema.js';
import { cursorSchema } from './read-parts.schema.js';

export const ETHEREUM_FEED_PATH = '/v3/finalized-custom-launches';
/** Returns the path of the evidence with this digest. */
export const ethereumEvidencePath = (routerLaunchId: Hex, sha256: Sha256Digest): string =>
  `${ETHEREUM_FEED_PATH}/${routerLaunchId}/evidence/${sha256.slice('sha256:'.length)}`;

const checkpoint = { blockNumber: decimalSchema, blockHash: bytes32Schema };

/** One Custom launch that a router of Ethereum stamped (docs/reference/index-reads.md#ethereum-finalized-feed). */
export const ethereumFinalizedSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-finalized-metadata.v3'),
    platformId: z.literal('service'),
    category: z.literal('custom'),
    chainId: z.literal(1),
    caip2: z.literal('eip155:1'),
    projectMetadata: z.strictObject({
      token: z
        .strictObject({ name: z.string().nullable(), symbol: z.string().nullable() })
        .describe('Untrusted display data of the token. Null if the token has none.'),
    }),
    market: z.strictObject({
      token: addressSchema,
      hook: addressSchema,
      poolManager: addressSchema,
      poolId: bytes32Schema,
    }),
    onchain: z.strictObject({
      schemaVersion: z.literal('service.custom-launch-ethereum-evidence.v3'),
      router: addressSchema,
      routerLaunchId: bytes32Schema,
      terminal: z.literal(true),
      checkpointType: z.literal('ethereum_finalized'),
      transactionHash: bytes32Schema,
      inclusion: z.strictObject({
        ...checkpoint,
        transactionIndex: z.number().int().nonnegative(),
        logIndex: z.number().int().nonnegative().describe("Index of the launch's event in its block."),
      }),
      ethereumFinalized: z
        .strictObject(checkpoint)
        .describe('A block that both observers report as finalized, at or above the block of the launch.'),
    }),
    sourceVerification: z
      .strictObject({ status: z.literal('not_verified'), components: z.array(z.never()).max(0) })
      .describe('Always without a verification label: this service did not receive the sources of the launch.'),
    quality: z.strictObject({ status: z.literal('ready') }),
    evidence: z
      .strictObject({ sha256: sha256DigestSchema, path: z.string().max(256) })
      .describe('Path and digest of the evidence of the stamp: every log and every read.'),
    launchedAt: timestampSchema.describe("Timestamp of the launch's block."),
    finalizedAt: timestampSchema.describe('When the checkpoint was confirmed.'),
  })
  .meta({ id: 'CustomLaunchFinalizedMetadataV3' });
export type EthereumFinalized = z.infer<typeof ethereumFinalizedSchema>;

/** Reasons why a reader must not rely on the data set now. */
export const ETHEREUM_FEED_REASONS = [
  /** The gateway has not read an index yet. */
  'INDEX_UNREAD',
  /** The last read is too old, or the index does not advance. */
  'INDEX_STALE',
  /** The index of a router has no checkpoint or is stopped, so launches may be missing. */
  'INDEX_INDETERMINATE',
  /** The index has fewer launches than were published, because it is being rebuilt. */
  'INDEX_BEHIND',
  'RECORDS_QUARANTINED',
  'RECORDS_UNPUBLISHED',
] as const;
export type EthereumFeedReason = (typeof ETHEREUM_FEED_REASONS)[number];

/** Counts final launches and judged logs of the index, the published ones among them, and the withheld ones. */
const counters = {
  sourceRowCount: z.number().int().nonnegative(),
  publishedRowCount: z.number().int().nonnegative(),
  quarantinedRowCount: z.number().int().nonnegative(),
};

/** A page of `GET /v3/finalized-custom-launches`, in the order of publication. */
export const ethereumFinalizedListSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-finalized-list.v3'),
    dataset: z.strictObject({
      ...counters,
      asOf: timestampSchema.nullable().describe('When the index was last read. Null before the first read.'),
    }),
    quality: z.strictObject({
      status: z.enum(['ready', 'not_ready']),
      reasons: z.array(z.enum(ETHEREUM_FEED_REASONS)).max(ETHEREUM_FEED_REASONS.length),
    }),
    ...counters,
    items: z.array(ethereumFinalizedSchema).max(LIMITS.listMax),
    nextCursor: cursorSchema,
  })
  .meta({ id: 'CustomLaunchFinalizedListV3' });
export type EthereumFinalizedList = z.infer<typeof ethereumFinalizedListSchema>;
