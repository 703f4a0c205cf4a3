/** Ethereum's graph launches on a fresh chain 1: a router of the generation that stamps them, both factories, their accounts. */
import { encodeLaunchGraph, graphPermitV1Of, GRAPH_ROUTER_ABI, permitV1TypedData } from '@launch/evm';
import type { GraphCall, LaunchPermitV1 } from '@launch/evm';
import { nativeHookSalt } from '@launch/evm/sources';
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  keccak256,
  parseEther,
  toHex,
} from 'viem';
import type { AbiFunction, Address, Hex, LocalAccount } from 'viem';
import { artifact } from './artifacts.js';
import { Chain, type Transaction } from './chain.js';
import type { FoundationRecipe } from './foundation-launch.js';
import { authority, encodeCall, maxUint64 } from './world.js';

export type GraphVersion = 'V1' | 'V2';
export const graphFactoryName = (version: GraphVersion): string => `FoundationGraphFactory${version}`;
export const graphRouterName = 'EthereumLaunchStampRouterV1';

export interface GraphWorld {
  readonly chain: Chain;
  readonly poolManager: Address;
  readonly router: Address;
  readonly factories: Readonly<Record<GraphVersion, Address>>;
  readonly trader: Address;
  readonly note: Address;
  readonly controller: Address;
  readonly owner: Address;
  readonly platform: Address;
  readonly stranger: Address;
}

export async function startGraphWorld(): Promise<GraphWorld> {
  const chain = await Chain.start(1);
  try {
    const [controller, owner, platform, stranger] =
      await chain.rpc<[Address, Address, Address, Address]>('eth_accounts');
    const poolManager = await chain.deploy(owner, artifact('PoolManager'), [owner]);
    const router = await chain.deploy(owner, artifact(graphRouterName), [poolManager, owner]);
    const data = encodeCall(graphRouterName, 'setAuthority', [authority.address, 0n, maxUint64]);
    await chain.send({ from: owner, to: router, data });
    const custody = await chain.deploy(owner, artifact('FoundationCustody'), [poolManager]);
    const factoryOf = (version: GraphVersion) =>
      chain.deploy(owner, artifact(graphFactoryName(version)), [poolManager, custody, platform, router]);
    return {
      chain,
      poolManager,
      router,
      factories: { V1: await factoryOf('V1'), V2: await factoryOf('V2') },
      trader: await chain.deploy(owner, artifact('Trader'), [poolManager], parseEther('100')),
      note: await chain.deploy(owner, artifact('NoteModule')),
      controller,
      owner,
      platform,
      stranger,
    };
  } catch (error) {
    await chain.close();
    throw error;
  }
}

let nextSalt = 0n;

/** A recipe that `launcher` (an account, or a wallet at V1) can launch: its salt gives the hook its permissions. */
export function graphRecipe(
  world: GraphWorld,
  version: GraphVersion,
  launcher: Address,
  change: Partial<FoundationRecipe> = {},
): FoundationRecipe {
  const hook = artifact(version === 'V1' ? 'FoundationHookV1' : 'FoundationHookV3');
  const salt = nativeHookSalt(
    { launcher: world.factories[version], launchWallet: launcher, hookInitCodeHash: keccak256(hook.creationCode) },
    nextSalt,
  );
  nextSalt = BigInt(salt) + 1n;
  return {
    salt,
    name: 'Graph Token',
    symbol: 'GRF',
    totalSupply: parseEther('1000000000'),
    description: 'a coin of a graph',
    imageURI: 'ipfs://coin',
    website: 'https://example.org',
    socialData: toHex('{"v":1}'),
    modules: [],
    tickLower: -887_220,
    tickUpper: 0,
    creatorBuyFeeBps: 200,
    creatorSellFeeBps: version === 'V1' ? 200 : 400,
    minInitialBuyTokens: 0n,
    ...change,
  };
}

/** `abi.encode(recipe)`. */
export const encodedRecipe = (recipe: FoundationRecipe): Hex => {
  const launch = getAbiItem({ abi: artifact(graphFactoryName('V2')).abi, name: 'launch' }) as AbiFunction;
  return encodeAbiParameters(launch.inputs, [recipe]);
};

export const accountOf = (world: GraphWorld, version: GraphVersion, wallet: Address): Promise<Address> =>
  world.chain.read<Address>(world.factories[version], graphFactoryName(version), 'accountOf', [wallet]);

export const openAccountTx = (world: GraphWorld, version: GraphVersion, wallet: Address): Transaction => ({
  from: world.stranger,
  to: world.factories[version],
  data: encodeCall(graphFactoryName(version), 'openAccount', [wallet]),
});

export interface GraphOptions {
  readonly version?: GraphVersion;
  readonly controller?: Address;
  readonly value?: bigint;
  readonly recipe?: Partial<FoundationRecipe>;
  readonly permit?: Partial<LaunchPermitV1>;
  readonly sentCall?: Partial<GraphCall>;
  readonly sentValue?: bigint;
  readonly signer?: LocalAccount;
}

export interface SignedGraph {
  readonly account: Address;
  readonly call: GraphCall;
  readonly permit: LaunchPermitV1;
  readonly recipe: FoundationRecipe;
  readonly tx: Transaction;
}

let nextNonce = 1n;

/** Simulates a graph launch for the permit's signer and signs it. The account is open afterwards. */
export async function signGraph(world: GraphWorld, options: GraphOptions = {}): Promise<SignedGraph> {
  const { version = 'V2', controller = world.controller, value = 0n } = options;
  const { chain, router } = world;
  await chain.send(openAccountTx(world, version, controller));
  const account = await accountOf(world, version, controller);
  const recipe = graphRecipe(world, version, account, options.recipe);
  const call: GraphCall = {
    graphFactory: world.factories[version],
    graphFactoryCodeHash: keccak256(await chain.code(world.factories[version])),
    recipe: encodedRecipe(recipe),
  };
  const simulated = await chain.call(
    {
      from: router,
      to: account,
      value,
      data: encodeFunctionData({ abi: GRAPH_ROUTER_ABI, functionName: 'launch', args: [call.recipe] }),
    },
    { state: { [router]: { balance: toHex(value + parseEther('100')) } } },
  );
  const made = decodeFunctionResult({ abi: GRAPH_ROUTER_ABI, functionName: 'launch', data: simulated });
  const { timestamp } = await chain.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false);
  const permit: LaunchPermitV1 = {
    ...graphPermitV1Of(call, account, made, {
      controller,
      value,
      nonce: nextNonce++,
      validAfter: BigInt(timestamp),
      deadline: BigInt(timestamp) + 3_000n,
      requestHash: keccak256('0x01'),
      contextHash: keccak256('0x02'),
      economicsHash: keccak256('0x03'),
      instructionPolicyHash: keccak256('0x04'),
    }),
    ...options.permit,
  };
  const signature = await (options.signer ?? authority).signTypedData(
    permitV1TypedData({ chainId: 1n, router }, permit),
  );
  const data = encodeLaunchGraph({ ...call, ...options.sentCall }, permit, signature);
  return {
    account,
    call,
    permit,
    recipe,
    tx: { from: controller, to: router, value: options.sentValue ?? value, data },
  };
}
