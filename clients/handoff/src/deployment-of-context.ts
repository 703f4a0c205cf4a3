import type { AnyLaunchContext } from '@launch/contracts/launch';
import { canonicalKeccak, CHAIN_ID } from '@launch/contracts/primitives';
import type { TrustedDeployment } from './handoff.types.js';

/**
 * Returns the deployment that a context commits to. Trust it only for a context whose hash the controller's own request names:
 * the check `context.hash` compares the two.
 */
export const deploymentOfContext = (
  family: TrustedDeployment['family'],
  context: AnyLaunchContext,
): TrustedDeployment => ({
  family,
  chainId: CHAIN_ID,
  router: context.chainDeployment.router.address,
  routerCodeHash: context.chainDeployment.router.runtimeCodeHash,
  permitAuthorities: context.chainBindings.permitAuthorities,
  poolManager: context.chainDeployment.poolManager.address,
  contextHash: canonicalKeccak(context),
});
