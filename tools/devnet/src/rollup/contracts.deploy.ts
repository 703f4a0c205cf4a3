import { encodeFunctionData, getContractAddress, keccak256 } from 'viem';
import type { Address } from 'viem';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { DevnetError } from '../devnet.errors.js';
import type { KeyFile } from '../key.files.js';
import { create, creationOf, lower, nonceOf, sendAll } from './deployment.js';
import type { DeployedContract, Deployment, DeploymentKeys } from './deployment.js';
import { deployFoundation } from './foundation.deploy.js';
import { deployGraphs } from './foundation-graph.deploy.js';
import { deployModuleEngine } from './module-engine.deploy.js';
import { deployModuleNative } from './module-native.deploy.js';
import { FIRST_PRICE, PRICE_FEED } from './price.feeds.js';
import { bridgeAbi, GENESIS_L2_BLOCK, NODE_INTERFACE_ADDRESS, NODE_INTERFACE_CODE } from './rollup.abi.js';
import {
  deployFirstEthereumRouter,
  deployRouterV1,
  deploySecondEthereumRouter,
  registrationOf,
} from './routers.deploy.js';

const DEPLOYED_NAMES = [
  'router',
  'poolManager',
  'sequencerInbox',
  'bridge',
  'routerV1',
  'priceFeedL2',
  'priceFeedL1',
  'batchAccount',
  'moduleRegistry',
  'noteModule',
  'openingModule',
  'nativeLauncherV1',
  'nativeLauncherV2',
  'poolManagerL1',
  'retiredRouterL1',
  'routerL1',
  'foundationCustody',
  'foundationFactoryV1',
  'foundationFactoryV2',
  'foundationFactoryV3',
  'moduleEngineV1',
  'graphRouterL1',
  'graphCustodyL1',
  'graphFactoryV1L1',
  'graphFactoryV2L1',
  'moduleImplementationV1L1',
  'moduleImplementationV2L1',
  'launchAccountV1L1',
  'launchAccountV2L1',
  'misstatingLauncher',
] as const;

export type ContractName = (typeof DEPLOYED_NAMES)[number];

export interface DevnetContracts extends Readonly<Record<ContractName, DeployedContract>> {
  /** The node itself answers these calls; the code is Nitro's mark for such addresses. */
  readonly nodeInterface: DeployedContract;
}

const CALL_GAS = 500_000n;

export const DEPLOYMENTS: readonly Deployment[] = [
  { id: 'rollup.v1', chain: '1', deploy: deployRollup },
  { id: 'launch.v1', chain: '4663', deploy: deployLaunchSide },
  { id: 'router-v1.v1', chain: '4663', deploy: deployRouterV1 },
  {
    id: 'price-feed-l2.v1',
    chain: '4663',
    deploy: async (l2, artifacts, { owner }) => ({ priceFeedL2: await deployPriceFeed(l2, '4663', artifacts, owner) }),
  },
  {
    id: 'price-feed-l1.v1',
    chain: '1',
    deploy: async (l1, artifacts, { batchPoster }) => ({
      priceFeedL1: await deployPriceFeed(l1, '1', artifacts, batchPoster),
    }),
  },
  {
    id: 'batch-account.v1',
    chain: '4663',
    deploy: async (l2, artifacts, { owner }) => ({
      batchAccount: await create(l2, 4663, owner, creationOf(artifacts.batchAccount, [])),
    }),
  },
  { id: 'module-native.v1', chain: '4663', deploy: deployModuleNative },
  { id: 'ethereum-first-router.v1', chain: '1', deploy: deployFirstEthereumRouter },
  { id: 'ethereum-second-router.v1', chain: '1', deploy: deploySecondEthereumRouter },
  { id: 'foundation.v1', chain: '4663', deploy: deployFoundation },
  { id: 'module-engine.v1', chain: '4663', deploy: deployModuleEngine },
  { id: 'ethereum-graphs.v1', chain: '1', deploy: deployGraphs },
  {
    id: 'misstating-launcher.v1',
    chain: '4663',
    deploy: async (l2, artifacts, { owner }, { poolManager }) => ({
      misstatingLauncher: await create(
        l2,
        4663,
        owner,
        creationOf(artifacts.misstatingLauncher, [poolManager?.address]),
      ),
    }),
  },
];

/** @throws DevnetError `CHAINS_UNREADABLE` if a contract is missing. */
export function contractsOf(deployed: Readonly<Record<string, DeployedContract>>): DevnetContracts {
  const named = DEPLOYED_NAMES.map((name) => {
    const contract = deployed[name];
    if (contract !== undefined) return [name, contract] as const;
    throw new DevnetError('CHAINS_UNREADABLE', 'the journal of the chains names no such contract', { contract: name });
  });
  return {
    ...(Object.fromEntries(named) as Record<ContractName, DeployedContract>),
    // It is part of the genesis block.
    nodeInterface: {
      address: NODE_INTERFACE_ADDRESS,
      runtimeCodeHash: keccak256(NODE_INTERFACE_CODE),
      startBlock: GENESIS_L2_BLOCK,
    },
  };
}

async function deployRollup(
  l1: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<{ bridge: Address; sequencerInbox: Address }> {
  // Another deployer than on L2, so that no contract has one address on both chains and a mix-up is visible.
  const from = keys.batchPoster.address;
  const nonce = await nonceOf(l1, from);
  const bridge = lower(getContractAddress({ from, nonce }));
  const sequencerInbox = lower(getContractAddress({ from, nonce: nonce + 1n }));
  await sendAll(l1, 1, keys.batchPoster, [
    creationOf(artifacts.bridge, []),
    creationOf(artifacts.sequencerInbox, [bridge, keys.batchPoster.address]),
    {
      to: bridge,
      data: encodeFunctionData({ abi: bridgeAbi, functionName: 'setSequencerInbox', args: [sequencerInbox] }),
      gas: CALL_GAS,
    },
  ]);
  return { bridge, sequencerInbox };
}

async function deployLaunchSide(
  l2: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<{ poolManager: Address; router: Address }> {
  const from = keys.owner.address;
  const nonce = await nonceOf(l2, from);
  const poolManager = lower(getContractAddress({ from, nonce }));
  const router = lower(getContractAddress({ from, nonce: nonce + 1n }));
  await sendAll(l2, 4663, keys.owner, [
    creationOf(artifacts.poolManager, [from]),
    creationOf(artifacts.router, [poolManager, from]),
    registrationOf(keys.permitAuthority, router),
  ]);
  return { poolManager, router };
}

function deployPriceFeed(
  rpc: JsonRpcClient,
  chain: '1' | '4663',
  artifacts: Artifacts,
  owner: KeyFile,
): Promise<Address> {
  const args = [owner.address, PRICE_FEED.decimals, PRICE_FEED.description, FIRST_PRICE[chain]];
  return create(rpc, Number(chain), owner, creationOf(artifacts.priceFeed, args));
}
