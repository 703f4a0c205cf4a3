import { parseObserverUrls } from '@launch/chain';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import type { AnyLaunchContext, CustomLaunchContext } from '@launch/contracts/launch';
import type { LaunchContext } from '@launch/contracts/multi-role';
import type { DeployedContract, DevnetDescription, RpcProvider } from '@launch/devnet';
import { buildContext, buildCustomLaunchContext, lowerHex } from '@launch/evm';
import type { CustomLaunchProfileName, DeploymentFacts, FinalityName, PolicyName } from '@launch/evm';

export type RuntimeRelease = NonNullable<LaunchContext['profile']['runtimeRelease']>;

/** The reviews that contexts need to be served, of the routers that were deployed with these very chains. */
export function developmentReviews(...contexts: readonly AnyLaunchContext[]): object {
  const routers = contexts.map(({ profile, chainDeployment }) => {
    const { id: policyId, policyHash } = profile.instructionPolicy;
    const { address: router, runtimeCodeHash } = chainDeployment.router;
    return { policyId, policyHash, router, runtimeCodeHash };
  });
  return { schemaVersion: 'service.multi-role-reviewed-routers.v1', routers };
}

/** Formats providers as the services read them: `id=url,id=url`. */
export const observerUrls = (providers: readonly RpcProvider[]): string =>
  providers.map(({ id, url }) => `${id}=${url}`).join(',');

/** Returns the URLs of such a list, in its order. */
export function urlsOf(endpoints: string): string[] {
  return endpoints.split(',').map((part) => part.slice(part.indexOf('=') + 1));
}

/**
 * Builds the context of the development chains as a reviewed release would publish it, from the deployed contracts.
 * @param release the source that runs; a checkout without history has none.
 */
export function buildDevelopmentContext(
  devnet: DevnetDescription,
  policy: PolicyName = 'reachable',
  release?: RuntimeRelease,
  finality: FinalityName = 'v2',
): LaunchContext {
  return buildContext({
    ...factsOf(devnet, policy, release),
    finality,
    router: pinned(devnet.contracts.router),
  });
}

/** The same for custom launches and plans: router V1, and the price feeds of both chains. */
export function buildDevelopmentCustomLaunchContext(
  devnet: DevnetDescription,
  policy: PolicyName = 'reachable',
  release?: RuntimeRelease,
  profile: CustomLaunchProfileName = '4.1',
): CustomLaunchContext {
  const { contracts, priceFeed } = devnet;
  return buildCustomLaunchContext({
    ...factsOf(devnet, policy, release),
    profile,
    router: pinned(contracts.routerV1),
    l2Feed: { ...pinned(contracts.priceFeedL2), ...priceFeed },
    l1Feed: { ...pinned(contracts.priceFeedL1), ...priceFeed },
  });
}

/** Returns the facts of the chains in both contexts; the router is the family's own. */
function factsOf(
  { contracts, rpc, genesisL2Block, platformFeeRecipient, permitAuthority }: DevnetDescription,
  policy: PolicyName,
  release: RuntimeRelease | undefined,
): Omit<DeploymentFacts, 'router'> {
  return {
    profileId: `development-${policy}`,
    instructionPolicy: policy,
    release,
    compilerVersions: PINNED_COMPILER_VERSIONS,
    poolManager: pinned(contracts.poolManager),
    sequencerInbox: lowerHex(contracts.sequencerInbox.address),
    bridge: lowerHex(contracts.bridge.address),
    nodeInterface: lowerHex(contracts.nodeInterface.address),
    genesisBlock: String(genesisL2Block),
    platformFeeRecipient: lowerHex(platformFeeRecipient),
    permitAuthorities: [lowerHex(permitAuthority.address)],
    l2Observers: [...parseObserverUrls('RPC_4663_URLS', observerUrls(rpc['4663']))],
    l1Observers: [...parseObserverUrls('RPC_1_URLS', observerUrls(rpc['1']))],
  };
}

const pinned = ({ address, runtimeCodeHash }: DeployedContract): DeploymentFacts['poolManager'] => ({
  address: lowerHex(address),
  runtimeCodeHash,
});
