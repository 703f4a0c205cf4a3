import { z } from 'zod';
import {
  chainBindingsSchema,
  chainDeploymentSchema,
  compilerVersionsSchema,
  contextLimitsSchema,
  instructionPolicySchema,
  providerProfileSchema,
  publishedRecipesSchema,
  runtimeReleaseSchema,
} from './context-parts.schema.js';
import { CAIP2, CHAIN_DEPLOYMENT_ID } from '../primitives/limits.js';
import { addressSchema, bytes32Schema } from '../primitives/scalars.schema.js';

/**
 * Profiles of custom launches and plans, as a context names them. The server selects one
 * (docs/reference/custom-launch.md#profile).
 */
export const CUSTOM_LAUNCH_PROFILE_4_1 = 'service.custom-launch-profile.v4.1';
export const CUSTOM_LAUNCH_PROFILE_4_0 = 'service.custom-launch-profile.v4.0';

/** `providerProfile.finalityPolicyId` of custom launches and plans (docs/reference/finality.md#finality-policy). */
export const CHAIN_ETHEREUM_FINALIZED_V1 = 'chain-ethereum-finalized-v1';

/** One price feed of the native currency in US dollars (AggregatorV3), pinned by its code. */
export const usdFeedSchema = z.strictObject({
  address: addressSchema,
  runtimeCodeHash: bytes32Schema,
  /** Decimals of its prices. */
  decimals: z.number().int().min(0).max(36),
  /** Seconds after which the feed publishes a new round even if the price did not move. */
  heartbeatSeconds: z.number().int().min(1).max(604_800),
});
export type UsdFeed = z.infer<typeof usdFeedSchema>;

/** Two price feeds on two chains, and the largest allowed difference between their prices. */
export const usdReferenceSchema = z.strictObject({
  /** On the launch's own chain. */
  l2Feed: usdFeedSchema,
  /** On Ethereum. */
  l1Feed: usdFeedSchema,
  maxDeviationBps: z.number().int().min(1).max(10_000),
});

/**
 * The context that custom launches and plans are bound to. A request names it by `contextHash`, the keccak-256 of its
 * canonical JSON, and does not contain it.
 */
export const customLaunchContextSchema = z
  .strictObject({
    chainId: z.literal('4663'),
    caip2: z.literal(CAIP2),
    chainDeploymentId: z.literal(CHAIN_DEPLOYMENT_ID),
    profile: z.strictObject({
      schemaVersion: z.enum([CUSTOM_LAUNCH_PROFILE_4_1, CUSTOM_LAUNCH_PROFILE_4_0]),
      profileId: z.string().min(1).max(128),
      instructionPolicy: instructionPolicySchema,
      runtimeRelease: runtimeReleaseSchema.optional(),
      compilerVersions: compilerVersionsSchema,
      recipes: publishedRecipesSchema,
      limits: contextLimitsSchema,
    }),
    chainDeployment: z.strictObject({ ...chainDeploymentSchema.shape, usdReference: usdReferenceSchema }),
    providerProfile: z.strictObject({
      ...providerProfileSchema.shape,
      finalityPolicyId: z.literal(CHAIN_ETHEREUM_FINALIZED_V1),
    }),
    chainBindings: chainBindingsSchema,
  })
  .meta({ id: 'CustomLaunchContext' });
export type CustomLaunchContext = z.infer<typeof customLaunchContextSchema>;

const PROFILE_VERSIONS = { [CUSTOM_LAUNCH_PROFILE_4_1]: '4.1', [CUSTOM_LAUNCH_PROFILE_4_0]: '4.0' } as const;

/** The version of the profile that a context publishes; a request names it as `<version>.0`. */
export const profileVersionOf = ({ profile }: Pick<CustomLaunchContext, 'profile'>) =>
  PROFILE_VERSIONS[profile.schemaVersion];
