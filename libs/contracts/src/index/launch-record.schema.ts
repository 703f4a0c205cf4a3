import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  timestampSchema,
} from '../primitives/scalars.schema.js';
import { FOUNDATION_FACTORY_VERSIONS, SOURCE_VERSIONS } from './source-versions.js';

/** The most modules of one launch; the contracts have the same bound. */
export const MAX_LAUNCH_MODULES = 32;

/**
 * A launch as an indexer stores it (docs/reference/index-sources.md#normalized-record). Fields that a source does not
 * have are null: `launchId` for Foundation; `recipeHash`, `runtime` and `launchKey` for routers; `routerAddress` and
 * `stampHash` for launches without a router.
 */
export const launchRecordSchema = z
  .strictObject({
    chainId: z.union([z.literal(1), z.literal(4663)]),
    sourceKind: z.enum(SOURCE_VERSIONS),
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable(),
    sourceAddress: addressSchema,
    sourceReleaseDigest: sha256DigestSchema,
    launchId: bytes32Schema.nullable(),
    /** The kind that a router stamped: 1 for a Custom graph, 2 for a Foundation graph; null for other sources. */
    launchKind: z.number().int().min(0).max(255).nullable(),
    tokenAddress: addressSchema,
    /** The launch wallet from the source's own event and getters; never the sender or the token's `creator()`. */
    creator: addressSchema,
    poolManager: addressSchema,
    poolId: bytes32Schema,
    hookAddress: addressSchema,
    recipeHash: bytes32Schema.nullable(),
    /** The program's contract. */
    runtime: addressSchema.nullable(),
    launchKey: bytes32Schema.nullable(),
    /** Opaque 32-byte values in recorded order. */
    modulePackageIds: z.array(bytes32Schema).max(MAX_LAUNCH_MODULES),
    moduleFamilyIds: z.array(bytes32Schema).max(MAX_LAUNCH_MODULES),
    transactionHash: bytes32Schema,
    blockNumber: decimalSchema,
    blockHash: bytes32Schema,
    logIndex: z.number().int().min(0),
    /** Timestamp of the block. */
    launchedAt: timestampSchema,
    /** Untrusted display data, unchanged; null if the token has none. */
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    decimals: z.number().int().min(0).max(255).nullable(),
    /** SHA-256 of the canonical verification document. */
    verificationDigest: sha256DigestSchema,
    routerAddress: addressSchema.nullable(),
    stampHash: bytes32Schema.nullable(),
  })
  .meta({ id: 'LaunchRecord' });
export type LaunchRecord = z.infer<typeof launchRecordSchema>;

export const METADATA_STATUSES = ['ok', 'absent', 'malformed'] as const;

/**
 * A token's own metadata (docs/reference/index-sources.md#token-metadata). Text is unchanged and must be shown as text;
 * URLs are in the form that the URL parser writes.
 */
export const tokenMetadataSchema = z
  .strictObject({
    status: z.enum(METADATA_STATUSES),
    description: z.string().nullable(),
    website: z.string().nullable(),
    imageUrl: z.string().nullable(),
    x: z.string().nullable(),
    telegram: z.string().nullable(),
    discord: z.string().nullable(),
    github: z.string().nullable(),
    gitbook: z.string().nullable(),
  })
  .meta({ id: 'TokenMetadata' });
export type TokenMetadata = z.infer<typeof tokenMetadataSchema>;
