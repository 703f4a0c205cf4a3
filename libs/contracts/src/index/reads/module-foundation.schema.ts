import { z } from 'zod';
import {
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  sourceCommitSchema,
} from '../../primitives/scalars.schema.js';
import { FOUNDATION_FACTORY_VERSIONS, SOURCE_STATUSES } from '../source-versions.js';
import { abiUrlSchema, checksummedAddressSchema, siteLaunchRecordSchema } from './read-parts.schema.js';

export const MODULE_FOUNDATION_PATH = '/api/module-foundation';
export const MODULE_FOUNDATION_SCHEMA = 'service.module-foundation.v1';

const contractName = z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/);

/** Members that distinguish one release from another (docs/reference/index-reads.md#foundation-discovery). */
const identity = {
  factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS),
  releaseDigest: sha256DigestSchema,
  sourceCommit: sourceCommitSchema,
  startBlock: decimalSchema,
  /**
   * keccak-256 of the runtime by contract: `factory`, `custody`, `poolManager`; on Ethereum also the contracts of graph
   * launches.
   */
  runtimeHashes: z.record(contractName, bytes32Schema),
};

export const foundationReleaseSchema = z
  .strictObject({
    ...identity,
    factoryAddress: checksummedAddressSchema,
    custodyAddress: checksummedAddressSchema,
    endBlock: decimalSchema.nullable(),
    platformFeeBps: z.number().int().min(0).max(10_000),
    status: z.enum(SOURCE_STATUSES),
    abiUrl: abiUrlSchema,
    abiSha256: sha256DigestSchema,
  })
  .meta({ id: 'FoundationRelease' });
export type FoundationRelease = z.infer<typeof foundationReleaseSchema>;

const shownContractSchema = z.strictObject({ address: checksummedAddressSchema, runtimeCodeHash: bytes32Schema });

/** A graph factory on Ethereum, and the implementation that every wallet's account clones. */
const graphFactorySchema = shownContractSchema.extend({
  launchAccount: shownContractSchema,
  moduleImplementation: shownContractSchema,
});

/** The current release at the top level, all releases in a list, and, with `token`, the launch of that coin. */
export const moduleFoundationSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_FOUNDATION_SCHEMA),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    ...identity,
    releases: z.array(foundationReleaseSchema).max(64),
    /** On Ethereum: the contract that binds a graph's modules, of the current release. */
    moduleImplementation: shownContractSchema.optional(),
    /** On Ethereum: the factories whose launches the router stamps, of the current router generation. */
    graphFactory: z.strictObject({ v1: graphFactorySchema.nullable(), v2: graphFactorySchema.nullable() }).optional(),
    launch: siteLaunchRecordSchema.optional(),
  })
  .meta({ id: 'ModuleFoundation' });
export type ModuleFoundation = z.infer<typeof moduleFoundationSchema>;
