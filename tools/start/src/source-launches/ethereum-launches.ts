import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  addressOf,
  anyCustomLaunchRequestSchema,
  canonicalKeccak,
  judgedCustomLaunch,
  type CustomLaunchContext,
  type Hex,
  type PoolKeyWire,
  type SourceDeployment,
  type Stack,
} from '@launch/contracts';
import { launchPermitV1Of, launchV1Calls, permitV1TypedData } from '@launch/evm';
import { packCustomLaunch } from '@launch/multi-role';
import { keccak256, parseEther, stringToHex, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { inventoryMaterial } from '../reference-launch/inventory-material.js';
import { configOnStack } from '../reference-launch/pack-custom-launch.js';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import { launchGraphs } from './graph-launches.js';
import type { MadeLaunch } from './made-launch.js';
import { walletOnEthereum, type SourceWallet } from './source-wallet.js';
import { poolManagerOf, Traders } from './traders.js';

const SOURCE_VERSION = 'ethereum-custom-v1';
const FUNDS = parseEther('10');

export interface EthereumLaunchesOptions {
  readonly stack: Stack;
  /** Folder of the published files. */
  readonly bundles: string;
  /** Where sources stand, as the service publishes it. */
  readonly deployments: readonly SourceDeployment[];
}

interface Launched {
  readonly made: Omit<MadeLaunch, 'what'>;
  readonly poolKey: PoolKeyWire;
}

/**
 * Launches through the routers of Ethereum, as other people make them with permits of those routers' own authority: two
 * coins of one name through the generation for new launches, the first with trades, one through the generation before it,
 * Foundation graphs, and one through the first generation after its last block, which no index may find.
 */
export async function launchOnEthereum(options: EthereumLaunchesOptions): Promise<readonly MadeLaunch[]> {
  const routers = options.deployments.filter(({ sourceVersion }) => sourceVersion === SOURCE_VERSION);
  const current = routers.find(({ status, endBlock }) => status === 'active' && endBlock === null);
  const retained = routers.find(({ status, endBlock }) => status === 'retained' && endBlock === null);
  const ended = routers.find(({ endBlock }) => endBlock !== null);
  if (current === undefined || retained === undefined || ended === undefined)
    throw new ReferenceLaunchError('the service does not name the router generations of Ethereum');
  const authority = await permitAuthority(options.stack);
  const launch = async (router: SourceDeployment): Promise<Launched> =>
    launchThrough(router, await walletOnEthereum(options.stack, FUNDS), authority, options);
  const traded = await launch(current);
  const trader = await walletOnEthereum(options.stack, FUNDS);
  await (await Traders.open(trader, poolManagerOf(options.deployments, 1))).buyFrom(traded.poolKey);
  const made = [
    { ...traded.made, what: 'a coin of Ethereum' },
    { ...(await launch(current)).made, what: 'another of the same name' },
    { ...(await launch(retained)).made, what: 'a coin of the generation before' },
    ...(await launchGraphs(current, await walletOnEthereum(options.stack, FUNDS), authority)),
  ];
  await launch(ended);
  return made;
}

/** Of the development chains' routers. The service's own key of that name signs for chain 4663 alone. */
async function permitAuthority({ dataDir }: Stack): Promise<PrivateKeyAccount> {
  const key = await readFile(path.join(dataDir, 'chains', 'keys', 'permit-authority.key'), 'utf8');
  return privateKeyToAccount(key.trim() as Hex);
}

async function launchThrough(
  router: SourceDeployment,
  wallet: SourceWallet,
  authority: PrivateKeyAccount,
  { stack, bundles }: EthereumLaunchesOptions,
): Promise<Launched> {
  const launchWallet = wallet.account.address.toLowerCase() as Hex;
  const { config, context: published } = await configOnStack(stack, bundles);
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
  await wallet.send(call);
  return {
    made: { sourceVersion: SOURCE_VERSION, token: report.predictedAddresses['token']!, launchWallet },
    poolKey: request.graphBundle.officialPool.poolKey,
  };
}

/** The published context over a router of Ethereum and its pool manager. */
function contextOf(published: CustomLaunchContext, router: SourceDeployment): CustomLaunchContext {
  const { chainDeployment } = published;
  const poolManager = router.contracts['poolManager'];
  const poolManagerCode = router.runtimeCodeHashes['poolManager'];
  if (poolManager === undefined || poolManagerCode === undefined)
    throw new ReferenceLaunchError('a router of Ethereum is bound to a pool manager');
  const bound = { router: addressOf(router.address)!, poolManager: addressOf(poolManager)! };
  return {
    ...published,
    chainDeployment: {
      ...chainDeployment,
      router: { ...chainDeployment.router, address: bound.router, runtimeCodeHash: router.runtimeCodeHash },
      poolManager: { ...chainDeployment.poolManager, address: bound.poolManager, runtimeCodeHash: poolManagerCode },
    },
    chainBindings: { ...published.chainBindings, ...bound },
  };
}
