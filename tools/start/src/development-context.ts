import { parseObserverUrls } from '@launch/chain';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import type { LaunchContext } from '@launch/contracts';
import type { DevnetDescription, RpcProvider } from '@launch/devnet';
import { buildContext, type FinalityName, type PolicyName, type Hex, lowerHex } from '@launch/evm';

export type RuntimeRelease = NonNullable<LaunchContext['profile']['runtimeRelease']>;

/** The review that a context needs to be served, of the router that was deployed with these very chains. */
export function developmentReviews({ profile, chainDeployment }: LaunchContext): object {
  const { id: policyId, policyHash } = profile.instructionPolicy;
  const { address: router, runtimeCodeHash } = chainDeployment.router;
  return {
    schemaVersion: 'service.multi-role-reviewed-routers.v1',
    routers: [{ policyId, policyHash, router, runtimeCodeHash }],
  };
}

/** Providers as the services are told of them: `id=url,id=url`. */
export const observerUrls = (providers: readonly RpcProvider[]): string =>
  providers.map(({ id, url }) => `${id}=${url}`).join(',');

/**
 * The context that the development chains stand for: what a reviewed release would publish, from what was just deployed.
 * @param release the source that runs; a checkout without history has none.
 */
export function buildDevelopmentContext(
  devnet: DevnetDescription,
  policy: PolicyName = 'reachable',
  release?: RuntimeRelease,
  finality: FinalityName = 'v2',
): LaunchContext {
  const { contracts, rpc } = devnet;
  const pinned = ({ address, runtimeCodeHash }: { address: Hex; runtimeCodeHash: Hex }) => ({
    address: lowerHex(address),
    runtimeCodeHash,
  });
  return buildContext({
    profileId: `development-${policy}`,
    instructionPolicy: policy,
    finality,
    release,
    compilerVersions: PINNED_COMPILER_VERSIONS,
    router: pinned(contracts.router),
    poolManager: pinned(contracts.poolManager),
    sequencerInbox: lowerHex(contracts.sequencerInbox.address),
    bridge: lowerHex(contracts.bridge.address),
    nodeInterface: lowerHex(contracts.nodeInterface.address),
    genesisBlock: String(devnet.genesisL2Block),
    platformFeeRecipient: lowerHex(devnet.platformFeeRecipient),
    permitAuthorities: [lowerHex(devnet.permitAuthority.address)],
    l2Observers: [...parseObserverUrls('RPC_4663_URLS', observerUrls(rpc['4663']))],
    l1Observers: [...parseObserverUrls('RPC_1_URLS', observerUrls(rpc['1']))],
  });
}
