/** Foundation factories with their custody and modules on a fresh chain, recipes, and trades held to the wei. */
import { expect } from '@jest/globals';
import { keccak256, parseEther, toHex, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import { nativeHookSalt, type Verdict } from '@launch/evm/sources';
import { artifact } from './artifacts.js';
import type { Receipt } from './chain.js';
import { judgeReceiptOf } from './native-launch.js';
import type { Form, Side } from './trading.js';
import { encodeCall, eventsOf, type World } from './world.js';

export type FoundationVersion = 'V1' | 'V2' | 'V3';
export const FOUNDATION_VERSIONS: readonly FoundationVersion[] = ['V1', 'V2', 'V3'];
export const PLATFORM_FEE_BPS: Readonly<Record<FoundationVersion, bigint>> = { V1: 100n, V2: 30n, V3: 30n };
export const BURN_ADDRESS: Address = '0x000000000000000000000000000000000000dEaD';
export const factoryName = (version: FoundationVersion): string => `FoundationFactory${version}`;
/** V1 and V2 have one hook. */
export const hookName = (version: FoundationVersion): string =>
  version === 'V3' ? 'FoundationHookV3' : 'FoundationHookV1';

export interface FoundationWorld extends World {
  readonly custody: Address;
  readonly factories: Readonly<Record<FoundationVersion, Address>>;
  readonly note: Address;
  readonly opening: Address;
  /** Another contract that trades. */
  readonly otherTrader: Address;
}

export async function withFoundation(world: World): Promise<FoundationWorld> {
  const { chain, owner, platform, poolManager } = world;
  const custody = await chain.deploy(owner, artifact('FoundationCustody'), [poolManager]);
  const factoryOf = (version: FoundationVersion) =>
    chain.deploy(owner, artifact(factoryName(version)), [poolManager, custody, platform]);
  return {
    ...world,
    custody,
    factories: { V1: await factoryOf('V1'), V2: await factoryOf('V2'), V3: await factoryOf('V3') },
    note: await chain.deploy(owner, artifact('NoteModule')),
    opening: await chain.deploy(owner, artifact('OpeningModule')),
    otherTrader: await chain.deploy(owner, artifact('Trader'), [poolManager], parseEther('500')),
  };
}

export interface FoundationRecipe {
  readonly salt: Hex;
  readonly name: string;
  readonly symbol: string;
  readonly totalSupply: bigint;
  readonly description: string;
  readonly imageURI: string;
  readonly website: string;
  readonly socialData: Hex;
  readonly modules: readonly {
    readonly packageId: Hex;
    readonly familyId: Hex;
    readonly instance: Address;
    readonly configuration: Hex;
  }[];
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly creatorBuyFeeBps: number;
  readonly creatorSellFeeBps: number;
  readonly minInitialBuyTokens: bigint;
}

let nextSalt = 0n;

/** A recipe that its wallet can launch through one factory: its salt gives the hook its permissions. */
export function foundationRecipe(
  world: FoundationWorld,
  version: FoundationVersion,
  change: Partial<FoundationRecipe> = {},
): FoundationRecipe {
  const hookInitCodeHash = keccak256(artifact(hookName(version)).creationCode);
  const place = { launcher: world.factories[version], launchWallet: world.controller, hookInitCodeHash };
  const salt = nativeHookSalt(place, nextSalt);
  nextSalt = BigInt(salt) + 1n;
  return {
    salt,
    name: 'Foundation Token',
    symbol: 'FND',
    totalSupply: parseEther('1000000000'),
    description: 'a coin of the foundation',
    imageURI: 'https://example.org/coin.png',
    website: 'https://example.org',
    socialData: toHex('{"v":1,"x":"coin"}'),
    modules: [],
    tickLower: -887_220,
    tickUpper: 0,
    creatorBuyFeeBps: 300,
    creatorSellFeeBps: version === 'V3' ? 500 : 300,
    minInitialBuyTokens: 0n,
    ...change,
  };
}

export const foundationLaunchTx = (
  world: FoundationWorld,
  version: FoundationVersion,
  recipe: FoundationRecipe,
  value = 0n,
) => ({
  from: world.controller,
  to: world.factories[version],
  value,
  data: encodeCall(factoryName(version), 'launch', [recipe]),
});

export interface LaunchedFields {
  readonly token: Address;
  readonly creator: Address;
  readonly poolId: Hex;
  readonly hook: Address;
  readonly ledger: Address;
  readonly quote: Address;
  readonly metadataHash: Hex;
  readonly compositionHash: Hex;
  readonly custodyId: bigint;
  readonly initialBuyQuoteAmount: bigint;
  readonly result: {
    readonly token: Address;
    readonly hook: Address;
    readonly ledger: Address;
    readonly poolId: Hex;
    readonly custodyId: bigint;
    readonly liquidity: bigint;
    readonly sqrtPriceX96: bigint;
    readonly initialBuyQuoteAmount: bigint;
    readonly initialBuyTokenAmount: bigint;
  };
}
export type FoundationLaunched = LaunchedFields & { readonly poolKey: object; readonly receipt: Receipt };

export async function launchFoundation(
  world: FoundationWorld,
  version: FoundationVersion,
  change: Partial<FoundationRecipe> = {},
  value = 0n,
): Promise<FoundationLaunched & { readonly recipe: FoundationRecipe }> {
  const recipe = foundationRecipe(world, version, change);
  const receipt = await world.chain.send(foundationLaunchTx(world, version, recipe, value));
  const [event, another] = eventsOf(receipt, factoryName(version), world.factories[version]);
  expect(another).toBeUndefined();
  const launched = event!.args as unknown as LaunchedFields;
  const poolKey = {
    currency0: zeroAddress,
    currency1: launched.token,
    fee: 0,
    tickSpacing: 60,
    hooks: launched.hook,
  };
  return { ...launched, poolKey, receipt, recipe };
}

/** Returns the launches of a receipt, as an indexer that is bound to the factory reads them. */
export async function judgeFoundation(
  world: FoundationWorld,
  version: FoundationVersion,
  receipt: Receipt,
): Promise<Verdict[]> {
  const bound = async (address: Address) => ({ address, runtimeCodeHash: keccak256(await world.chain.code(address)) });
  return judgeReceiptOf(world, 'module-foundation-v1', world.factories[version], receipt, {
    factoryVersion: version,
    contracts: { poolManager: await bound(world.poolManager), custody: await bound(world.custody) },
  });
}

const BPS = 10_000n;
const [LOWEST, HIGHEST] = [4_295_128_740n, 1461446703485210103287273052203988822378723970341n];

export function foundationSwapTx(
  world: FoundationWorld,
  { poolKey }: Pick<FoundationLaunched, 'poolKey'>,
  [side, form]: readonly [Side, Form],
  amount: bigint,
  { router = world.trader, limit = side === 'buy' ? LOWEST : HIGHEST }: { router?: Address; limit?: bigint } = {},
) {
  const params = {
    zeroForOne: side === 'buy',
    amountSpecified: form === 'exactIn' ? -amount : amount,
    sqrtPriceLimitX96: limit,
  };
  return { from: world.stranger, to: router, data: encodeCall('Trader', 'swap', [poolKey, params]) };
}

/** Trades, and holds the ledger and `FoundationSwap` to the fee formulas to the wei. */
export async function foundationTrade(
  world: FoundationWorld,
  version: FoundationVersion,
  launched: FoundationLaunched & { readonly recipe: FoundationRecipe },
  [side, form]: readonly [Side, Form],
  amount: bigint,
  router: Address = world.trader,
): Promise<void> {
  const owed = (account: Address) => world.chain.read<bigint>(launched.ledger, 'FoundationLedger', 'owed', [account]);
  const state = async () =>
    [
      await owed(world.platform),
      await owed(world.controller),
      await world.chain.read<bigint>(world.poolManager, 'PoolManager', 'balanceOf', [launched.ledger, 0n]),
    ] as const;
  const before = await state();
  const receipt = await world.chain.send(foundationSwapTx(world, launched, [side, form], amount, { router }));
  const after = await state();
  const core = eventsOf(receipt, 'PoolManager', world.poolManager).find(({ eventName }) => eventName === 'Swap')!
    .args as { amount0: bigint; amount1: bigint };
  const poolNative = core.amount0 < 0n ? -core.amount0 : core.amount0;
  const creatorBps = BigInt(side === 'buy' ? launched.recipe.creatorBuyFeeBps : launched.recipe.creatorSellFeeBps);
  const platformBps = PLATFORM_FEE_BPS[version];
  const native = (side === 'buy') === (form === 'exactIn') ? amount : poolNative;
  const left = BPS - platformBps - creatorBps;
  const gross = form === 'exactIn' ? native : (native * BPS + left - 1n) / left;
  const [platform, creator] = [(gross * platformBps) / BPS, (gross * creatorBps) / BPS];
  expect(after.map((sum, index) => sum - before[index]!)).toEqual([platform, creator, platform + creator]);
  const swaps = eventsOf(receipt, hookName(version), launched.hook);
  expect(swaps.map(({ eventName }) => eventName)).toEqual(['FoundationSwap']);
  expect(swaps[0]!.args).toEqual({
    poolId: launched.poolId,
    router: expect.stringMatching(new RegExp(`^${router}$`, 'i')),
    buy: side === 'buy',
    exactInput: form === 'exactIn',
    grossQuote: gross,
    platformQuote: platform,
    creatorQuote: creator,
    coreAmount0: core.amount0,
    coreAmount1: core.amount1,
  });
  const settled = eventsOf(receipt, 'Trader', router)[0]!.args as { nativeDelta: bigint; tokenDelta: bigint };
  // A buyer pays the gross, a seller gets the gross less both fees; token amounts do not change.
  expect(settled).toEqual({
    nativeDelta: core.amount0 - platform - creator,
    tokenDelta: core.amount1,
  });
}
