import type { DeploymentManifest } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import { bindSource, type PlacedSource } from '@launch/evm/sources';
import { requireManifestChains, requireManifestCode } from '../manifest/deployment-manifest.js';
import { observersOf, pinContract, type ObserverUrls, type PinnedContract } from '../observers.js';
import type { IndexFacts } from './index.facts.js';

/**
 * Returns the bindings of facts, with the code that both observers of each chain show, and ABI digests of this release.
 *
 * @throws {DeployError} OBSERVERS_UNAVAILABLE, CODE_MISSING, and where a manifest is given CODE_DIFFERS and CHAIN_DIFFERS.
 */
export async function readSources(
  { profile, sources }: IndexFacts,
  urls: ObserverUrls,
  manifest?: DeploymentManifest,
): Promise<readonly PlacedSource[]> {
  if (manifest !== undefined) await requireManifestChains(manifest, urls);
  const observers = { 1: observersOf(urls, 1), 4663: observersOf(urls, 4663) };
  const placed: PlacedSource[] = [];
  for (const { status, contracts, address, ...facts } of sources) {
    const named = `${facts.sourceVersion} on chain ${facts.chainId}`;
    const pin = async (name: string, at: Hex): Promise<PinnedContract> => {
      const found = await pinContract(observers[facts.chainId], name, at);
      requireManifestCode(manifest, facts.chainId, name, found);
      return found;
    };
    const others: Record<string, PinnedContract> = {};
    for (const [name, other] of Object.entries(contracts)) others[name] = await pin(`${named}: ${name}`, other);
    placed.push({
      source: bindSource({ ...facts, profile, ...(await pin(named, address)), contracts: others }),
      status,
    });
  }
  return placed;
}
