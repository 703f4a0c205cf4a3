import { z } from 'zod';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  hexBytesSchema,
  roleMaskSchema,
  sha256DigestSchema,
  slugSchema,
  uint128Schema,
  uint160Schema,
} from '../primitives/scalars.schema.js';

export const poolKeySchema = z.strictObject({
  currency0: addressSchema,
  currency1: addressSchema,
  fee: z.number().int().min(0).max(0xffffff),
  tickSpacing: z.number().int().min(1).max(32_767),
  hooks: addressSchema,
});
export type PoolKeyWire = z.infer<typeof poolKeySchema>;

export const graphComponentSchema = z.strictObject({
  componentId: slugSchema,
  roleMask: roleMaskSchema,
  salt: bytes32Schema,
  /** Creation code without constructor arguments. */
  creationBytecode: hexBytesSchema(LIMITS.initCodeBytes),
  /** ABI-encoded constructor arguments; the init code is the creation code followed by them. */
  constructorArgs: hexBytesSchema(LIMITS.initCodeBytes),
  predictedAddress: addressSchema,
  expectedRuntimeCode: hexBytesSchema(LIMITS.runtimeCodeBytes),
  expectedRuntimeCodeHash: bytes32Schema,
});
export type GraphComponent = z.infer<typeof graphComponentSchema>;

export const graphChildSchema = z.strictObject({
  parentIndex: z.number().int().min(0).max(15),
  roleMask: roleMaskSchema,
  account: addressSchema,
  runtimeCodeHash: bytes32Schema,
});

export const externalContractSchema = z.strictObject({
  roleMask: roleMaskSchema,
  account: addressSchema,
  runtimeCodeHash: bytes32Schema,
});

export const graphBundleSchema = z.strictObject({
  sourceBundleSha256: sha256DigestSchema,
  components: z.array(graphComponentSchema).min(1).max(16),
  children: z.array(graphChildSchema).max(32),
  officialPool: z.strictObject({ poolKey: poolKeySchema, sqrtPriceX96: uint160Schema }),
});
export type GraphBundle = z.infer<typeof graphBundleSchema>;

export const liquidityModelSchema = z.strictObject({
  kind: z.string().min(1).max(128),
  tickLower: z.number().int().min(-887_272).max(887_272),
  tickUpper: z.number().int().min(-887_272).max(887_272),
  tickSpacing: z.number().int().min(1).max(32_767),
  liquidity: uint128Schema,
});

/** `liquidityModel.kind` of the combined Native20 recipe. */
export const NATIVE20_LIQUIDITY_KIND = 'service.combined-native20.fixed-range.v1';
/** `liquidityModel.kind` of the three-contract inventory recipe. */
export const INVENTORY_LIQUIDITY_KIND = 'service.inventory-funded.v3';
