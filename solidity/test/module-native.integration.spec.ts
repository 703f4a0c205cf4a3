/** Native launchers: launches by wallets, relayers and contracts, their commitments, and where the fees go. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, getAddress, hashTypedData, keccak256, parseEther, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { testSeed } from '@launch/testing';
import { encodeRecipe, textBytes, type NativeRecipe } from '@launch/evm/sources';
import { artifact } from './support/artifacts.js';
import {
  judgeReceipt,
  launchedBy,
  launchTx,
  LAUNCHERS,
  recipeFor,
  withNativeLaunchers,
  type NativeVersion,
  type NativeWorld,
} from './support/native-launch.js';
import { expectedFees, type Form, type Side } from './support/trading.js';
import { authority, encodeCall, eventsOf, impostor, startTimeout, startWorld } from './support/world.js';

const VERSIONS = Object.keys(LAUNCHERS) as NativeVersion[];
const V1 = 'module-native-v1';
const word = (digits: string): Hex => `0x${digits.repeat(32)}`;
const [PACKAGE_A, PACKAGE_B, PACKAGE_C] = [word('a1'), word('a2'), word('a3')];
const [FAMILY_A, FAMILY_B] = [word('f1'), word('f2')];
const REWARD_A: Address = `0x${'a'.repeat(40)}`;
const REWARD_B: Address = `0x${'b'.repeat(40)}`;

let world: NativeWorld;
let secondTrader: Address;
beforeAll(async () => {
  world = await withNativeLaunchers(await startWorld());
  secondTrader = await world.chain.deploy(world.owner, artifact('Trader'), [world.poolManager], parseEther('500'));
  const admin = (name: string, args: unknown[]) =>
    world.chain.send({ from: world.owner, to: world.registry, data: encodeCall('ModuleRegistry', name, args) });
  await admin('admit', [PACKAGE_A, FAMILY_A]);
  await admin('admit', [PACKAGE_B, FAMILY_B]);
  await admin('setRewardWallet', [FAMILY_A, REWARD_A]);
  await admin('setRewardWallet', [FAMILY_B, REWARD_B]);
}, startTimeout);
afterAll(() => world?.chain.close());

const moduleOf = (packageId: Hex, familyId: Hex, instance = world.note, configuration: Hex = '0x01') => ({
  packageId,
  familyId,
  instance,
  configuration,
});
const launch = async (version: NativeVersion, change: Partial<NativeRecipe> = {}, from = world.controller) => {
  const recipe = recipeFor(world, version, from, change);
  const receipt = await world.chain.send(launchTx(world, version, from, recipe));
  return { recipe, receipt, ...launchedBy(world, version, receipt) };
};
const walletsOf = async (hook: Address): Promise<readonly Address[]> => {
  const vault = await world.chain.read<Address>(hook, 'ModuleHook', 'vault');
  const split = await world.chain.read<Address>(world.launchers[V1], LAUNCHERS[V1], 'feeSplit');
  return world.chain.read<Address[]>(split, 'ModuleFeeSplit', 'walletsOf', [vault]);
};

describe.each(VERSIONS)('a launch through %s', (version) => {
  it('is found completely by the adapter of its source version, with its modules in order', async () => {
    const modules = [
      moduleOf(PACKAGE_B, FAMILY_B),
      moduleOf(PACKAGE_A, FAMILY_A, world.opening, encodeAbiParameters([{ type: 'uint64' }], [5n])),
    ];
    const { receipt, token, launchId } = await launch(version, { modules });
    const [verdict, another] = await judgeReceipt(world, version, receipt);
    expect(another).toBeUndefined();
    if (verdict?.kind !== 'pass') throw new Error(JSON.stringify(verdict));
    expect(verdict.launch.record).toMatchObject({
      launchId,
      tokenAddress: token.toLowerCase(),
      creator: world.controller.toLowerCase(),
      modulePackageIds: [PACKAGE_B, PACKAGE_A],
      moduleFamilyIds: [FAMILY_B, FAMILY_A],
      name: 'Blue Token',
      decimals: 18,
    });
    expect(verdict.launch.metadata).toMatchObject({ status: 'ok', description: 'blue' });
  });

  it('belongs to the wallet that signed it, through any relayer, once and until its deadline', async () => {
    const recipe = recipeFor(world, version, authority.address);
    const deadline = (await world.chain.time()) + 600n;
    const signed = (by: typeof authority, until = deadline) =>
      by.sign({
        hash: hashTypedData({
          domain: {
            name: LAUNCHERS[version],
            version: '1',
            chainId: 4663,
            verifyingContract: world.launchers[version],
          },
          types: {
            LaunchFor: [
              { name: 'recipeHash', type: 'bytes32' },
              { name: 'launchWallet', type: 'address' },
              { name: 'deadline', type: 'uint256' },
            ],
          },
          primaryType: 'LaunchFor',
          message: { recipeHash: keccak256(encodeRecipe(recipe)), launchWallet: authority.address, deadline: until },
        }),
      });
    const relayed = (signature: Hex, until = deadline) => ({
      from: world.stranger,
      to: world.launchers[version],
      data: encodeCall(LAUNCHERS[version], 'launchFor', [encodeRecipe(recipe), authority.address, until, signature]),
    });
    expect(await world.chain.refusal(relayed(await signed(impostor)))).toEqual(['SignerNotLaunchWallet']);
    expect(await world.chain.refusal(relayed(await signed(authority), deadline + 1n))).toEqual([
      'SignerNotLaunchWallet',
    ]);
    expect(await world.chain.refusal(relayed(await signed(authority, 1n), 1n))).toEqual(['LaunchExpired']);
    const receipt = await world.chain.send(relayed(await signed(authority)));
    expect(launchedBy(world, version, receipt).launchWallet).toBe(getAddress(authority.address));
    const [verdict] = await judgeReceipt(world, version, receipt);
    expect(verdict).toMatchObject({ kind: 'pass', launch: { record: { creator: authority.address.toLowerCase() } } });
    expect(await world.chain.refusal(relayed(await signed(authority)))).toEqual(['LaunchKeyUsed']);
  });
});

describe('a native launch', () => {
  it('has a creator() of its own, which is not its launch wallet', async () => {
    const { token, launchWallet } = await launch(V1);
    expect(await world.chain.read(token, 'ModuleToken', 'creator')).toBe(getAddress(world.creator));
    expect(launchWallet).not.toBe(getAddress(world.creator));
  });

  it('keeps any text unchanged', async () => {
    const { receipt } = await launch(V1, {
      name: '0xff00',
      symbol: textBytes('<b>\u202e'),
      metadata: {
        description: `0x${'61'.repeat(20_000)}`,
        website: '0xff',
        image: '0x',
        extraData: textBytes('{'),
      },
    });
    const [verdict] = await judgeReceipt(world, V1, receipt);
    expect(verdict).toMatchObject({
      kind: 'pass',
      launch: { record: { name: null, symbol: '<b>\u202e' }, metadata: { status: 'malformed', description: null } },
    });
  });

  it('is refused with an impossible pool or program', async () => {
    const refusal = (change: Partial<NativeRecipe>) =>
      world.chain.refusal(launchTx(world, V1, world.controller, recipeFor(world, V1, world.controller, change)));
    expect(await refusal({ creatorBuyFeeBps: 1_001 })).toEqual(['CreatorFeeTooHigh']);
    expect(await refusal({ creatorSellFeeBps: 1_001 })).toEqual(['CreatorFeeTooHigh']);
    expect(await refusal({ totalSupply: 0n })).toEqual(['SupplyOutOfRange']);
    expect(await refusal({ totalSupply: 2n ** 127n })).toEqual(['SupplyOutOfRange']);
    expect(await refusal({ tickUpper: 61 })).toEqual(['TickRangeInvalid']);
    expect(await refusal({ tickLower: 60 })).toEqual(['TickRangeInvalid']);
    expect(await refusal({ sqrtPriceX96: 2n ** 96n - 1n })).toEqual(['WrongPrice']);
    expect(await refusal({ creatorFeeRecipient: `0x${'0'.repeat(40)}` })).toEqual(['RecipientIsZero']);
    expect(await refusal({ modules: [moduleOf(PACKAGE_A, FAMILY_A, REWARD_A)] })).toEqual(['InstanceWithoutCode']);
    expect(await refusal({ modules: [moduleOf(PACKAGE_A, FAMILY_A, world.opening, '0x')] })).toEqual([
      'ConfigurationMalformed',
    ]);
    expect(await refusal({ modules: Array.from({ length: 33 }, () => moduleOf(PACKAGE_A, FAMILY_A)) })).toEqual([
      'TooManyModules',
    ]);
    expect(await refusal({ salt: word('00') })).toEqual(['HookAddressFlagsWrong']);
  });

  it('is refused with another encoding of its recipe', async () => {
    const recipe = recipeFor(world, V1, world.controller);
    const data = encodeCall(LAUNCHERS[V1], 'launch', [`${encodeRecipe(recipe)}${'00'.repeat(32)}`]);
    const padded = { from: world.controller, to: world.launchers[V1], data };
    expect(await world.chain.refusal(padded)).toEqual(['RecipeNotCanonical']);
  });

  it('returns its liquidity to no account, and its launcher’s parts obey only it', async () => {
    const { poolKey, hook } = await launch(V1);
    const params = { tickLower: -887_220, tickUpper: 0, liquidityDelta: -1n, salt: word('00') };
    const remove = {
      from: world.stranger,
      to: world.trader,
      data: encodeCall('Trader', 'modifyLiquidity', [poolKey, params]),
    };
    const add = {
      ...remove,
      data: encodeCall('Trader', 'modifyLiquidity', [poolKey, { ...params, liquidityDelta: 1n }]),
    };
    expect((await world.chain.refusal(remove)).at(-1)).toBe('LiquidityLocked');
    expect((await world.chain.refusal(add)).at(-1)).toBe('LiquidityClosed');
    const part = (name: string) => world.chain.read<Address>(world.launchers[V1], LAUNCHERS[V1], name);
    const by = async (contract: string, name: string, fn: string, args: unknown[]) =>
      world.chain.refusal({ from: world.stranger, to: await part(name), data: encodeCall(contract, fn, args) });
    const vault = await world.chain.read<Address>(hook, 'ModuleHook', 'vault');
    expect(await by('ModuleRuntime', 'runtime', 'run', [word('01'), hook, []])).toEqual(['NotLauncher']);
    expect(await by('ModuleFeeSplit', 'feeSplit', 'register', [vault, []])).toEqual(['NotLauncher']);
    expect(
      await by('ModuleTokenMaker', 'tokenMaker', 'make', [word('01'), '', '', 1n, ['', '', '', '0x'], hook]),
    ).toEqual(['NotLauncher']);
  });
});

describe('the protocol’s fee', () => {
  it('has one share per distinct eligible family, while unknown packages and families earn nothing', async () => {
    const wallets = async (modules: NativeRecipe['modules']) => walletsOf((await launch(V1, { modules })).hook);
    expect(await wallets([])).toEqual([]);
    expect(await wallets([moduleOf(PACKAGE_C, FAMILY_A)])).toEqual([]);
    expect(await wallets([moduleOf(PACKAGE_A, FAMILY_B)])).toEqual([]);
    expect(await wallets([moduleOf(PACKAGE_A, FAMILY_A), moduleOf(PACKAGE_A, FAMILY_A)])).toEqual([
      getAddress(REWARD_A),
    ]);
    expect(await wallets([moduleOf(PACKAGE_C, FAMILY_A), moduleOf(PACKAGE_A, FAMILY_A)])).toEqual([
      getAddress(REWARD_A),
    ]);
    const both = [moduleOf(PACKAGE_B, FAMILY_B), moduleOf(PACKAGE_A, FAMILY_A)];
    expect(await wallets(both)).toEqual([REWARD_B, REWARD_A].map((wallet) => getAddress(wallet)));
  });

  const divided = VERSIONS.flatMap((version) => [0, 1, 2].map((families) => [version, families] as const));
  it.each(divided)('of %s is divided to the wei among %d families for any trader', async (version, families) => {
    const modules = [moduleOf(PACKAGE_A, FAMILY_A), moduleOf(PACKAGE_B, FAMILY_B)].slice(0, families);
    const { poolKey, hook } = await launch(version, { modules });
    const vault = await world.chain.read<Address>(hook, 'ModuleHook', 'vault');
    const split = await world.chain.read<Address>(world.launchers[version], LAUNCHERS[version], 'feeSplit');
    let state = testSeed(`native fees ${version} ${families}`);
    const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    let [platformFees, creatorFees] = [0n, 0n];
    const trades: readonly (readonly [Side, Form])[] = [
      ['buy', 'exactIn'],
      ['buy', 'exactOut'],
      ['sell', 'exactIn'],
      ['sell', 'exactOut'],
    ];
    // Two callers in turn: the fee of a trade does not depend on the contract that calls.
    for (const [trader, side, form] of trades.flatMap(([side, form]) =>
      [world.trader, secondTrader].map((trader) => [trader, side, form] as const),
    )) {
      // A sale of native wei named exactly has to be below what came in before.
      const amount = BigInt(Math.floor(10 ** (side === 'sell' ? 12 : 15) * (1 + random() * 1_000)));
      const zeroForOne = side === 'buy';
      const limit = zeroForOne ? 4_295_128_740n : 1461446703485210103287273052203988822378723970341n;
      const params = { zeroForOne, amountSpecified: form === 'exactIn' ? -amount : amount, sqrtPriceLimitX96: limit };
      const data = encodeCall('Trader', 'swap', [poolKey, params]);
      const receipt = await world.chain.send({ from: world.stranger, to: trader, data });
      const swap = eventsOf(receipt, 'PoolManager', world.poolManager).find((event) => event.eventName === 'Swap')!;
      const moved = swap.args['amount0'] as bigint;
      const [platform, creator] = expectedFees(
        { buyFeeBps: 300n, sellFeeBps: 500n },
        side,
        form,
        amount,
        moved < 0n ? -moved : moved,
      );
      platformFees += platform;
      creatorFees += creator;
    }
    const owed = (account: Address) => world.chain.read<bigint>(split, 'ModuleFeeSplit', 'owed', [account]);
    const before = await Promise.all([world.platform, REWARD_A, REWARD_B].map(owed));
    expect(await world.chain.read(vault, 'FeeVault', 'owed', [world.creator])).toBe(creatorFees);
    expect(await world.chain.read(vault, 'FeeVault', 'owed', [split])).toBe(platformFees);
    await world.chain.send({ from: world.stranger, to: split, data: encodeCall('ModuleFeeSplit', 'collect', [vault]) });
    const after = await Promise.all([world.platform, REWARD_A, REWARD_B].map(owed));
    const share = families === 0 ? 0n : platformFees / 2n / BigInt(families);
    expect(after.map((value, index) => value - before[index]!)).toEqual([
      platformFees - share * BigInt(families),
      families >= 1 ? share : 0n,
      families >= 2 ? share : 0n,
    ]);
    const payee: Address = `0x${'c'.repeat(36)}${VERSIONS.indexOf(version)}c0${families}`;
    const pull = {
      from: world.platform,
      to: split,
      data: encodeCall('ModuleFeeSplit', 'pull', [payee]),
    };
    await world.chain.send(pull);
    expect(await world.chain.balance(payee)).toBe(after[0]);
    expect(await world.chain.refusal(pull)).toEqual(['NothingOwed']);
    const again = { from: world.stranger, to: split, data: encodeCall('ModuleFeeSplit', 'collect', [vault]) };
    expect(await world.chain.refusal(again)).toEqual(['NothingOwed']);
    expect(await world.chain.refusal({ ...again, data: encodeCall('ModuleFeeSplit', 'collect', [hook]) })).toEqual([
      'NotRegistered',
    ]);
    expect(await world.chain.refusal({ from: world.stranger, to: split, value: 1n })).toEqual(['NotVault']);
  });
});

describe('the vectors of native launches', () => {
  it('equal the hashes that the launchers’ own code computes', async () => {
    const { cases } = JSON.parse(readFileSync(new URL('../vectors/module-native.json', import.meta.url), 'utf8')) as {
      cases: readonly {
        what: string;
        domain: string;
        chainId: string;
        launcher: Hex;
        launchWallet: Hex;
        recipe: Hex;
        instanceCodeHashes: Hex[];
        expected: unknown;
      }[];
    };
    const harness = await world.chain.deploy(world.owner, artifact('NativeCommitmentsHarness'));
    for (const { what, domain, chainId, launcher, launchWallet, recipe, instanceCodeHashes, expected } of cases) {
      const args = [keccak256(toHex(domain)), BigInt(chainId), launcher, launchWallet, recipe, instanceCodeHashes];
      const made = await world.chain.read(harness, 'NativeCommitmentsHarness', 'commitments', args);
      expect({ what, made }).toEqual({ what, made: expected });
    }
  });
});
