import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  FOUNDATION_FACTORY_VERSIONS,
  indexDeploymentSchema,
  indexSourceSchema,
  type FoundationFactoryVersion,
  type IndexSource,
  type SourceStatus,
  type SourceVersion,
} from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import type { DeployedContract, DevnetContracts, DevnetDescription } from '@launch/devnet';
import { lowerHex } from '@launch/evm';
import { bindSource, deploymentOf, sourceReleaseDigest } from '@launch/evm/sources';
import { writePrivate } from './data-folder.js';

/**
 * The sources of an index of the development chains: each source of chain 4663 from that chain's first block on.
 * @param sourceCommit the commit whose contracts the chains have.
 * @param retiredEnd last block of Ethereum's first router; absent: the one before its successor could exist.
 */
export function developmentSources(
  { contracts, genesisL2Block }: DevnetDescription,
  sourceCommit: string,
  retiredEnd?: string,
): readonly IndexSource[] {
  const { poolManager, moduleRegistry, poolManagerL1, retiredRouterL1, routerL1, graphRouterL1 } = contracts;
  const sourceOf = (
    sourceVersion: SourceVersion,
    contract: DeployedContract,
    others: Readonly<Record<string, DeployedContract>>,
    blocks: Pick<IndexSource, 'chainId' | 'startBlock' | 'endBlock'>,
    factoryVersion: FoundationFactoryVersion | null = null,
  ): IndexSource =>
    bindSource({
      sourceVersion,
      ...blocks,
      ...bound(contract),
      factoryVersion,
      contracts: Object.fromEntries(Object.entries(others).map(([name, other]) => [name, bound(other)])),
      profile: 'development',
      sourceCommit,
    });
  const launchBlocks = { chainId: 4663, startBlock: String(genesisL2Block + 1), endBlock: null } as const;
  const onLaunchChain = (
    sourceVersion: SourceVersion,
    contract: DeployedContract,
    others: Readonly<Record<string, DeployedContract>>,
  ): IndexSource => sourceOf(sourceVersion, contract, others, launchBlocks);
  const foundation = (factoryVersion: FoundationFactoryVersion): IndexSource =>
    sourceOf(
      'module-foundation-v1',
      contracts[`foundationFactory${factoryVersion}`],
      { poolManager, custody: contracts.foundationCustody },
      launchBlocks,
      factoryVersion,
    );
  const onEthereum = (
    router: DeployedContract,
    endBlock: string | null,
    others: Readonly<Record<string, DeployedContract>> = {},
  ): IndexSource =>
    sourceOf(
      'ethereum-custom-v1',
      router,
      { poolManager: poolManagerL1, ...others },
      { chainId: 1, startBlock: startOf(router), endBlock },
    );
  return [
    onLaunchChain('custom-multi-role-v2', contracts.router, { poolManager }),
    onLaunchChain('custom-router-v1', contracts.routerV1, { poolManager }),
    onLaunchChain('module-native-v1', contracts.nativeLauncherV1, { poolManager, registry: moduleRegistry }),
    onLaunchChain('module-native-v2', contracts.nativeLauncherV2, { poolManager, registry: moduleRegistry }),
    onLaunchChain('module-engine-v1', contracts.moduleEngineV1, { poolManager, registry: moduleRegistry }),
    ...FOUNDATION_FACTORY_VERSIONS.map(foundation),
    onEthereum(retiredRouterL1, retiredEnd ?? String(BigInt(startOf(routerL1)) - 1n)),
    onEthereum(routerL1, null),
    onEthereum(graphRouterL1, null, graphsOf(contracts)),
    onLaunchChain('module-native-v2', contracts.misstatingLauncher, { poolManager }),
  ];
}

/** Contracts that graph launches use, by their names in a router's binding. */
const graphsOf = (contracts: DevnetContracts): Readonly<Record<string, DeployedContract>> => ({
  custody: contracts.graphCustodyL1,
  graphFactoryV1: contracts.graphFactoryV1L1,
  moduleImplementationV1: contracts.moduleImplementationV1L1,
  launchAccountV1: contracts.launchAccountV1L1,
  graphFactoryV2: contracts.graphFactoryV2L1,
  moduleImplementationV2: contracts.moduleImplementationV2L1,
  launchAccountV2: contracts.launchAccountV2L1,
});

const startOf = ({ startBlock = 1 }: DeployedContract): string => String(startBlock);

const bound = ({ address, runtimeCodeHash }: DeployedContract): Pick<IndexSource, 'address' | 'runtimeCodeHash'> => ({
  address: lowerHex(address),
  runtimeCodeHash,
});

/**
 * Launches go on through all of them; only the newest factory, and the newest router of Ethereum, is meant for new ones. The
 * release with a fault was taken back: what was launched through it is read as ever.
 */
function statusOf(
  { factoryVersion, address, endBlock }: IndexSource,
  { routerL1, misstatingLauncher }: DevnetContracts,
): SourceStatus {
  if (address === lowerHex(misstatingLauncher.address)) return 'disabled';
  if (endBlock !== null || address === lowerHex(routerL1.address)) return 'retained';
  return factoryVersion === null || factoryVersion === FOUNDATION_FACTORY_VERSIONS.at(-1) ? 'active' : 'retained';
}

/**
 * Publishes bindings as files for the indexer: `<64 hex of the digest>.json` each, and `deployment.json` about them. Those of
 * earlier starts stay, as retained. A contract that an earlier start bound keeps the commit that deployed it: its binding
 * stays what it is from commit to commit, and so do the coins.
 * @param isNew the chains have just begun, so earlier bindings belong to other chains.
 * @returns the folder.
 */
export async function publishSources(
  folder: string,
  devnet: DevnetDescription,
  sources: readonly IndexSource[],
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<string> {
  if (isNew) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'deployment.json');
  const before = await readFile(file, 'utf8').catch(() => undefined);
  const earlier = before === undefined ? [] : indexDeploymentSchema.parse(JSON.parse(before)).sources;
  const fileOf = (releaseDigest: string): string => path.join(folder, `${releaseDigest.slice('sha256:'.length)}.json`);
  const kept = await Promise.all(
    earlier.map(async ({ releaseDigest }) =>
      indexSourceSchema.parse(JSON.parse(await readFile(fileOf(releaseDigest), 'utf8'))),
    ),
  );
  const bindings = sources.map((source) => {
    const isSame = (one: IndexSource): boolean =>
      canonicalJsonText({ ...source, sourceCommit: one.sourceCommit }) === canonicalJsonText(one);
    return kept.find(isSame) ?? source;
  });
  for (const source of bindings) await writePrivate(fileOf(sourceReleaseDigest(source)), canonicalJsonText(source));
  const { sequencerInbox, bridge, nodeInterface } = devnet.contracts;
  const rollup = {
    sequencerInbox: lowerHex(sequencerInbox.address),
    bridge: lowerHex(bridge.address),
    nodeInterface: lowerHex(nodeInterface.address),
    genesisBlock: String(devnet.genesisL2Block),
  };
  const placed = bindings.map((source) => ({ source, status: statusOf(source, devnet.contracts) }));
  // Last: it names what has to be there.
  await writePrivate(file, canonicalJsonText(deploymentOf(rollup, placed, earlier)));
  return folder;
}
