import { z } from 'zod';
import { ANSWER_KEYS_PATH } from '../answer-keys.schema.js';
import { CHAIN_DEPLOYMENT_ID } from '../../primitives/limits.js';
import {
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  sourceCommitSchema,
  type Hex,
} from '../../primitives/scalars.schema.js';
import { FOUNDATION_FACTORY_VERSIONS, SOURCE_STATUSES, SOURCE_VERSIONS } from '../source-versions.js';
import {
  abiUrlSchema,
  checksummedAddressSchema,
  CUSTOM_GRAPH_KIND,
  CUSTOM_LABEL,
  SCAN_START_BLOCK,
  STAMP_GENERATION,
} from './read-parts.schema.js';

export const MODULE_INDEXER_PATH = '/api/module-mode/indexer/v1';
export const MODULE_MODE_PATH = '/api/module-mode';

const contractName = z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/);

/**
 * One binding of module mode. It accepts new sources while it is enabled and active
 * (docs/reference/index-reads.md#module-mode).
 */
export const moduleModeReleaseSchema = z
  .strictObject({
    schemaVersion: z.literal('service.module-mode-source.v1'),
    sourceVersion: z.literal('module-native-v1'),
    chainId: z.literal(4663),
    enabled: z.boolean(),
    status: z.enum(SOURCE_STATUSES),
    /** By name; `launcher` is the contract whose events are launches. */
    contracts: z.record(contractName, checksummedAddressSchema),
    runtimeCodeHashes: z.record(contractName, bytes32Schema),
    startBlock: decimalSchema,
    releaseDigest: sha256DigestSchema,
    profile: z.string(),
    sourceCommit: sourceCommitSchema,
  })
  .meta({ id: 'ModuleModeRelease' });
export type ModuleModeRelease = z.infer<typeof moduleModeReleaseSchema>;

export const moduleModeSchema = z
  .strictObject({
    release: moduleModeReleaseSchema,
    /** Earlier bindings; they stay listed. */
    retained: z.array(moduleModeReleaseSchema).max(1_024),
  })
  .meta({ id: 'ModuleMode' });
export type ModuleMode = z.infer<typeof moduleModeSchema>;

/** Contracts and blocks of a source, so that a reader can follow it without files of this deployment. */
export const sourceDeploymentOf = (address: z.ZodType<Hex, Hex>) =>
  z.strictObject({
    sourceVersion: z.string().max(64),
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable(),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    address,
    runtimeCodeHash: bytes32Schema,
    startBlock: decimalSchema,
    endBlock: decimalSchema.nullable(),
    status: z.enum(SOURCE_STATUSES),
    releaseDigest: sha256DigestSchema,
    /** Other contracts that the checks need. */
    contracts: z.record(contractName, address),
    runtimeCodeHashes: z.record(contractName, bytes32Schema),
    /** Completes, with the members above, the input of the release digest. */
    profile: z.string().max(64),
    sourceCommit: sourceCommitSchema,
    abiUrl: abiUrlSchema,
    abiSha256: sha256DigestSchema,
  });
export const sourceDeploymentSchema = sourceDeploymentOf(checksummedAddressSchema).meta({ id: 'SourceDeployment' });
export type SourceDeployment = z.infer<typeof sourceDeploymentSchema>;

/** An ABI in JSON, as solc writes it. */
const abiSchema = z.array(z.record(z.string(), z.unknown())).max(1_024);

/** The contract of indexers (docs/reference/index-reads.md#module-mode). */
export const moduleIndexerSchema = z
  .strictObject({
    schemaVersion: z.literal('service.module-mode-indexer.v1'),
    abi: abiSchema,
    /** Event name to its topic. */
    eventTopics: z.record(z.string().max(64), bytes32Schema),
    identityFields: z.strictObject({
      coin: z.array(z.string().max(32)).max(8),
      pool: z.array(z.string().max(32)).max(8),
      launch: z.array(z.string().max(32)).max(8),
      event: z.array(z.string().max(32)).max(8),
    }),
    tokenMetadata: z.strictObject({
      getter: abiSchema,
      /** Maps members of response bodies to members of the getter's result. */
      fields: z.record(z.string().max(32), z.string().max(64)),
      limits: z.record(z.string().max(32), z.number().int().positive()),
      /** Placeholder for a coin without an image; null if the deployment has none. */
      defaultImageUrl: z.string().max(2_048).nullable(),
    }),
    releasePath: z.literal(MODULE_MODE_PATH),
    scanStartBlock: z.literal(SCAN_START_BLOCK),
    stampGeneration: z.literal(STAMP_GENERATION),
    chainDeploymentId: z.literal(CHAIN_DEPLOYMENT_ID),
    launchKind: z.strictObject({ name: z.literal('CustomGraph'), value: z.literal(CUSTOM_GRAPH_KIND) }),
    label: z.literal(CUSTOM_LABEL),
    /** Every source version that this deployment has an adapter for. */
    sources: z
      .array(
        z.strictObject({ sourceVersion: z.enum(SOURCE_VERSIONS), abiUrl: abiUrlSchema, abiSha256: sha256DigestSchema }),
      )
      .max(SOURCE_VERSIONS.length),
    deployments: z.array(sourceDeploymentSchema).max(1_024),
    /**
     * Signatures of feeds and of the identity snapshot, so that clients can read them from a mirror; null if they are
     * not signed.
     */
    answerSignatures: z
      .strictObject({
        algorithm: z.literal('ed25519'),
        keysUrl: z.literal(ANSWER_KEYS_PATH),
        /** The parameter `tag` of every such signature. */
        tag: z.string().max(64),
        /** Covered components, in this order. */
        components: z.array(z.string().max(64)).max(16),
      })
      .nullable(),
    /** The rollup of chain 4663 on Ethereum; null if this deployment follows none. */
    rollup: z
      .strictObject({
        chainDeploymentId: z.literal(CHAIN_DEPLOYMENT_ID),
        sequencerInbox: checksummedAddressSchema,
        bridge: checksummedAddressSchema,
        nodeInterface: checksummedAddressSchema,
        genesisBlock: decimalSchema,
      })
      .nullable(),
  })
  .meta({ id: 'ModuleIndexer' });
export type ModuleIndexer = z.infer<typeof moduleIndexerSchema>;
