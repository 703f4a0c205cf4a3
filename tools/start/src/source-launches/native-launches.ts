import type { QuarantineReason } from '@launch/contracts/index';
import type { Stack } from '../stack.schema.js';
import { encodeRecipe, nativeHookSalt, recipeHash, textBytes, type NativeRecipe } from '@launch/evm/sources';
import {
  encodeFunctionData,
  getContractAddress,
  keccak256,
  parseAbi,
  parseEther,
  parseEventLogs,
  toHex,
  type Hex,
  type TransactionReceipt,
} from 'viem';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import type { MadeLaunch } from './made-launch.js';
import { nativeScenarios, type LaunchedBy } from './native-scenarios.js';
import { compiled, newWallets, type Compiled, type SourceWallet } from './source-wallet.js';
import type { Traders } from './traders.js';

/** The contract of a native source version or an engine, and its place. */
export interface NativeLauncher {
  readonly sourceVersion: keyof typeof CONTRACTS;
  readonly address: Hex;
}

const CONTRACTS = {
  'module-native-v1': { name: 'ModuleNativeLauncherV1', launched: 'ModuleNativeLaunched' },
  'module-native-v2': { name: 'ModuleNativeLauncherV2', launched: 'ModuleNativeLaunchedV2' },
  'module-engine-v1': { name: 'ModuleEngineV1', launched: 'ModuleEngineLaunched' },
} as const;
const LAUNCH_ABI = parseAbi([
  'function launch(bytes recipe) returns (address token)',
  'function launchFor(bytes recipe, address launchWallet, uint256 deadline, bytes signature) returns (address token)',
]);
const FORWARD_ABI = parseAbi(['function forward(address to, bytes data) payable returns (bytes result)']);
const VANISH_ABI = parseAbi(['function launch(address launcher, bytes data)']);
const FORGE_ABI = parseAbi(['struct Forged { bytes32[] topics; bytes data; }', 'function forge(Forged[] logs)']);
/** Gas of launches that must fail: an estimate would refuse to send them. */
const FAILING_GAS = 8_000_000n;
const DAY = 86_400n;
/** A token address as an indexed argument. */
const FORGED_TOKEN: Hex = `0x${'0'.repeat(24)}${'f0'.repeat(20)}`;

const PLAIN = {
  name: textBytes('Found Coin'),
  symbol: textBytes('FOUND'),
  totalSupply: parseEther('1000000000'),
  metadata: { description: '0x', website: '0x', image: '0x', extraData: '0x' },
  modules: [],
  tickLower: -887_220,
  tickUpper: 0,
  sqrtPriceX96: 2n ** 96n,
  creatorBuyFeeBps: 100,
  creatorSellFeeBps: 200,
} as const satisfies Partial<NativeRecipe>;

/** Launches through native launchers as other people make them, without informing the service. */
export class NativeLaunches {
  #nextSalt = 0n;
  #vanished = 0n;

  private constructor(
    private readonly wallet: SourceWallet,
    private readonly relayer: SourceWallet,
    private readonly instance: Hex,
    private readonly forwarder: Hex,
    private readonly vanisher: Hex,
    private readonly forger: Hex,
    private readonly hookInitCodeHash: Hex,
  ) {}

  static async open(stack: Stack): Promise<NativeLaunches> {
    const [wallet, relayer] = (await newWallets(stack, 2)) as [SourceWallet, SourceWallet];
    const hook = await compiled('ModuleHook');
    return new NativeLaunches(
      wallet,
      relayer,
      await wallet.deploy(await compiled('NoteModule')),
      await wallet.deploy(await compiled('devnet/Forwarder')),
      await wallet.deploy(await compiled('devnet/VanishingLauncher')),
      await wallet.deploy(await compiled('devnet/LogForger')),
      keccak256(hook.creationCode),
    );
  }

  /**
   * Every scenario through one launcher, and trades in the first coin; and, of which an index hears nothing, one that reverts
   * and one that is forged.
   */
  async make(launcher: NativeLauncher, traders: Traders): Promise<readonly MadeLaunch[]> {
    const contract = await compiled(CONTRACTS[launcher.sourceVersion].name);
    const made: MadeLaunch[] = [];
    let last: { readonly receipt: TransactionReceipt; readonly recipe: Hex } | undefined;
    // A contract's creations begin at 1.
    const vanishing = getContractAddress({ from: this.vanisher, nonce: this.#vanished + 1n });
    for (const { what, by, recipe: change, fails } of nativeScenarios(
      this.instance,
      vanishing,
      this.relayer.account.address,
    )) {
      const launchWallet = this.#walletOf(by);
      const recipe = encodeRecipe(this.#recipe(launcher, launchWallet, change));
      const receipt = await this.#launch(launcher, by, recipe);
      const { hook, ...launched } = launchedBy(contract, launcher, receipt);
      if (made.length === 0) await traders.buy({ ...launched, hook });
      made.push({ ...launched, what, ...refusal(launcher, receipt, fails) });
      if (by === 'wallet') last = { receipt, recipe };
    }
    if (last === undefined) throw new ReferenceLaunchError('no wallet launched by itself');
    // The same recipe again: its launch key is used.
    const data = encodeFunctionData({ abi: LAUNCH_ABI, functionName: 'launch', args: [last.recipe] });
    const again = await this.wallet.submit({ to: launcher.address, data, gas: FAILING_GAS });
    if (again.status === 'success') throw new ReferenceLaunchError('a launch key was used twice');
    await this.#forge(launcher, last.receipt);
    return made;
  }

  /** Through a release whose tokens say what their launches did not commit to. */
  async misstate(launcher: NativeLauncher): Promise<MadeLaunch> {
    const recipe = encodeRecipe(this.#recipe(launcher, this.#address, { name: textBytes('Another Word') }));
    const receipt = await this.#launch(launcher, 'wallet', recipe);
    const { hook: _none, ...launched } = launchedBy(await compiled('MisstatingLauncher'), launcher, receipt);
    const what = 'metadata that contradicts its commitment';
    return { ...launched, what, ...refusal(launcher, receipt, 'METADATA_COMMITMENT_MISMATCH') };
  }

  /** Plain launches, one after another: coins that a stranger makes for the price of their gas. */
  async makeMany(launcher: NativeLauncher, count: number): Promise<readonly MadeLaunch[]> {
    const contract = await compiled(CONTRACTS[launcher.sourceVersion].name);
    const made: MadeLaunch[] = [];
    for (let index = 0; index < count; index += 1) {
      const recipe = encodeRecipe(this.#recipe(launcher, this.#address, {}));
      const { hook: _none, ...launched } = launchedBy(
        contract,
        launcher,
        await this.#launch(launcher, 'wallet', recipe),
      );
      made.push({ ...launched, what: `plain launch ${index}` });
    }
    return made;
  }

  /** The call by which a wallet launches a plain coin, for a wallet that adds calls of its own to the transaction. */
  plainCall(launcher: NativeLauncher, launchWallet: Hex): { readonly to: Hex; readonly data: Hex } {
    const recipe = encodeRecipe(this.#recipe(launcher, launchWallet, {}));
    const data = encodeFunctionData({ abi: LAUNCH_ABI, functionName: 'launch', args: [recipe] });
    return { to: launcher.address, data };
  }

  /** The launch that a transaction made through a launcher. */
  static async madeBy(launcher: NativeLauncher, receipt: TransactionReceipt, what: string): Promise<MadeLaunch> {
    const contract = await compiled(CONTRACTS[launcher.sourceVersion].name);
    const { hook: _none, ...launched } = launchedBy(contract, launcher, receipt);
    return { ...launched, what };
  }

  get #address(): Hex {
    return this.wallet.account.address.toLowerCase() as Hex;
  }

  #walletOf(by: LaunchedBy): Hex {
    return by === 'contract' ? this.forwarder : by === 'vanisher' ? this.vanisher : this.#address;
  }

  #recipe(launcher: NativeLauncher, launchWallet: Hex, change: Partial<NativeRecipe>): NativeRecipe {
    const salt = this.#salt(launcher, launchWallet);
    this.#nextSalt = BigInt(salt) + 1n;
    return { ...PLAIN, salt, creatorFeeRecipient: this.#address, ...change };
  }

  /** A launcher makes a hook, whose address has to carry its permissions; an engine is its pools' hook itself. */
  #salt({ sourceVersion, address: launcher }: NativeLauncher, launchWallet: Hex): Hex {
    if (sourceVersion === 'module-engine-v1') return toHex(this.#nextSalt, { size: 32 });
    return nativeHookSalt({ launcher, launchWallet, hookInitCodeHash: this.hookInitCodeHash }, this.#nextSalt);
  }

  async #launch(launcher: NativeLauncher, by: LaunchedBy, recipe: Hex): Promise<TransactionReceipt> {
    const own = encodeFunctionData({ abi: LAUNCH_ABI, functionName: 'launch', args: [recipe] });
    if (by === 'wallet') return this.wallet.send({ to: launcher.address, data: own });
    if (by === 'contract')
      return this.wallet.send({
        to: this.forwarder,
        data: encodeFunctionData({ abi: FORWARD_ABI, functionName: 'forward', args: [launcher.address, own] }),
      });
    if (by === 'vanisher') {
      this.#vanished += 1n;
      return this.wallet.send({
        to: this.vanisher,
        data: encodeFunctionData({ abi: VANISH_ABI, functionName: 'launch', args: [launcher.address, own] }),
      });
    }
    const deadline = BigInt(Math.floor(Date.now() / 1_000)) + DAY;
    const signature = await this.wallet.account.signTypedData({
      domain: {
        name: CONTRACTS[launcher.sourceVersion].name,
        version: '1',
        chainId: 4663,
        verifyingContract: launcher.address,
      },
      types: {
        LaunchFor: [
          { name: 'recipeHash', type: 'bytes32' },
          { name: 'launchWallet', type: 'address' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'LaunchFor',
      message: { recipeHash: recipeHash(recipe), launchWallet: this.#address, deadline },
    });
    const args = [recipe, this.#address, deadline, signature] as const;
    return this.relayer.send({
      to: launcher.address,
      data: encodeFunctionData({ abi: LAUNCH_ABI, functionName: 'launchFor', args }),
    });
  }

  /** The launcher's own events once more, of a contract that is not the launcher, for a token that never was. */
  async #forge({ address }: NativeLauncher, receipt: TransactionReceipt): Promise<void> {
    const logs = receipt.logs
      .filter((log) => log.address.toLowerCase() === address)
      .map(({ topics: [event, launchId, , ...rest], data }) => ({
        topics: [event!, launchId!, FORGED_TOKEN, ...rest],
        data,
      }));
    await this.wallet.send({
      to: this.forger,
      data: encodeFunctionData({ abi: FORGE_ABI, functionName: 'forge', args: [logs] }),
    });
  }
}

const refusal = (
  { address }: NativeLauncher,
  { blockNumber }: TransactionReceipt,
  reason: QuarantineReason | undefined,
): Pick<MadeLaunch, 'quarantined'> =>
  reason === undefined ? {} : { quarantined: { reason, source: address, blockNumber: `${blockNumber}` } };

function launchedBy(
  { abi }: Compiled,
  { sourceVersion, address }: NativeLauncher,
  receipt: TransactionReceipt,
): Omit<MadeLaunch, 'what'> & { readonly hook: Hex } {
  const own = receipt.logs.filter((log) => log.address.toLowerCase() === address);
  const [launched] = parseEventLogs({ abi, logs: own, eventName: CONTRACTS[sourceVersion].launched });
  const { token, launchWallet, hook } = (
    launched as unknown as { args: Record<'token' | 'launchWallet' | 'hook', Hex> }
  ).args;
  return {
    sourceVersion,
    token: token.toLowerCase() as Hex,
    launchWallet: launchWallet.toLowerCase() as Hex,
    hook,
  };
}
