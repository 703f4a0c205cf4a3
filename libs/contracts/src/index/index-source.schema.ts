import { z } from 'zod';
import { CHAIN_ETHEREUM_FINALIZED_V1 } from '../launch/custom-launch-context.schema.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  sourceCommitSchema,
} from '../primitives/scalars.schema.js';
import { FOUNDATION_FACTORY_VERSIONS, GRAPH_FACTORY_VERSIONS } from './source-versions.js';

export const INDEX_SOURCE_SCHEMA = 'service.index-source.v1';

/** Address and keccak-256 of the runtime of a deployed contract. */
export const boundContractSchema = z.strictObject({ address: addressSchema, runtimeCodeHash: bytes32Schema });
export type BoundContract = z.infer<typeof boundContractSchema>;

/** Returns whether a binding names either all contracts of a graph release or none. */
const namesGraphsWhole = (contracts: Readonly<Record<string, unknown>>): boolean =>
  GRAPH_FACTORY_VERSIONS.every((version) => {
    const named = ['graphFactory', 'moduleImplementation', 'launchAccount'].filter(
      (name) => contracts[`${name}${version}`] !== undefined,
    );
    return named.length === 0 || (named.length === 3 && contracts['custody'] !== undefined);
  });

/**
 * A binding of an indexer: one contract from one block on. It is content-addressed: the SHA-256 of its canonical JSON
 * is `sourceReleaseDigest`. A binding is never edited or removed; its status is separate deployment state
 * (docs/reference/index-sources.md#source-binding).
 *
 * `sourceVersion` is open text: an indexer without an adapter for it refuses to start the source and reports that.
 */
export const indexSourceSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEX_SOURCE_SCHEMA),
    sourceVersion: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    /** The contract whose events are launches: launcher, engine, factory or router. */
    address: addressSchema,
    runtimeCodeHash: bytes32Schema,
    startBlock: decimalSchema,
    /** Last block that is scanned, inclusive; null for an active source. */
    endBlock: decimalSchema.nullable(),
    /** Digest of the exact bytes of the published ABI. */
    abiSha256: sha256DigestSchema,
    /** Present for Foundation factories only. */
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable(),
    /**
     * Other contracts that the checks need, by name: `poolManager`, `registry`, `custody`. A router of Ethereum names
     * the graph factories whose launches it stamps: `graphFactoryV1`, `moduleImplementationV1`, `launchAccountV1`, and
     * the same for V2.
     */
    contracts: z.record(z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/), boundContractSchema),
    profile: z.string().min(1).max(64),
    /** The commit whose sources the contracts are deployed from. */
    sourceCommit: sourceCommitSchema,
    finalityPolicyId: z.literal(CHAIN_ETHEREUM_FINALIZED_V1),
  })
  .refine(({ contracts }) => namesGraphsWhole(contracts), {
    path: ['contracts'],
    message: 'a graph factory comes with its moduleImplementation, its launchAccount and custody',
  })
  .meta({ id: 'IndexSource' });
export type IndexSource = z.infer<typeof indexSourceSchema>;
