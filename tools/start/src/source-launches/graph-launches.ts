import { FOUNDATION_GRAPH_KIND, type SourceDeployment } from '@launch/contracts/index';
import { addressOf, type Hex } from '@launch/contracts/primitives';
import { ADMITTED_PACKAGES } from '@launch/devnet';
import {
  encodeLaunchGraph,
  GRAPH_ROUTER_ABI,
  graphPermitV1Of,
  permitV1TypedData,
  type GraphCall,
  type GraphResult,
} from '@launch/evm';
import { nativeHookSalt } from '@launch/evm/sources';
import {
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  keccak256,
  parseEther,
  stringToHex,
  type AbiFunction,
  type PrivateKeyAccount,
} from 'viem';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import type { MadeLaunch } from './made-launch.js';
import { compiled, type SourceWallet } from './source-wallet.js';

const HOOKS = { V1: 'FoundationHookV1', V2: 'FoundationHookV3' } as const;
type GraphVersion = keyof typeof HOOKS;
const PURCHASE = parseEther('0.01');
const PERMIT_SECONDS = 3_000n;
/** Gas of a launch that must fail: an estimate would refuse to send it. */
const FAILING_GAS = 10_000_000n;

/**
 * Foundation launches on Ethereum as other people make them, with permits of the router's own authority: through both graph
 * factories by the wallet's accounts. Besides, which no index may find, a coin of the open factory without a stamp, and a
 * call of the other one that reverts.
 */
export async function launchGraphs(
  router: SourceDeployment,
  wallet: SourceWallet,
  authority: PrivateKeyAccount,
): Promise<readonly MadeLaunch[]> {
  const launches = new Graphs(router, wallet, authority);
  const note = { ...ADMITTED_PACKAGES.note, configuration: stringToHex('note') };
  const instance = await wallet.deploy(await compiled('NoteModule'));
  const second = await launches.stamped('V2', { modules: [{ ...note, instance }] }, PURCHASE);
  const first = await launches.stamped('V1', { creatorSellFeeBps: 100 }, 0n);
  await launches.unstamped();
  await launches.refused();
  return [
    { ...second, what: 'a graph with a module and a purchase' },
    { ...first, what: 'a graph of the retained factory' },
  ];
}

class Graphs {
  #nextSalt = 0n;

  constructor(
    private readonly router: SourceDeployment,
    private readonly wallet: SourceWallet,
    private readonly authority: PrivateKeyAccount,
  ) {}

  async stamped(version: GraphVersion, change: object, value: bigint): Promise<Omit<MadeLaunch, 'what'>> {
    const factory = this.#factory(version);
    const controller = this.#address;
    await this.wallet.send({
      to: factory,
      data: encodeFunctionData({ abi: GRAPH_ROUTER_ABI, functionName: 'openAccount', args: [controller] }),
    });
    const account = await this.wallet.read(factory, GRAPH_ROUTER_ABI, 'accountOf', [controller]);
    const call: GraphCall = {
      graphFactory: factory,
      graphFactoryCodeHash: this.router.runtimeCodeHashes[`graphFactory${version}`]!,
      recipe: await this.#encoded(await this.#recipe(version, account, change)),
    };
    const to = addressOf(this.router.address)!;
    // Like the signer of the permit, simulate the account's result of a call by the router.
    const data = encodeFunctionData({ abi: GRAPH_ROUTER_ABI, functionName: 'launch', args: [call.recipe] });
    const made = await this.wallet.simulated<GraphResult>(to, { to: account, data, value }, GRAPH_ROUTER_ABI, 'launch');
    const now = await this.wallet.now();
    const word = keccak256(stringToHex('judged by the routers of Ethereum'));
    const permit = graphPermitV1Of(call, account, made, {
      controller,
      value,
      nonce: BigInt(keccak256(call.recipe)),
      validAfter: now - 60n,
      deadline: now + PERMIT_SECONDS,
      requestHash: keccak256(call.recipe),
      contextHash: word,
      economicsHash: word,
      instructionPolicyHash: word,
    });
    const signature = await this.authority.signTypedData(permitV1TypedData({ chainId: 1n, router: to }, permit));
    await this.wallet.send({ to, data: encodeLaunchGraph(call, permit, signature), value });
    return {
      sourceVersion: 'ethereum-custom-v1',
      launchKind: FOUNDATION_GRAPH_KIND,
      token: addressOf(made.token)!,
      launchWallet: addressOf(account)!,
    };
  }

  /** Launches a coin of the factory that anyone may call. */
  async unstamped(): Promise<void> {
    const { abi } = await compiled('FoundationGraphFactoryV1');
    const args = [await this.#recipe('V1', this.#address, { name: 'Unstamped', creatorSellFeeBps: 100 })];
    await this.wallet.send({
      to: this.#factory('V1'),
      data: encodeFunctionData({ abi, functionName: 'launch', args }),
    });
  }

  /** A wallet's own call of the factory that takes none. */
  async refused(): Promise<void> {
    const { abi } = await compiled('FoundationGraphFactoryV2');
    const args = [await this.#recipe('V2', this.#address, {})];
    const data = encodeFunctionData({ abi, functionName: 'launch', args });
    const { status } = await this.wallet.submit({ to: this.#factory('V2'), data, gas: FAILING_GAS });
    if (status === 'success') throw new ReferenceLaunchError('graph factory V2 launched for a wallet');
  }

  get #address(): Hex {
    return this.wallet.account.address.toLowerCase() as Hex;
  }

  #factory(version: GraphVersion): Hex {
    const address = addressOf(this.router.contracts[`graphFactory${version}`] ?? '');
    if (address === null) throw new ReferenceLaunchError(`the router of Ethereum names no graph factory ${version}`);
    return address;
  }

  async #encoded(recipe: object): Promise<Hex> {
    const { abi } = await compiled('FoundationGraphFactoryV2');
    const { inputs } = getAbiItem({ abi, name: 'launch' }) as AbiFunction;
    return encodeAbiParameters(inputs, [recipe]);
  }

  async #recipe(version: GraphVersion, launchWallet: Hex, change: object): Promise<object> {
    const { creationCode } = await compiled(HOOKS[version]);
    const place = { launcher: this.#factory(version), launchWallet, hookInitCodeHash: keccak256(creationCode) };
    const salt = nativeHookSalt(place, this.#nextSalt);
    this.#nextSalt = BigInt(salt) + 1n;
    return {
      salt,
      name: `Graph Coin ${version}`,
      symbol: 'GRF',
      totalSupply: parseEther('1000000000'),
      description: 'Launched on Ethereum to be found',
      imageURI: 'https://coin.example/graph.png',
      website: 'https://coin.example',
      socialData: stringToHex('{"v":1}'),
      modules: [],
      tickLower: -887_220,
      tickUpper: 0,
      creatorBuyFeeBps: 100,
      creatorSellFeeBps: 200,
      minInitialBuyTokens: 0n,
      ...change,
    };
  }
}
