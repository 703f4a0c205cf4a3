import { addressSchema, bytes32Schema } from '@launch/contracts/primitives';
import { z } from 'zod';

/**
 * A deployment whose hand-offs the wallet page lets a wallet sign. The operator of the site states it; the page compares the
 * gateway's answers and the chain with it.
 */
export const trustedDeploymentSchema = z.strictObject({
  family: z.enum(['custom-launch', 'multi-role']),
  chainId: z.literal(4663),
  router: addressSchema,
  routerCodeHash: bytes32Schema,
  permitAuthorities: z.array(addressSchema).min(1).max(8),
  poolManager: addressSchema,
  /** The context that commits to the members above (docs/reference/requests-and-hashes.md). */
  contextHash: bytes32Schema,
});
export type TrustedDeployment = z.infer<typeof trustedDeploymentSchema>;
export const trustedDeploymentsSchema = z.array(trustedDeploymentSchema).max(32);

/** The settings that every page knows, in the browser too. They contain no secret. */
export interface PublicSettings {
  /** Origin of the API, as browsers reach it. */
  readonly gatewayUrl: string;
  readonly siteUrl: string | null;
  /** Origins of block explorers by chain id. */
  readonly explorers: Readonly<Partial<Record<'1' | '4663', string>>>;
  readonly trustedDeployments: readonly TrustedDeployment[];
}
