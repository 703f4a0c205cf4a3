import { z } from 'zod';
import { addressSchema, bytes32Schema, decimalSchema } from '../primitives/scalars.schema.js';
import { INDEXED_CHAINS } from './source-versions.js';

export const DEPLOYMENT_MANIFEST_SCHEMA = 'service.deployment-manifest.v1';

const chainId = z.literal(INDEXED_CHAINS);

/** A contract of a deployment, by name. */
const manifestContractSchema = z.strictObject({
  name: z.string().regex(/^[a-z][A-Za-z0-9]{0,63}$/),
  chainId,
  address: addressSchema,
  /** keccak-256 of the code at the address. */
  runtimeCodeHash: bytes32Schema,
  /** The first block that can contain the contract; a search for its events begins here. */
  startBlock: decimalSchema,
});

const areApart = (values: readonly string[]): boolean => new Set(values).size === values.length;

/**
 * Every contract that a deployment has on its chains (docs/reference/index-sources.md#deployment-manifest). Contexts,
 * bindings and the contracts of the rollup are made from it only; no program has an address compiled in.
 */
export const deploymentManifestSchema = z
  .strictObject({
    schemaVersion: z.literal(DEPLOYMENT_MANIFEST_SCHEMA),
    /** Each chain with its first block, because the same address on another chain is another contract. */
    chains: z.tuple([
      z.strictObject({ chainId: z.literal(1), genesisBlock: decimalSchema, genesisHash: bytes32Schema }),
      z.strictObject({ chainId: z.literal(4663), genesisBlock: decimalSchema, genesisHash: bytes32Schema }),
    ]),
    contracts: z
      .array(manifestContractSchema)
      .min(1)
      .max(256)
      .refine((contracts) => areApart(contracts.map(({ name }) => name)), { message: 'names a contract twice' })
      .refine((contracts) => areApart(contracts.map((one) => `${one.chainId} ${one.address}`)), {
        message: 'has two contracts at one address',
      }),
  })
  .meta({ id: 'DeploymentManifest' });
export type DeploymentManifest = z.infer<typeof deploymentManifestSchema>;
