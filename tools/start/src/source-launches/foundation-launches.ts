import type { FoundationFactoryVersion, SourceDeployment } from '@launch/contracts/index';
import { addressOf, type Hex } from '@launch/contracts/primitives';
import type { Stack } from '../stack.schema.js';
import { ADMITTED_PACKAGES } from '@launch/devnet';
import { nativeHookSalt } from '@launch/evm/sources';
import {
  concatHex,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseEther,
  parseEventLogs,
  sliceHex,
  stringToHex,
  type TransactionReceipt,
} from 'viem';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import type { MadeLaunch } from './made-launch.js';
import { compiled, newWallets, type Compiled, type SourceWallet } from './source-wallet.js';
import type { Traders } from './traders.js';

const SOURCE_VERSION = 'module-foundation-v1';
const HOOKS = { V1: 'FoundationHookV1', V2: 'FoundationHookV1', V3: 'FoundationHookV3' } as const;
const FORWARD_ABI = parseAbi(['function forward(address to, bytes data) payable returns (bytes result)']);
const FORGE_ABI = parseAbi(['struct Forged { bytes32[] topics; bytes data; }', 'function forge(Forged[] logs)']);
/** Gas of a launch that must fail: an estimate would refuse to send it. */
const FAILING_GAS = 8_000_000n;
const PURCHASE = parseEther('0.01');
/** A token address as a word of a log. */
const FORGED_TOKEN: Hex = `0x${'0'.repeat(24)}${'f0'.repeat(20)}`;

/** A factory as the service publishes it. */
interface Factory {
  readonly factoryVersion: FoundationFactoryVersion;
  readonly address: Hex;
}

interface Launched {
  readonly token: Hex;
  readonly creator: Hex;
  readonly hook: Hex;
}

/**
 * Launches through every Foundation factory that the service publishes, as other people make them: with modules and a
 * purchase that two contracts follow, by a contract, and two coins of one name. Besides, which no index may find, one that
 * reverts and one that another contract's events claim.
 */
export async function launchThroughFactories(
  stack: Stack,
  deployments: readonly SourceDeployment[],
  traders: Traders,
): Promise<readonly MadeLaunch[]> {
  const factories = deployments.flatMap(({ sourceVersion, factoryVersion, status, address }): Factory[] =>
    sourceVersion === SOURCE_VERSION && status !== 'disabled' && factoryVersion !== null
      ? [{ factoryVersion, address: addressOf(address)! }]
      : [],
  );
  if (factories.length === 0) throw new ReferenceLaunchError('the service names no Foundation factory');
  const launches = await FoundationLaunches.open(stack, traders);
  const made: MadeLaunch[] = [];
  for (const factory of factories) made.push(...(await launches.make(factory)));
  return made;
}

class FoundationLaunches {
  #nextSalt = 0n;

  private constructor(
    private readonly wallet: SourceWallet,
    private readonly instance: Hex,
    private readonly forwarder: Hex,
    private readonly forger: Hex,
    private readonly traders: Traders,
  ) {}

  static async open(stack: Stack, traders: Traders): Promise<FoundationLaunches> {
    const [wallet] = (await newWallets(stack, 1)) as [SourceWallet];
    return new FoundationLaunches(
      wallet,
      await wallet.deploy(await compiled('NoteModule')),
      await wallet.deploy(await compiled('devnet/Forwarder')),
      await wallet.deploy(await compiled('devnet/LogForger')),
      traders,
    );
  }

  async make(factory: Factory): Promise<readonly MadeLaunch[]> {
    const contract = await compiled(`FoundationFactory${factory.factoryVersion}`);
    const note = { ...ADMITTED_PACKAGES.note, instance: this.instance, configuration: stringToHex('note') };
    const nobodys = { ...note, packageId: keccak256('0x01'), familyId: keccak256('0x02') };
    const made: MadeLaunch[] = [];
    const take = (receipt: TransactionReceipt, what: string): Launched => {
      const launched = launchedBy(contract, factory, receipt);
      made.push({
        sourceVersion: SOURCE_VERSION,
        factoryVersion: factory.factoryVersion,
        what,
        token: launched.token,
        launchWallet: launched.creator,
      });
      return launched;
    };
    const modules = [note, { ...note, ...ADMITTED_PACKAGES.opening }];
    const bought = await this.#launch(factory, contract, { modules }, PURCHASE);
    await this.traders.buy(take(bought, 'two modules and a purchase'));
    take(await this.#launchByContract(factory, contract), 'by a contract');
    const twice = { name: 'Twice', symbol: 'TWO' };
    take(await this.#launch(factory, contract, twice), 'a name that is taken');
    const recipe = await this.#recipe(factory, this.#address, { ...twice, modules: [nobodys] });
    const data = encodeFunctionData({ abi: contract.abi, functionName: 'launch', args: [recipe] });
    const last = await this.wallet.send({ to: factory.address, data });
    take(last, 'the same name, a module that nobody knows');
    const again = await this.wallet.submit({ to: factory.address, data, gas: FAILING_GAS });
    if (again.status === 'success') throw new ReferenceLaunchError('a salt was used twice');
    await this.#forge(factory, last);
    return made;
  }

  get #address(): Hex {
    return this.wallet.account.address.toLowerCase() as Hex;
  }

  async #recipe({ factoryVersion, address: launcher }: Factory, launchWallet: Hex, change: object): Promise<object> {
    const { creationCode } = await compiled(HOOKS[factoryVersion]);
    const salt = nativeHookSalt({ launcher, launchWallet, hookInitCodeHash: keccak256(creationCode) }, this.#nextSalt);
    this.#nextSalt = BigInt(salt) + 1n;
    return {
      salt,
      name: `Foundation Coin ${factoryVersion}`,
      symbol: 'FND',
      totalSupply: parseEther('1000000000'),
      description: 'Launched to be found',
      imageURI: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
      website: 'https://coin.example',
      socialData: stringToHex('{"v":1,"x":"https://x.example/coin"}'),
      modules: [],
      tickLower: -887_220,
      tickUpper: 0,
      creatorBuyFeeBps: 100,
      creatorSellFeeBps: factoryVersion === 'V3' ? 200 : 100,
      minInitialBuyTokens: 0n,
      ...change,
    };
  }

  async #launch(factory: Factory, { abi }: Compiled, change: object, value = 0n): Promise<TransactionReceipt> {
    const args = [await this.#recipe(factory, this.#address, change)];
    return this.wallet.send({
      to: factory.address,
      data: encodeFunctionData({ abi, functionName: 'launch', args }),
      value,
    });
  }

  async #launchByContract(factory: Factory, { abi }: Compiled): Promise<TransactionReceipt> {
    const args = [await this.#recipe(factory, this.forwarder, {})];
    const own = encodeFunctionData({ abi, functionName: 'launch', args });
    return this.wallet.send({
      to: this.forwarder,
      data: encodeFunctionData({ abi: FORWARD_ABI, functionName: 'forward', args: [factory.address, own] }),
    });
  }

  /** A factory's own event once more, of a contract that is not the factory, for a token that never was. */
  async #forge({ address }: Factory, receipt: TransactionReceipt): Promise<void> {
    const logs = receipt.logs
      .filter((log) => log.address.toLowerCase() === address)
      .map(({ topics: [event, ...indexed], data }) =>
        indexed.length === 0
          ? { topics: [event!], data: concatHex([FORGED_TOKEN, sliceHex(data, 32)]) }
          : { topics: [event!, FORGED_TOKEN, ...indexed.slice(1)], data },
      );
    await this.wallet.send({
      to: this.forger,
      data: encodeFunctionData({ abi: FORGE_ABI, functionName: 'forge', args: [logs] }),
    });
  }
}

function launchedBy({ abi }: Compiled, { address }: Factory, receipt: TransactionReceipt): Launched {
  const own = receipt.logs.filter((log) => log.address.toLowerCase() === address);
  const [launched] = parseEventLogs({ abi, logs: own }) as unknown as readonly { readonly args: Launched }[];
  if (launched === undefined) throw new ReferenceLaunchError('a Foundation launch emits its event');
  const { token, creator, hook } = launched.args;
  return {
    token: addressOf(token)!,
    creator: addressOf(creator)!,
    hook: addressOf(hook)!,
  };
}
