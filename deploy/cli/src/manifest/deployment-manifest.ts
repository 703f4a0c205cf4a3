// A deployment manifest (docs/reference/index-sources.md#deployment-manifest) names the contracts of a deployment. Facts
// refer to them by name, and repeat nothing that the manifest contains.
import type { OptionDeclaration } from '@launch/client-core/command';
import { deploymentManifestSchema, type DeploymentManifest } from '@launch/contracts/index';
import { DeployError } from '../deploy.error.js';
import { parseDocument, readJson } from '../documents.js';
import { blockHashOf, observersOf, type ObserverUrls, type PinnedContract } from '../observers.js';

const MAX_MANIFEST_BYTES = 256 * 1024;
const NAME = /^[a-z][A-Za-z0-9]{0,63}$/;
const LAUNCH_CHAIN = 4663;
/** The contracts of a context and of the rollup, by their default names in a manifest, with their chains. */
const CONTEXT_CONTRACTS = {
  router: LAUNCH_CHAIN,
  poolManager: LAUNCH_CHAIN,
  sequencerInbox: 1,
  bridge: 1,
  nodeInterface: LAUNCH_CHAIN,
} as const;
const ROLLUP_CONTRACTS = { sequencerInbox: 1, bridge: 1, nodeInterface: LAUNCH_CHAIN } as const;

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** A value that is no object has no members; the schema of the facts refuses it afterwards. */
const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

export const MANIFEST_OPTION: OptionDeclaration = {
  name: 'manifest',
  value: 'file',
  summary: 'a deployment manifest, by whose names the facts may name contracts',
};

/** @throws {DeployError} FILE_NOT_READ, DOCUMENT_INVALID */
export const readManifest = (file: string): DeploymentManifest =>
  parseManifest(readJson('--manifest', file, MAX_MANIFEST_BYTES));

/** @throws {DeployError} DOCUMENT_INVALID with a line for each member that is wrong. */
export const parseManifest = (value: unknown): DeploymentManifest =>
  parseDocument(deploymentManifestSchema, value, 'manifest');

function contractNamed({ contracts }: DeploymentManifest, name: string, chainId: unknown, where: string) {
  const contract = contracts.find((one) => one.name === name);
  const refuse = (message: string): never => {
    throw new DeployError(
      'DOCUMENT_INVALID',
      `facts: ${where}: ${message}`,
      'Name a contract of the manifest, or write its address.',
    );
  };
  if (contract === undefined) return refuse(`the manifest has no contract ${name}`);
  if (contract.chainId !== chainId) return refuse(`${name} is on chain ${contract.chainId}`);
  return contract;
}

/** Returns an address unchanged, and the address of a contract for its name. */
const addressOf = (manifest: DeploymentManifest, value: unknown, chainId: unknown, where: string): unknown =>
  typeof value === 'string' && NAME.test(value) ? contractNamed(manifest, value, chainId, where).address : value;

const placed = (
  manifest: DeploymentManifest,
  facts: Members,
  contracts: Readonly<Record<string, number>>,
  where = '',
): Members =>
  Object.fromEntries(
    Object.entries(contracts).map(([name, chainId]) => [
      name,
      addressOf(manifest, facts[name] ?? name, chainId, `${where}${name}`),
    ]),
  );

const genesisBlockOf = ({ chains }: DeploymentManifest): string => chains[1].genesisBlock;

function withFeed(manifest: DeploymentManifest, facts: Members, feed: string, chainId: number): Members {
  const given = facts[feed];
  return !isMembers(given) || given['address'] === undefined
    ? {}
    : { [feed]: { ...given, address: addressOf(manifest, given['address'], chainId, `${feed}.address`) } };
}

/** Completes facts of a context from a manifest: a contract that they omit is the one of the same name. */
export function contextFactsOf(given: unknown, manifest: DeploymentManifest): unknown {
  if (!isMembers(given)) return given;
  return {
    ...given,
    ...placed(manifest, given, CONTEXT_CONTRACTS),
    genesisBlock: given['genesisBlock'] ?? genesisBlockOf(manifest),
    ...withFeed(manifest, given, 'l2Feed', LAUNCH_CHAIN),
    ...withFeed(manifest, given, 'l1Feed', 1),
  };
}

/** Completes facts of an index from a manifest: its rollup, and address and first block of each source that names its contract. */
export function indexFactsOf(given: unknown, manifest: DeploymentManifest): unknown {
  if (!isMembers(given)) return given;
  const rollup = membersOf(given['rollup']);
  const sources = Array.isArray(given['sources']) ? given['sources'] : [];
  return {
    ...given,
    rollup: {
      ...rollup,
      ...placed(manifest, rollup, ROLLUP_CONTRACTS, 'rollup.'),
      genesisBlock: rollup['genesisBlock'] ?? genesisBlockOf(manifest),
    },
    sources: sources.map((source: unknown, index) => sourceOf(source, manifest, `sources.${index}`)),
  };
}

function sourceOf(given: unknown, manifest: DeploymentManifest, where: string): unknown {
  if (!isMembers(given)) return given;
  const { address, chainId } = given;
  const isNamed = typeof address === 'string' && NAME.test(address);
  const named = isNamed ? contractNamed(manifest, address, chainId, `${where}.address`) : null;
  const others = Object.entries(membersOf(given['contracts'])).map(([name, value]) => [
    name,
    addressOf(manifest, value, chainId, `${where}.contracts.${name}`),
  ]);
  return {
    ...(named === null ? {} : { startBlock: named.startBlock }),
    ...given,
    address: named?.address ?? address,
    contracts: Object.fromEntries(others) as unknown,
  };
}

/** @throws {DeployError} CODE_DIFFERS where the observers show other code at an address of the manifest. */
export function requireManifestCode(
  manifest: DeploymentManifest | undefined,
  chainId: number,
  name: string,
  { address, runtimeCodeHash }: PinnedContract,
): void {
  const named = manifest?.contracts.find((one) => one.chainId === chainId && one.address === address);
  if (named !== undefined && named.runtimeCodeHash !== runtimeCodeHash)
    throw new DeployError(
      'CODE_DIFFERS',
      `${name}: the observers show ${runtimeCodeHash} at ${address}, and the manifest names ${named.runtimeCodeHash}`,
      'Use the manifest of this deployment.',
    );
}

/** @throws {DeployError} CHAIN_DIFFERS where the observers do not show the first block of each chain of the manifest. */
export async function requireManifestChains({ chains }: DeploymentManifest, urls: ObserverUrls): Promise<void> {
  for (const { chainId, genesisBlock, genesisHash } of chains) {
    const shown = await blockHashOf(observersOf(urls, chainId), chainId, genesisBlock);
    if (shown !== genesisHash)
      throw new DeployError(
        'CHAIN_DIFFERS',
        `manifest: it describes another chain ${chainId}: block ${genesisBlock} is ${shown}`,
        'Use the manifest of this deployment, or the observers of its chains.',
      );
  }
}
