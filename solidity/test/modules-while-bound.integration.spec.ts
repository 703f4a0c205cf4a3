/** Actions of a module on a launch while it is bound, and of any account before: one program for every launcher. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, getCreate2Address, keccak256, toHex, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import { launchKey, nativeHookSalt, type Verdict } from '@launch/evm/sources';
import { artifact } from './support/artifacts.js';
import type { Receipt, Transaction } from './support/chain.js';
import { deployEngine, ENGINE, engineLaunchTx, engineRecipe } from './support/engine-launch.js';
import {
  factoryName,
  FOUNDATION_VERSIONS,
  foundationLaunchTx,
  foundationRecipe,
  hookName,
  judgeFoundation,
  PLATFORM_FEE_BPS,
  withFoundation,
  type FoundationVersion,
  type FoundationWorld,
} from './support/foundation-launch.js';
import {
  judgeReceiptOf,
  LAUNCHERS,
  launchTx,
  recipeFor,
  withNativeLaunchers,
  type NativeVersion,
  type NativeWorld,
} from './support/native-launch.js';
import { encodeCall, eventsOf, startTimeout, startWorld, type World } from './support/world.js';

const LOWEST = 4_295_128_740n;
const AMOUNT = 777_777_777_777_777_777n;
const NATIVE_PLATFORM_FEE_BPS = 20n;
const word = (digits: string): Hex => `0x${digits.repeat(32)}`;

interface ModuleOf {
  readonly packageId: Hex;
  readonly familyId: Hex;
  readonly instance: Address;
  readonly configuration: Hex;
}
interface Change {
  readonly salt: Hex;
  readonly modules: readonly ModuleOf[];
  readonly creatorBuyFeeBps: number;
  readonly creatorSellFeeBps: number;
}
/** A launching contract, independent of the names of its parts. */
interface Launcher {
  readonly address: Address;
  readonly contract: string;
  readonly platformFeeBps: bigint;
  /** A salt of a wallet's next launch, and the hook that its pool will have. */
  readonly place: (wallet: Address) => { readonly salt: Hex; readonly hook: Address };
  readonly launch: (change: Partial<Change>) => Transaction;
  readonly judge: (receipt: Receipt) => Promise<Verdict[]>;
  readonly vaultOf: (hook: Address, poolId: Hex) => Promise<Address>;
}

let world: World;
let native: NativeWorld;
let foundation: FoundationWorld;
let engine: Address;
let trading: Address;
let reentering: Address;
beforeAll(async () => {
  world = await startWorld();
  native = await withNativeLaunchers(world);
  foundation = await withFoundation(world);
  [engine] = await deployEngine(world, native.registry);
  trading = await world.chain.deploy(world.owner, artifact('TradingModule'));
  reentering = await world.chain.deploy(world.owner, artifact('ReenteringModule'));
}, startTimeout);
afterAll(() => world?.chain.close());

// Far from the salts that recipes have by themselves.
let nextSalt = 2n ** 128n;
function hookPlace(launcher: Address, launchWallet: Address, hook: string) {
  const hookInitCodeHash = keccak256(artifact(hook).creationCode);
  const salt = nativeHookSalt({ launcher, launchWallet, hookInitCodeHash }, nextSalt);
  nextSalt = BigInt(salt) + 1n;
  const key = launchKey(launchWallet, salt);
  return { salt, hook: getCreate2Address({ from: launcher, salt: key, bytecodeHash: hookInitCodeHash }) };
}

const nativeLauncher = (version: NativeVersion) => (): Launcher => {
  const address = native.launchers[version];
  return {
    address,
    contract: LAUNCHERS[version],
    platformFeeBps: NATIVE_PLATFORM_FEE_BPS,
    place: (wallet) => hookPlace(address, wallet, 'ModuleHook'),
    launch: (change) =>
      launchTx(native, version, world.controller, recipeFor(native, version, world.controller, change)),
    judge: (receipt) => judgeReceiptOf(world, version, address, receipt),
    vaultOf: (hook) => world.chain.read(hook, 'ModuleHook', 'vault'),
  };
};
const engineLauncher = (): Launcher => ({
  address: engine,
  contract: ENGINE,
  platformFeeBps: NATIVE_PLATFORM_FEE_BPS,
  place: () => ({ salt: toHex(nextSalt++, { size: 32 }), hook: engine }),
  launch: (change) => engineLaunchTx(engine, world.controller, engineRecipe(world, change)),
  judge: (receipt) => judgeReceiptOf(world, 'module-engine-v1', engine, receipt),
  vaultOf: async (_hook, poolId) =>
    (await world.chain.read<[Address, number, number]>(engine, ENGINE, 'poolOf', [poolId]))[0],
});
const foundationLauncher = (version: FoundationVersion) => (): Launcher => {
  const address = foundation.factories[version];
  return {
    address,
    contract: factoryName(version),
    platformFeeBps: PLATFORM_FEE_BPS[version],
    place: (wallet) => hookPlace(address, wallet, hookName(version)),
    launch: (change) => foundationLaunchTx(foundation, version, foundationRecipe(foundation, version, change)),
    judge: (receipt) => judgeFoundation(foundation, version, receipt),
    vaultOf: (hook) => world.chain.read(hook, hookName(version), 'ledger'),
  };
};

const LAUNCHERS_OF_ALL: readonly (readonly [string, () => Launcher])[] = [
  ...(Object.keys(LAUNCHERS) as NativeVersion[]).map((version) => [version, nativeLauncher(version)] as const),
  ['module-engine-v1', engineLauncher],
  ...FOUNDATION_VERSIONS.map((version) => [`module-foundation-v1 ${version}`, foundationLauncher(version)] as const),
];

const moduleOf = (instance: Address, configuration: Hex): ModuleOf => ({
  packageId: word('a1'),
  familyId: word('f1'),
  instance,
  configuration,
});
const PURCHASE = { zeroForOne: true, amountSpecified: -AMOUNT, sqrtPriceLimitX96: LOWEST };
const purchaseThrough = (trader: Address, hook: Address) =>
  moduleOf(
    trading,
    encodeAbiParameters(
      [
        { type: 'address' },
        { type: 'address' },
        {
          type: 'tuple',
          components: [
            { name: 'zeroForOne', type: 'bool' },
            { name: 'amountSpecified', type: 'int256' },
            { name: 'sqrtPriceLimitX96', type: 'uint160' },
          ],
        },
      ],
      [trader, hook, PURCHASE],
    ),
  );

describe.each(LAUNCHERS_OF_ALL)('a launch through %s', (_name, launcherOf) => {
  it.each([0, 1_000])(
    'pays its fees to the wei when its module trades while bound (creator’s: %d), and is found completely',
    async (feeBps) => {
      const launcher = launcherOf();
      const { salt, hook } = launcher.place(world.controller);
      const modules = [purchaseThrough(world.trader, hook)];
      const fees = { creatorBuyFeeBps: feeBps, creatorSellFeeBps: feeBps };
      const receipt = await world.chain.send(launcher.launch({ salt, modules, ...fees }));

      const swaps = eventsOf(receipt, 'PoolManager', world.poolManager).filter(({ eventName }) => eventName === 'Swap');
      const platform = (AMOUNT * launcher.platformFeeBps) / 10_000n;
      const creator = (AMOUNT * BigInt(feeBps)) / 10_000n;
      expect(swaps.map(({ args }) => args['amount0'])).toEqual([platform + creator - AMOUNT]);
      const poolId = swaps[0]!.args['id'] as Hex;
      const vault = await launcher.vaultOf(hook, poolId);
      const accrued = eventsOf(receipt, 'FeeVault', vault).filter(({ eventName }) => eventName === 'FeesAccrued');
      expect(accrued.map(({ args }) => args)).toEqual([{ platformFee: platform, creatorFee: creator }]);

      const [verdict, another] = await launcher.judge(receipt);
      expect(another).toBeUndefined();
      if (verdict?.kind !== 'pass') throw new Error(JSON.stringify(verdict));
      expect(verdict.launch.record).toMatchObject({ poolId, creator: world.controller.toLowerCase() });
    },
  );

  it('leaves nothing when the trade of its module is impossible, and its salt stays available', async () => {
    const launcher = launcherOf();
    const { salt, hook } = launcher.place(world.controller);
    // A pool of the same coin without the hook was never started.
    const elsewhere = launcher.launch({ salt, modules: [purchaseThrough(world.trader, zeroAddress)] });
    expect(await world.chain.refusal(elsewhere)).toEqual(['PoolNotInitialized']);
    expect(await world.chain.submit(elsewhere)).toMatchObject({ status: '0x0', logs: [] });
    const modules = [purchaseThrough(world.trader, hook)];
    const [verdict] = await launcher.judge(await world.chain.send(launcher.launch({ salt, modules })));
    expect(verdict).toMatchObject({ kind: 'pass' });
  });

  it('is refused for reentry alone when its module launches again while bound', async () => {
    const launcher = launcherOf();
    const within = launcher.launch({ salt: launcher.place(reentering).salt });
    // The same launch of the same wallet is none that would be refused otherwise.
    expect(await world.chain.refusal({ ...within, from: reentering })).toEqual([]);
    expect(await world.chain.refusal(launcher.launch({ modules: [moduleOf(reentering, within.data!)] }))).toEqual([
      'ReentrancyGuardReentrantCall',
    ]);
  });

  it('cannot be forestalled, since its pool is neither started nor traded before', async () => {
    const launcher = launcherOf();
    const { salt, hook } = launcher.place(world.controller);
    const launch = launcher.launch({ salt });
    // Every launcher answers with the token first.
    const token: Address = `0x${(await world.chain.call(launch)).slice(26, 66)}`;
    const key = { currency0: zeroAddress, currency1: token, fee: 0, tickSpacing: 60, hooks: hook };
    const start = encodeCall('PoolManager', 'initialize', [key, 2n ** 96n]);
    expect((await world.chain.refusal({ from: world.stranger, to: world.poolManager, data: start })).at(-1)).toBe(
      launcher.contract === ENGINE ? 'NotEngine' : 'InvalidHookResponse',
    );
    const trade = encodeCall('Trader', 'swap', [key, PURCHASE]);
    expect(await world.chain.refusal({ from: world.stranger, to: world.trader, data: trade })).toEqual([
      'PoolNotInitialized',
    ]);
    const [verdict] = await launcher.judge(await world.chain.send(launch));
    expect(verdict).toMatchObject({ kind: 'pass', launch: { record: { tokenAddress: token.toLowerCase() } } });
  });
});
