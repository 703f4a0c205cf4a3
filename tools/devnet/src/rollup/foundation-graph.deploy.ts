import { getContractAddress } from 'viem';
import type { Address } from 'viem';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { create, creationOf, lower } from './deployment.js';
import type { DeployedContract, DeploymentKeys } from './deployment.js';
import { ethereumKeys, routerV1On } from './routers.deploy.js';

/** The contract that a graph factory creates in its constructor, by its nonce then (EIP-161: the first is 1). */
const MODULE_IMPLEMENTATION_NONCE = 1n;
const LAUNCH_ACCOUNT_NONCE = 3n;

/** Deploys the router generation of Ethereum that also stamps Foundation graphs, with both graph factories over one custody. */
export async function deployGraphs(
  l1: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
  { poolManagerL1 }: Readonly<Record<string, DeployedContract>>,
): Promise<Readonly<Record<string, Address>>> {
  const poolManager = poolManagerL1?.address;
  const { batchPoster } = keys;
  const graphRouterL1 = await routerV1On(l1, 1, artifacts, ethereumKeys(keys), poolManager, artifacts.graphRouter);
  const graphCustodyL1 = await create(l1, 1, batchPoster, creationOf(artifacts.foundationCustody, [poolManager]));
  const args = [poolManager, graphCustodyL1, batchPoster.address, graphRouterL1];
  const graphFactoryV1L1 = await create(l1, 1, batchPoster, creationOf(artifacts.graphFactoryV1, args));
  const graphFactoryV2L1 = await create(l1, 1, batchPoster, creationOf(artifacts.graphFactoryV2, args));
  const madeBy = (from: Address, nonce: bigint): Address => lower(getContractAddress({ from, nonce }));
  return {
    graphRouterL1,
    graphCustodyL1,
    graphFactoryV1L1,
    graphFactoryV2L1,
    moduleImplementationV1L1: madeBy(graphFactoryV1L1, MODULE_IMPLEMENTATION_NONCE),
    moduleImplementationV2L1: madeBy(graphFactoryV2L1, MODULE_IMPLEMENTATION_NONCE),
    launchAccountV1L1: madeBy(graphFactoryV1L1, LAUNCH_ACCOUNT_NONCE),
    launchAccountV2L1: madeBy(graphFactoryV2L1, LAUNCH_ACCOUNT_NONCE),
  };
}
