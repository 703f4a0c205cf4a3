import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChainId } from './chain-id.js';
import type { DevnetContracts } from './rollup/contracts.deploy.js';
import { GENESIS_NUMBER } from './rollup/finality.view.js';

const CHAINS = ['1', '4663'] as const;
/** The contracts on chain 1: the rollup's own, and those with its suffix. */
const ON_CHAIN_1 = /L1$|^(bridge|sequencerInbox)$/;

/** Returns the file of the manifest for the chains in a folder. */
export const manifestFileIn = (dir: string): string => join(dir, 'deployment.json');

/** Returns the deployment manifest (`service.deployment-manifest.v1`): every contract with its chain, code and first block. */
export function manifestOf(contracts: DevnetContracts, genesis: Readonly<Record<ChainId, string>>) {
  return {
    schemaVersion: 'service.deployment-manifest.v1',
    chains: CHAINS.map((chain) => ({
      chainId: Number(chain),
      genesisBlock: String(GENESIS_NUMBER[chain]),
      genesisHash: genesis[chain],
    })),
    contracts: Object.entries(contracts).map(([name, { address, runtimeCodeHash, startBlock }]) => {
      const chain = ON_CHAIN_1.test(name) ? '1' : '4663';
      return {
        name,
        chainId: Number(chain),
        address,
        runtimeCodeHash,
        startBlock: String(startBlock),
      };
    }),
  };
}

/** Writes the manifest at every start: a later release adds contracts, and existing ones stay as they are. */
export async function writeManifest(dir: string, manifest: ReturnType<typeof manifestOf>): Promise<void> {
  const file = manifestFileIn(dir);
  await writeFile(`${file}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o644 });
  await rename(`${file}.new`, file);
}
