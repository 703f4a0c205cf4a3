import { z } from 'zod';
import { CHAIN_ETHEREUM_FINALIZED_V1 } from '../../launch/custom-launch-context.schema.js';
import { bytes32Schema, decimalSchema, sha256DigestSchema, timestampSchema } from '../../primitives/scalars.schema.js';
import { HOLD_CAUSES, HOLD_SUBJECTS, INDEX_STATES } from '../published-views.js';
import { QUARANTINE_REASONS } from '../quarantine-reasons.js';
import { FOUNDATION_FACTORY_VERSIONS, SOURCE_STATUSES } from '../source-versions.js';
import { sourceDeploymentSchema } from './discovery.schema.js';
import {
  abiUrlSchema,
  checksummedAddressSchema,
  cursorSchema,
  INDEX_PAGE_MAX,
  readStatusSchema,
  siteLaunchRecordSchema,
} from './read-parts.schema.js';

/** The developer feed of Ethereum and the status of both chains' index (docs/reference/index-reads.md#developer-feed). */
export const INDEX_MANIFEST_PATH = '/api/v2/manifest';
export const INDEX_STATUS_PATH = '/api/v2/status';
export const DEVELOPER_LAUNCHES_PATH = '/api/v2/launches';
export const INDEX_MANIFEST_SCHEMA = 'service.index-manifest.v2';
export const INDEX_STATUS_SCHEMA = 'service.index-status.v2';
export const DEVELOPER_LAUNCHES_SCHEMA = 'service.index-launches.v2';
export const DEVELOPER_LAUNCH_SCHEMA = 'service.index-launch.v2';

const MAX_SOURCES = 1_024;
const contractName = z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/);

/** A generation of the router on Ethereum. All generations are scanned, a retired one up to its last block. */
export const routerGenerationSchema = z
  .strictObject({
    chainId: z.literal(1),
    address: checksummedAddressSchema,
    runtimeCodeHash: bytes32Schema,
    startBlock: decimalSchema,
    /** The last block that counts, inclusive; null for a router that goes on. */
    endBlock: decimalSchema.nullable(),
    status: z.enum(SOURCE_STATUSES),
    abiUrl: abiUrlSchema,
    abiSha256: sha256DigestSchema,
    /** The binding that the index follows, and the other contracts that its checks need. */
    bindings: z.strictObject({
      releaseDigest: sha256DigestSchema,
      contracts: z.record(contractName, checksummedAddressSchema),
      runtimeCodeHashes: z.record(contractName, bytes32Schema),
    }),
    finalityPolicyId: z.literal(CHAIN_ETHEREUM_FINALIZED_V1),
  })
  .meta({ id: 'RouterGeneration' });
export type RouterGeneration = z.infer<typeof routerGenerationSchema>;

export const indexManifestSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEX_MANIFEST_SCHEMA),
    chainId: z.literal(1),
    /** The generation for new launches. */
    router: routerGenerationSchema,
    extensions: z.strictObject({
      /** Every generation, the primary one among them, by start block. */
      routerGenerations: z.array(routerGenerationSchema).min(1).max(MAX_SOURCES),
    }),
    /** Foundation releases on Ethereum, retained ones for ever. */
    releases: z.array(sourceDeploymentSchema).max(MAX_SOURCES),
    /** Every binding on Ethereum. */
    sources: z.array(sourceDeploymentSchema).max(MAX_SOURCES),
    finalityPolicy: z.strictObject({
      id: z.literal(CHAIN_ETHEREUM_FINALIZED_V1),
      /** Independent providers whose finalized blocks have a common one by hash; a launch's block is its ancestor. */
      providers: z.literal(2),
    }),
    /** When one of the bindings was last written: equal state, equal bytes. */
    generatedAt: timestampSchema,
  })
  .meta({ id: 'IndexManifest' });
export type IndexManifest = z.infer<typeof indexManifestSchema>;

/** Dismissals that a status has, at most: of the index, and of the feed of custom launches. */
export const DISMISSALS_SHOWN = 256;
/** Holds that a status has of all sources together, at most. */
export const HOLDS_SHOWN = 256;
const count = z.number().int().nonnegative();

export const indexedSourceSchema = z
  .strictObject({
    /** As its binding names it; the index refuses one that it has no adapter for: `state` is `unsupported` then. */
    sourceVersion: z.string().max(64),
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable(),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    address: checksummedAddressSchema,
    releaseDigest: sha256DigestSchema,
    status: z.enum(SOURCE_STATUSES),
    state: z.enum(INDEX_STATES),
    /** Why it waits, is stopped or refused; null otherwise. */
    stateReason: z.string().nullable(),
    freshness: readStatusSchema,
    /** When the source last wrote a range of blocks, or had nothing left to read. */
    progressedAt: timestampSchema,
    /** The last block whose launches are admitted, and when that was last confirmed; null before the first. */
    checkpoint: z.strictObject({ number: decimalSchema, hash: bytes32Schema, confirmedAt: timestampSchema }).nullable(),
    /** The last block that both observers call finalized. */
    finalizedHead: decimalSchema.nullable(),
    /** Finalized blocks that are not admitted yet. */
    lagBlocks: decimalSchema.nullable(),
    /** Blocks whose launches are in the index, both inclusive; `through` is null before the first checkpoint. */
    coverage: z.strictObject({ from: decimalSchema, through: decimalSchema.nullable() }),
    /** Events of the source that are no launch. Dismissed ones count in `dismissed` alone. */
    quarantine: z.strictObject({
      total: count,
      byReason: z.partialRecord(z.enum(QUARANTINE_REASONS), count),
      dismissed: count,
      /** Those that an operator dismissed, the newest blocks first; no more than the bound of all sources together. */
      dismissals: z
        .array(
          z.strictObject({
            blockHash: bytes32Schema,
            transactionHash: bytes32Schema,
            logIndex: count,
            /** The check that it failed. */
            reason: z.enum(QUARANTINE_REASONS),
            /** What the operator says. */
            dismissedReason: z.string(),
          }),
        )
        .max(DISMISSALS_SHOWN),
    }),
    /**
     * Blocks and transactions that the index concludes nothing from. Records they cover are `INDETERMINATE`, and what is
     * absent may be in them.
     */
    holds: z.strictObject({
      total: count,
      /** The newest blocks first; no more than the bound of all sources together. */
      places: z
        .array(
          z.strictObject({
            blockNumber: decimalSchema,
            /** Null for the whole block. */
            transactionHash: bytes32Schema.nullable(),
            /** `trades` alone leave the launches of the block in the index. */
            subject: z.enum(HOLD_SUBJECTS),
            /** `index`: the place could not be read, and is tried again. */
            cause: z.enum(HOLD_CAUSES),
            reason: z.string(),
            heldAt: timestampSchema,
            /** Whether an operator released it, and the index has not read it since. */
            isReleased: z.boolean(),
          }),
        )
        .max(HOLDS_SHOWN),
    }),
    /** Independent observers that every read is held to. */
    observers: z.literal(2),
  })
  .meta({ id: 'IndexedSource' });
export type IndexedSource = z.infer<typeof indexedSourceSchema>;

export const indexStatusSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEX_STATUS_SCHEMA),
    /** Of all sources together. */
    status: readStatusSchema,
    updatedAt: timestampSchema.nullable(),
    sources: z.array(indexedSourceSchema).max(MAX_SOURCES),
    /** Launches that `GET /v3/finalized-custom-launches` holds back, since their record fails its schema. */
    heldEthereumRecords: z.strictObject({
      /** Counted in the feed, which is not ready while there is one; logs in the index's own quarantine are not among them. */
      quarantined: count,
      /** What operators took out of the counts, the newest first. */
      dismissals: z
        .array(
          z.strictObject({
            blockHash: bytes32Schema,
            transactionHash: bytes32Schema,
            logIndex: count,
            /** The check that it failed. */
            reason: z.string(),
            /** What the operator says. */
            dismissedReason: z.string(),
            dismissedAt: timestampSchema,
          }),
        )
        .max(DISMISSALS_SHOWN),
    }),
    /** Records of `GET /v4/chains/4663/finalized-custom-launches` that failed their own verification. */
    heldRecords: z.strictObject({
      /** Counted in the feed, which is not ready while there is one. */
      quarantined: count,
      /** What operators took out of the counts, the newest first. */
      dismissals: z
        .array(
          z.strictObject({
            routerLaunchId: bytes32Schema.nullable(),
            /** The check that it failed. */
            reason: z.string(),
            /** What the operator says. */
            dismissedReason: z.string(),
            dismissedAt: timestampSchema,
          }),
        )
        .max(DISMISSALS_SHOWN),
    }),
  })
  .meta({ id: 'IndexStatus' });
export type IndexStatus = z.infer<typeof indexStatusSchema>;

/** Finalized launches of Ethereum in the order of their admission. `launchKind` tells graphs of Foundation from Custom ones. */
export const developerLaunchesSchema = z
  .strictObject({
    schemaVersion: z.literal(DEVELOPER_LAUNCHES_SCHEMA),
    items: z.array(siteLaunchRecordSchema).max(INDEX_PAGE_MAX),
    nextCursor: cursorSchema,
    status: readStatusSchema,
    updatedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'DeveloperLaunches' });
export type DeveloperLaunches = z.infer<typeof developerLaunchesSchema>;

export const developerLaunchSchema = z
  .strictObject({ schemaVersion: z.literal(DEVELOPER_LAUNCH_SCHEMA), launch: siteLaunchRecordSchema })
  .meta({ id: 'DeveloperLaunch' });
export type DeveloperLaunch = z.infer<typeof developerLaunchSchema>;
