import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { anyCustomLaunchRequestSchema } from '@launch/contracts/custom-launch';
import type { BoundContract, SourceDeployment } from '@launch/contracts/index';
import type { CustomLaunchContext, PoolKeyWire } from '@launch/contracts/launch';
import { addressOf, canonicalKeccak, type Hex } from '@launch/contracts/primitives';
import type { Stack } from '../stack.schema.js';
import { judgedCustomLaunch, launchPermitV1Of, launchV1Calls, permitV1TypedData } from '@launch/evm';
import { packCustomLaunch } from '@launch/multi-role';
import { keccak256, stringToHex, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { inventoryMaterial } from '../reference-launch/inventory-material.js';
import { configOnStack, type InventoryConfig } from '../reference-launch/pack-custom-launch.js';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import { launchGraphs } from './graph-launches.js';
import type { MadeLaunch } from './made-launch.js';
import { readRetiredRouter } from './retired-router.js';
import { LAUNCH_FUNDS, walletOnEthereum, type SourceWallet } from './source-wallet.js';
import { poolManagerOf, Traders } from './traders.js';

const SOURCE_VERSION = 'ethereum-custom-v1';
/** The scenario of the coin that the first generation launched in its last block. */
export const LAST_OF_RETIRED_ROUTER = 'the last coin of the retired router';

export interface EthereumLaunchesOptions {
  readonly stack: Stack;
  /** Folder of the published files. */
  readonly bundles: string;
  /** Sources with their addresses, as the service publishes them. */
  readonly deployments: readonly SourceDeployment[];
}

/** A router of Ethereum and the pool manager that it launches into. */
export interface EthereumRouter {
  readonly router: BoundContract;
  readonly poolManager: BoundContract;
}

interface Launched {
  readonly made: Omit<MadeLaunch, 'what'>;
  readonly poolKey: PoolKeyWire;
  readonly blockNumber: bigint;
}

/**
 * Launches through the routers of Ethereum, as other people make them with permits of those routers' own authority: two
 * coins of one name through the generation for new launches, the first with trades, one through the generation before it,
 * Foundation graphs, and one through the first generation after its last block, which no index may find. Of that generation
 * the one coin counts that was launched before its end, where these chains have it.
 */
export async function launchOnEthereum(options: EthereumLaunchesOptions): Promise<readonly MadeLaunch[]> {
  const routers = options.deployments.filter(({ sourceVersion }) => sourceVersion === SOURCE_VERSION);
  const current = routers.find(({ status, endBlock }) => status === 'active' && endBlock === null);
  const retained = routers.find(({ status, endBlock }) => status === 'retained' && endBlock === null);
  const ended = routers.find(({ endBlock }) => endBlock !== null);
  if (current === undefined || retained === undefined || ended === undefined)
    throw new ReferenceLaunchError('the service does not name the router generations of Ethereum');
  // Of the development chains' routers. The service's own key of that name signs for chain 4663 alone.
  const authority = await permitAuthority(path.join(options.stack.dataDir, 'chains', 'keys', 'permit-authority.key'));
  const launch = async (router: SourceDeployment): Promise<Launched> =>
    launchThroughRouter(
      routerOf(router),
      await walletOnEthereum(options.stack, LAUNCH_FUNDS),
      authority,
      await configOnStack(options.stack, options.bundles),
    );
  const traded = await launch(current);
  const trader = await walletOnEthereum(options.stack, LAUNCH_FUNDS);
  await (await Traders.open(trader, poolManagerOf(options.deployments, 1))).buyFrom(traded.poolKey);
  const made = [
    { ...traded.made, what: 'a coin of Ethereum' },
    { ...(await launch(current)).made, what: 'another of the same name' },
    { ...(await launch(retained)).made, what: 'a coin of the generation before' },
    ...(await launchGraphs(current, await walletOnEthereum(options.stack, LAUNCH_FUNDS), authority)),
  ];
  await launch(ended);
  const retired = await readRetiredRouter(options.stack.dataDir);
  if (retired === undefined) return made;
  return [...made, { sourceVersion: SOURCE_VERSION, ...retired.coin, what: LAST_OF_RETIRED_ROUTER }];
}

export const permitAuthority = async (privateKeyFile: string): Promise<PrivateKeyAccount> =>
  privateKeyToAccount((await readFile(privateKeyFile, 'utf8')).trim() as Hex);

/** Launches the project of a config through a router of Ethereum, with a permit that this authority signs. */
export async function launchThroughRouter(
  router: EthereumRouter,
  wallet: SourceWallet,
  authority: PrivateKeyAccount,
  { config, context: published }: InventoryConfig,
): Promise<Launched> {
  const launchWallet = wallet.account.address.toLowerCase() as Hex;
  const context = contextOf(published, router);
  const creator = { ...config.creator, recipient: launchWallet };
  const chosen = { ...config, launchWallet, creator, contextHash: canonicalKeccak(context) };
  const { bytes, report } = await packCustomLaunch(chosen, context, await inventoryMaterial());
  const request = anyCustomLaunchRequestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  const parts = judgedCustomLaunch(request, context);
  const economicsHash = keccak256(stringToHex('judged by the routers of Ethereum'));
  const permit = launchPermitV1Of(parts, context, { requestHash: report.requestHash, economicsHash });
  const { chainDeployment } = context;
  const identity = { chainId: 1n, router: chainDeployment.router.address };
  const signature = await authority.signTypedData(permitV1TypedData(identity, permit));
  const [call] = launchV1Calls(parts, context, { permit, signature });
  if (call === undefined) throw new ReferenceLaunchError('a launch is one call');
  const { blockNumber } = await wallet.send(call);
  return {
    made: { sourceVersion: SOURCE_VERSION, token: report.predictedAddresses['token']!, launchWallet },
    poolKey: request.graphBundle.officialPool.poolKey,
    blockNumber,
  };
}

/** A router as the service publishes it. */
function routerOf({ address, runtimeCodeHash, contracts, runtimeCodeHashes }: SourceDeployment): EthereumRouter {
  const poolManager = contracts['poolManager'];
  const poolManagerCode = runtimeCodeHashes['poolManager'];
  if (poolManager === undefined || poolManagerCode === undefined)
    throw new ReferenceLaunchError('a router of Ethereum is bound to a pool manager');
  return {
    router: { address: addressOf(address)!, runtimeCodeHash },
    poolManager: { address: addressOf(poolManager)!, runtimeCodeHash: poolManagerCode },
  };
}

/** The published context over a router of Ethereum and its pool manager. */
function contextOf(published: CustomLaunchContext, { router, poolManager }: EthereumRouter): CustomLaunchContext {
  const { chainDeployment, chainBindings } = published;
  return {
    ...published,
    chainDeployment: {
      ...chainDeployment,
      router: { ...chainDeployment.router, ...router },
      poolManager: { ...chainDeployment.poolManager, ...poolManager },
    },
    chainBindings: { ...chainBindings, router: router.address, poolManager: poolManager.address },
  };
}
