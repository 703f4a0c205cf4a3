import { z } from 'zod';
import { CHAIN_ETHEREUM_FINALIZED_V1 } from '../../launch/custom-launch-context.schema.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  timestampSchema,
} from '../../primitives/scalars.schema.js';
import { HOLD_CAUSES, HOLD_SUBJECTS, INDEX_STATES } from '../published-views.js';
import { QUARANTINE_REASONS } from '../quarantine-reasons.js';
import { FOUNDATION_FACTORY_VERSIONS, SOURCE_STATUSES } from '../source-versions.js';
import { launchRecordSchema } from '../launch-record.schema.js';
import { sourceDeploymentOf } from './discovery.schema.js';
import { abiUrlSchema, cursorSchema, INDEX_PAGE_MAX, readStatusSchema } from './read-parts.schema.js';

/**
 * The developer feed of Ethereum and the status of both chains' index, with lowercase addresses
 * (docs/reference/index-reads.md#developer-feed).
 */
export const INDEX_MANIFEST_PATH = '/api/v2/manifest';
export const INDEX_STATUS_PATH = '/api/v2/status';
export const DEVELOPER_LAUNCHES_PATH = '/api/v2/launches';
export const INDEX_MANIFEST_SCHEMA = 'service.index-manifest.v2';
export const INDEX_STATUS_SCHEMA = 'service.index-status.v2';
export const DEVELOPER_LAUNCHES_SCHEMA = 'service.index-launches.v2';
export const DEVELOPER_LAUNCH_SCHEMA = 'service.index-launch.v2';

const MAX_SOURCES = 1_024;
const contractName = z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/);

const developerSourceSchema = sourceDeploymentOf(addressSchema).meta({ id: 'DeveloperSource' });

/** A generation of the router on Ethereum. The index scans every generation, a retired one up to its last block. */
export const routerGenerationSchema = z
  .strictObject({
    chainId: z.literal(1),
    address: addressSchema,
    runtimeCodeHash: bytes32Schema,
    startBlock: decimalSchema,
    /** The last block that counts, inclusive; null for an active router. */
    endBlock: decimalSchema.nullable(),
    status: z.enum(SOURCE_STATUSES),
    abiUrl: abiUrlSchema,
    abiSha256: sha256DigestSchema,
    /** The binding that the index follows, and the other contracts that the checks need. */
    bindings: z.strictObject({
      releaseDigest: sha256DigestSchema,
      contracts: z.record(contractName, addressSchema),
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
      /** Every generation, including the primary one, ordered by start block. */
      routerGenerations: z.array(routerGenerationSchema).min(1).max(MAX_SOURCES),
    }),
    /** Foundation releases on Ethereum; retained ones stay listed. */
    releases: z.array(developerSourceSchema).max(MAX_SOURCES),
    /** Every binding on Ethereum. */
    sources: z.array(developerSourceSchema).max(MAX_SOURCES),
    finalityPolicy: z.strictObject({
      id: z.literal(CHAIN_ETHEREUM_FINALIZED_V1),
      /**
       * Independent providers whose finalized blocks have a common block by hash; the block of a launch is its
       * ancestor.
       */
      providers: z.literal(2),
    }),
    /** Time when one of the bindings was last written. Equal state gives equal bytes. */
    generatedAt: timestampSchema,
  })
  .meta({ id: 'IndexManifest' });
export type IndexManifest = z.infer<typeof indexManifestSchema>;

/** The most dismissals that a status lists, for the index and for the feed of custom launches. */
export const DISMISSALS_SHOWN = 256;
/** The most holds that a status lists for all sources together. */
export const HOLDS_SHOWN = 256;
const count = z.number().int().nonnegative();

export const indexedSourceSchema = z
  .strictObject({
    /** Version that the binding names. If the index has no adapter for it, `state` is `unsupported`. */
    sourceVersion: z.string().max(64),
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable(),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    address: addressSchema,
    releaseDigest: sha256DigestSchema,
    status: z.enum(SOURCE_STATUSES),
    state: z.enum(INDEX_STATES),
    /** Reason why the source waits, is stopped or is refused; null otherwise. */
    stateReason: z.string().nullable(),
    freshness: readStatusSchema,
    /** Time when the source last wrote a range of blocks or found nothing left to read. */
    progressedAt: timestampSchema,
    /** The last block whose launches are admitted, and the time of its last confirmation; null before the first. */
    checkpoint: z.strictObject({ number: decimalSchema, hash: bytes32Schema, confirmedAt: timestampSchema }).nullable(),
    /** The last block that both observers report as finalized. */
    finalizedHead: decimalSchema.nullable(),
    /** Finalized blocks that are not admitted yet. */
    lagBlocks: decimalSchema.nullable(),
    /** Blocks whose launches are in the index, both inclusive; `through` is null before the first checkpoint. */
    coverage: z.strictObject({ from: decimalSchema, through: decimalSchema.nullable() }),
    /** Events of the source that are not a launch. Dismissed ones count in `dismissed` only. */
    quarantine: z.strictObject({
      total: count,
      byReason: z.partialRecord(z.enum(QUARANTINE_REASONS), count),
      dismissed: count,
      /** Events that an operator dismissed, newest blocks first, up to the bound for all sources together. */
      dismissals: z
        .array(
          z.strictObject({
            blockHash: bytes32Schema,
            transactionHash: bytes32Schema,
            logIndex: count,
            /** The check that failed. */
            reason: z.enum(QUARANTINE_REASONS),
            /** Reason that the operator gave. */
            dismissedReason: z.string(),
          }),
        )
        .max(DISMISSALS_SHOWN),
    }),
    /**
     * Blocks and transactions that the index draws no conclusions from. Records they cover are `INDETERMINATE`, and a
     * missing launch may be in them.
     */
    holds: z.strictObject({
      total: count,
      /** Newest blocks first, up to the bound for all sources together. */
      places: z
        .array(
          z.strictObject({
            blockNumber: decimalSchema,
            /** Null for the whole block. */
            transactionHash: bytes32Schema.nullable(),
            /** A hold on `trades` only keeps the launches of the block in the index. */
            subject: z.enum(HOLD_SUBJECTS),
            /** `index`: the place cannot be read; the index tries again. */
            cause: z.enum(HOLD_CAUSES),
            reason: z.string(),
            heldAt: timestampSchema,
            /** Whether an operator released the hold and the index has not read the place since. */
            isReleased: z.boolean(),
          }),
        )
        .max(HOLDS_SHOWN),
    }),
    /** Independent observers that must agree on every read. */
    observers: z.literal(2),
  })
  .meta({ id: 'IndexedSource' });
export type IndexedSource = z.infer<typeof indexedSourceSchema>;

export const indexStatusSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEX_STATUS_SCHEMA),
    /** The status of all sources together. */
    status: readStatusSchema,
    updatedAt: timestampSchema.nullable(),
    sources: z.array(indexedSourceSchema).max(MAX_SOURCES),
    /** Launches that `GET /v3/finalized-custom-launches` withholds because their record fails its schema. */
    heldEthereumRecords: z.strictObject({
      /**
       * Count in the feed, which is not ready while it is above zero. Logs in the quarantine of the index do not count.
       */
      quarantined: count,
      /** Entries that operators removed from the counts, newest first. */
      dismissals: z
        .array(
          z.strictObject({
            blockHash: bytes32Schema,
            transactionHash: bytes32Schema,
            logIndex: count,
            /** The check that failed. */
            reason: z.string(),
            /** Reason that the operator gave. */
            dismissedReason: z.string(),
            dismissedAt: timestampSchema,
          }),
        )
        .max(DISMISSALS_SHOWN),
    }),
    /** Records of `GET /v4/chains/4663/finalized-custom-launches` that failed their own verification. */
    heldRecords: z.strictObject({
      /** Count in the feed, which is not ready while it is above zero. */
      quarantined: count,
      /** Entries that operators removed from the counts, newest first. */
      dismissals: z
        .array(
          z.strictObject({
            routerLaunchId: bytes32Schema.nullable(),
            /** The check that failed. */
            reason: z.string(),
            /** Reason that the operator gave. */
            dismissedReason: z.string(),
            dismissedAt: timestampSchema,
          }),
        )
        .max(DISMISSALS_SHOWN),
    }),
  })
  .meta({ id: 'IndexStatus' });
export type IndexStatus = z.infer<typeof indexStatusSchema>;

/**
 * Finalized launches of Ethereum in the order of their admission. `launchKind` distinguishes Foundation graphs from
 * Custom ones.
 */
export const developerLaunchesSchema = z
  .strictObject({
    schemaVersion: z.literal(DEVELOPER_LAUNCHES_SCHEMA),
    items: z.array(launchRecordSchema).max(INDEX_PAGE_MAX),
    nextCursor: cursorSchema,
    status: readStatusSchema,
    updatedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'DeveloperLaunches' });
export type DeveloperLaunches = z.infer<typeof developerLaunchesSchema>;

export const developerLaunchSchema = z
  .strictObject({ schemaVersion: z.literal(DEVELOPER_LAUNCH_SCHEMA), launch: launchRecordSchema })
  .meta({ id: 'DeveloperLaunch' });
export type DeveloperLaunch = z.infer<typeof developerLaunchSchema>;
