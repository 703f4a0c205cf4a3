import { z } from 'zod';
import { permitWindowSchema } from '../launch/permit-window.schema.js';
import { projectMetadataSchema } from '../launch/source.schema.js';
import { inventoryParametersSchema } from '../launch/inventory-parameters.schema.js';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  base64Schema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  sourcePathSchema,
  uint256Schema,
} from '../primitives/scalars.schema.js';
import { budgetsSchema, checkpointSchema } from '../launch/custom-launch-body.schema.js';

export const CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA = 'service.custom-launch-pack-config.v4.1';

const { name, symbol, description, links } = projectMetadataSchema.shape;
const { inventoryRaw, tickLower, tickUpper, creatorBuyFeeBps, creatorSellFeeBps, creatorRecipient } =
  inventoryParametersSchema.shape;

/**
 * The configuration that packs a custom launch of the recipe `native20-seed@1`. It is closed and every member is
 * required. The same configuration packs to the same bytes.
 */
export const customLaunchPackConfigSchema = z.strictObject({
  schemaVersion: z.literal(CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA),
  /** Hash of the context that the deployment publishes; the packer takes the context document as a separate file. */
  contextHash: bytes32Schema,
  checkpoint: checkpointSchema,
  launchWallet: addressSchema,
  /** Nonce of the wallet at router V1. The hook's address is mined from it. */
  nonce: uint256Schema,
  permitWindow: permitWindowSchema,
  project: z.strictObject({
    name,
    symbol,
    description,
    links,
    image: z.strictObject({ path: sourcePathSchema, base64: base64Schema(LIMITS.requestBytes) }),
  }),
  /** The request commits to it with the lineage nonce and does not publish it. */
  publicOrigin: z.string().min(1).max(512),
  /** Raw token units, and the ticks of the whole supply. The pool's spacing is the profile's. */
  liquidity: z.strictObject({ inventoryRaw, tickLower, tickUpper }),
  creator: z.strictObject({
    buyFeeBps: creatorBuyFeeBps,
    sellFeeBps: creatorSellFeeBps,
    recipient: creatorRecipient,
  }),
  /** Wei and raw token units. Both are positive, or both are 0 under profile 4.0, which has no buy. */
  buy: z.strictObject({ initialBuyWei: uint256Schema, minimumTokensOut: uint256Schema }),
  budgets: budgetsSchema,
});
export type CustomLaunchPackConfig = z.infer<typeof customLaunchPackConfigSchema>;

/** The report of the packer about the request bytes. */
export const customLaunchPackReportSchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-pack-report.v4.1'),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  artifactHash: bytes32Schema,
  onchainLaunchId: bytes32Schema,
  byteLength: z.number().int().positive(),
  idempotencyKey: z.string(),
  predictedAddresses: z.strictObject({
    initializer: addressSchema,
    token: addressSchema,
    hook: addressSchema,
    feeVault: addressSchema,
  }),
  poolId: bytes32Schema,
  totalValueWei: decimalSchema,
  miningAttempts: z.number().int().positive(),
});
export type CustomLaunchPackReport = z.infer<typeof customLaunchPackReportSchema>;
