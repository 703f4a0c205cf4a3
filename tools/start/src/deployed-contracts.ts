import { readFile } from 'node:fs/promises';
import { deploymentManifestSchema, type DeploymentManifest } from '@launch/contracts/index';
import { parseStrictJson } from '@launch/contracts/json';
import { manifestFileIn, type DevnetContracts, type DevnetDescription } from '@launch/devnet';
import { DataFolderError } from './data-folder.js';

/**
 * Reads the contracts of the development chains from the manifest that their deployment wrote. Everything that is published of
 * them, contexts and bindings, has its addresses, code hashes and blocks from here.
 * @throws DataFolderError when the manifest is none, or is of other chains.
 */
export async function deployedContracts(
  dir: string,
  { genesis }: Pick<DevnetDescription, 'genesis'>,
): Promise<DevnetContracts> {
  const file = manifestFileIn(dir);
  const manifest = deploymentManifestSchema.safeParse(parseStrictJson(await readFile(file)));
  if (!manifest.success) throw new DataFolderError(`${file} is no deployment manifest: ${manifest.error.message}`);
  const { chains } = manifest.data;
  if (chains.some(({ chainId, genesisHash }) => genesis[`${chainId}`] !== genesisHash))
    throw new DataFolderError(`${file} is about other chains`);
  return contractsOf(manifest.data);
}

/** The contracts by name. The deployment names each that a release needs, or does not start. */
export const contractsOf = ({ contracts }: DeploymentManifest): DevnetContracts =>
  Object.fromEntries(
    contracts.map(({ name, address, runtimeCodeHash, startBlock }) => [
      name,
      { address, runtimeCodeHash, startBlock: Number(startBlock) },
    ]),
  ) as unknown as DevnetContracts;
