import type { ObserverPair } from '@launch/chain';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { DeploymentManifest } from '@launch/contracts/index';
import type { LaunchContext } from '@launch/contracts/multi-role';
import { CHAIN_ID, type Hex } from '@launch/contracts/primitives';
import { buildContext, buildCustomLaunchContext } from '@launch/evm';
import type { Release } from '../checkout.js';
import { requireManifestChains, requireManifestCode } from '../manifest/deployment-manifest.js';
import { endpointsOf, observersOf, pinContract, type ObserverUrls, type PinnedContract } from '../observers.js';
import type { ContextFacts } from './context.facts.js';

const ETHEREUM_CHAIN_ID = 1;

/**
 * Returns the context of facts, of any family. Code hashes are those that both observers report, observers'
 * commitments come from their URLs, and policies, recipes and compilers from this release.
 *
 * @throws {DeployError} OBSERVERS_UNAVAILABLE, CODE_MISSING, and where a manifest is given CODE_DIFFERS and CHAIN_DIFFERS.
 */
export async function readContext(
  facts: ContextFacts,
  urls: ObserverUrls,
  release: Release,
  manifest?: DeploymentManifest,
): Promise<LaunchContext | CustomLaunchContext> {
  if (manifest !== undefined) await requireManifestChains(manifest, urls);
  const l2 = observersOf(urls, CHAIN_ID);
  const pin = async (observers: ObserverPair, chainId: number, name: string, address: Hex): Promise<PinnedContract> => {
    const found = await pinContract(observers, name, address);
    requireManifestCode(manifest, chainId, name, found);
    return found;
  };
  const pinned = {
    release,
    compilerVersions: PINNED_COMPILER_VERSIONS,
    router: await pin(l2, CHAIN_ID, 'router', facts.router),
    poolManager: await pin(l2, CHAIN_ID, 'poolManager', facts.poolManager),
    l2Observers: [...endpointsOf('RPC_4663_URLS', urls.l2)],
    l1Observers: [...endpointsOf('RPC_1_URLS', urls.l1)],
  };
  if (!('family' in facts)) return buildContext({ ...facts, ...pinned });
  const l1 = observersOf(urls, ETHEREUM_CHAIN_ID);
  return buildCustomLaunchContext({
    ...facts,
    ...pinned,
    l2Feed: { ...facts.l2Feed, ...(await pin(l2, CHAIN_ID, 'l2Feed', facts.l2Feed.address)) },
    l1Feed: { ...facts.l1Feed, ...(await pin(l1, ETHEREUM_CHAIN_ID, 'l1Feed', facts.l1Feed.address)) },
  });
}
