/** Foundation factories of every version: what a launch leaves on chain, its fees to the wei, and what is refused. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  concat,
  encodeAbiParameters,
  getAddress,
  keccak256,
  parseEther,
  toFunctionSelector,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem';
import type { Address, Hex } from 'viem';
import { testSeed } from '@launch/testing';
import { artifact } from './support/artifacts.js';
import {
  BURN_ADDRESS,
  factoryName,
  FOUNDATION_VERSIONS,
  foundationLaunchTx,
  foundationRecipe,
  foundationSwapTx,
  foundationTrade,
  hookName,
  judgeFoundation,
  launchFoundation,
  PLATFORM_FEE_BPS,
  withFoundation,
  type FoundationRecipe,
  type FoundationVersion,
  type FoundationWorld,
} from './support/foundation-launch.js';
import type { Form, Side } from './support/trading.js';
import { encodeCall, eventsOf, inSnapshot, startTimeout, startWorld } from './support/world.js';

const word = (digits: string): Hex => `0x${digits.repeat(32)}`;
const [PACKAGE, FAMILY] = [word('a1'), word('f1')];
const TRADES: readonly (readonly [Side, Form])[] = [
  ['buy', 'exactIn'],
  ['buy', 'exactOut'],
  ['sell', 'exactIn'],
  ['sell', 'exactOut'],
];
const MODULE_REFS = [
  {
    type: 'tuple[]',
    components: [
      { name: 'module', type: 'address' },
      { name: 'packageId', type: 'bytes32' },
      { name: 'familyId', type: 'bytes32' },
      { name: 'configurationHash', type: 'bytes32' },
    ],
  },
] as const;

let world: FoundationWorld;
beforeAll(async () => {
  world = await withFoundation(await startWorld());
}, startTimeout);
afterAll(() => world?.chain.close());

const moduleOf = (instance: Address, configuration: Hex = '0x01') => ({
  packageId: PACKAGE,
  familyId: FAMILY,
  instance,
  configuration,
});
const refusal = (version: FoundationVersion, change: Partial<FoundationRecipe>, value = 0n) =>
  world.chain.refusal(foundationLaunchTx(world, version, foundationRecipe(world, version, change), value));

describe.each(FOUNDATION_VERSIONS)('a Foundation launch through %s', (version) => {
  const factory = () => world.factories[version];
  const hookRead = <T>(hook: Address, name: string, args: unknown[] = []) =>
    world.chain.read<T>(hook, hookName(version), name, args);

  it('is stored as its event reports it, and its hook, token and ledger agree', async () => {
    const opening = moduleOf(world.opening, encodeAbiParameters([{ type: 'uint64' }], [5n]));
    const modules = [opening, moduleOf(world.note)];
    const value = parseEther('0.01');
    const { poolKey, receipt, recipe, ...launched } = await launchFoundation(world, version, { modules }, value);
    expect(await world.chain.read(factory(), factoryName(version), 'launchOf', [launched.token])).toEqual(launched);
    const { result } = launched;
    expect(launched).toMatchObject({
      creator: getAddress(world.controller),
      quote: zeroAddress,
      initialBuyQuoteAmount: value,
      result: {
        token: launched.token,
        hook: launched.hook,
        ledger: launched.ledger,
        poolId: launched.poolId,
        custodyId: launched.custodyId,
        sqrtPriceX96: 2n ** 96n,
        initialBuyQuoteAmount: value,
      },
    });
    const refs = modules.map(({ instance, configuration, ...ids }) => ({
      module: getAddress(instance),
      ...ids,
      configurationHash: keccak256(configuration),
    }));
    expect(launched.compositionHash).toBe(keccak256(encodeAbiParameters(MODULE_REFS, [refs])));
    const { hook } = launched;
    expect(await hookRead(hook, 'poolKey')).toEqual({ ...poolKey, hooks: getAddress(hook) });
    for (const [name, value] of Object.entries({
      token: launched.token,
      quote: zeroAddress,
      creator: getAddress(world.controller),
      ledger: launched.ledger,
      poolId: launched.poolId,
      compositionHash: launched.compositionHash,
      moduleCount: 2n,
      platformFeeBps: Number(PLATFORM_FEE_BPS[version]),
      ...(version === 'V3' ? { creatorBuyFeeBps: 300, creatorSellFeeBps: 500 } : { creatorFeeBps: 300 }),
    }))
      expect([name, await hookRead(hook, name)]).toEqual([name, value]);
    for (const [index, ref] of refs.entries())
      expect(await hookRead(hook, 'moduleAt', [BigInt(index)])).toEqual(Object.values(ref));
    expect(
      await world.chain.read(world.note, 'NoteModule', 'noteOf', [
        await world.chain.read(factory(), factoryName(version), 'runtime'),
        launched.poolId,
      ]),
    ).toBe('0x01');

    const said = [recipe.name, recipe.symbol, recipe.description, recipe.imageURI, recipe.website] as const;
    const metadataHash = keccak256(
      encodeAbiParameters([...said.map(() => ({ type: 'string' })), { type: 'bytes' }], [...said, recipe.socialData]),
    );
    const tokenRead = (name: string, args: unknown[] = []) =>
      world.chain.read<bigint>(launched.token, 'FoundationToken', name, args);
    expect([launched.metadataHash, await tokenRead('metadataHash')]).toEqual([metadataHash, metadataHash]);
    expect(
      await Promise.all(
        ['name', 'symbol', 'description', 'imageURI', 'website', 'socialData'].map((n) => tokenRead(n)),
      ),
    ).toEqual([...said, recipe.socialData]);
    const holders = [world.poolManager, world.controller, BURN_ADDRESS, factory(), world.custody];
    const held = await Promise.all(holders.map((account) => tokenRead('balanceOf', [account])));
    expect(held.reduce((sum, one) => sum + one)).toBe(recipe.totalSupply);
    expect(held.slice(1)).toEqual([result.initialBuyTokenAmount, expect.any(BigInt), 0n, 0n]);
    expect(held[2]).toBeLessThan(10n ** 9n);

    expect(await world.chain.read(world.custody, 'FoundationCustody', 'ownerOf', [launched.custodyId])).toBe(
      BURN_ADDRESS,
    );
    expect(await world.chain.read(world.custody, 'FoundationCustody', 'positionOf', [launched.custodyId])).toEqual([
      launched.poolId,
      recipe.tickLower,
      recipe.tickUpper,
      result.liquidity,
      getAddress(factory()),
    ]);
    // The creator's own purchase is a trade like any other; the event names the caller of the pool, here the factory.
    const swaps = eventsOf(receipt, hookName(version), hook);
    expect(swaps).toMatchObject([
      {
        eventName: 'FoundationSwap',
        args: { router: getAddress(factory()), grossQuote: value, coreAmount1: result.initialBuyTokenAmount },
      },
    ]);
  });

  it('is found whole by its adapter, and by that of no other release', async () => {
    const modules = [moduleOf(world.note), moduleOf(world.note, '0x02')];
    const { receipt, token, hook, poolId } = await launchFoundation(world, version, { modules }, parseEther('0.01'));
    const [verdict, another] = await judgeFoundation(world, version, receipt);
    expect(another).toBeUndefined();
    if (verdict?.kind !== 'pass') throw new Error(JSON.stringify(verdict));
    expect(verdict.launch.record).toMatchObject({
      factoryVersion: version,
      launchId: null,
      tokenAddress: token.toLowerCase(),
      creator: world.controller.toLowerCase(),
      poolManager: world.poolManager.toLowerCase(),
      poolId,
      hookAddress: hook.toLowerCase(),
      modulePackageIds: [PACKAGE, PACKAGE],
      moduleFamilyIds: [FAMILY, FAMILY],
      name: 'Foundation Token',
      symbol: 'FND',
      decimals: 18,
    });
    expect(verdict.launch.metadata).toMatchObject({ status: 'ok', website: 'https://example.org/' });
    for (const other of FOUNDATION_VERSIONS.filter((one) => one !== version)) {
      // As if the other release had written the same logs.
      const lent = receipt.logs.map((log) =>
        log.address.toLowerCase() === factory().toLowerCase() ? { ...log, address: world.factories[other] } : log,
      );
      const [judged] = await judgeFoundation(world, other, { ...receipt, logs: lent });
      expect(judged).toMatchObject({ kind: 'fail', reason: 'EVENT_MISMATCH' });
    }
  });

  it('buys nothing without wei, and does not know a foreign token', async () => {
    const launched = await launchFoundation(world, version);
    expect(launched.initialBuyQuoteAmount).toBe(0n);
    expect(launched.result).toMatchObject({ initialBuyQuoteAmount: 0n, initialBuyTokenAmount: 0n });
    expect(launched.compositionHash).toBe(keccak256(encodeAbiParameters(MODULE_REFS, [[]])));
    const unknown = await world.chain.read<object>(factory(), factoryName(version), 'launchOf', [world.stranger]);
    expect(unknown).toMatchObject({ token: zeroAddress, poolId: zeroHash, result: { liquidity: 0n } });
  });

  it('indexes the fields of its version', async () => {
    const { receipt, token, creator, poolId } = await launchFoundation(world, version);
    const log = receipt.logs.find(({ address }) => address.toLowerCase() === factory().toLowerCase())!;
    const padded = (address: Address) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    expect(log.topics.slice(1)).toEqual(version === 'V1' ? [] : [padded(token), padded(creator), poolId]);
  });

  it('charges both fees of every kind of trade to the wei, for any caller of the pool, and reports each', async () => {
    const launched = await launchFoundation(world, version, {}, parseEther('0.1'));
    let state = testSeed(`foundation fees ${version}`);
    const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    for (const router of [world.trader, world.otherTrader])
      for (let round = 0; round < 3; round += 1)
        for (const trade of TRADES) {
          // A sale has to be below what came in before.
          const amount = BigInt(Math.floor(10 ** (trade[0] === 'sell' ? 12 : 15) * (1 + random() * 1_000)));
          await foundationTrade(world, version, launched, trade, amount, router);
        }
  }, 120_000);

  it('pays the debts of its ledger to their creditors, once', async () => {
    const launched = await launchFoundation(world, version, {}, parseEther('0.01'));
    const pull = (from: Address) => ({
      from,
      to: launched.ledger,
      data: encodeCall('FoundationLedger', 'pull', [world.creator]),
    });
    const before = await world.chain.balance(world.creator);
    await world.chain.send(pull(world.controller));
    await world.chain.send(pull(world.platform));
    const due = (parseEther('0.01') * (300n + PLATFORM_FEE_BPS[version])) / 10_000n;
    expect((await world.chain.balance(world.creator)) - before).toBe(due);
    expect(await world.chain.refusal(pull(world.controller))).toEqual(['NothingOwed']);
    expect(await world.chain.refusal(pull(world.stranger))).toEqual(['NothingOwed']);
  });

  it('takes creator fees from 0 to 1,000 in steps of 100, and no other', async () => {
    for (const feeBps of [0, 100, 1_000]) {
      const fees = { creatorBuyFeeBps: feeBps, creatorSellFeeBps: feeBps };
      const launched = await launchFoundation(world, version, fees, parseEther('0.01'));
      await foundationTrade(world, version, launched, ['buy', 'exactOut'], 10n ** 18n);
      await foundationTrade(world, version, launched, ['sell', 'exactOut'], 10n ** 9n);
    }
    for (const feeBps of [1, 50, 99, 101, 999, 1_001, 1_100, 65_535])
      for (const fees of [{ creatorBuyFeeBps: feeBps }, { creatorSellFeeBps: feeBps }])
        expect([feeBps, await refusal(version, fees)]).toEqual([feeBps, ['CreatorFeeNotAllowed']]);
    expect(await refusal(version, { creatorBuyFeeBps: 100, creatorSellFeeBps: 200 })).toEqual(
      version === 'V3' ? [] : ['CreatorFeesDiffer'],
    );
  });

  it('is refused with an impossible pool, program or purchase', async () => {
    expect(await refusal(version, { totalSupply: 0n })).toEqual(['SupplyOutOfRange']);
    expect(await refusal(version, { totalSupply: 2n ** 127n })).toEqual(['SupplyOutOfRange']);
    for (const ticks of [{ tickUpper: 61 }, { tickLower: 60 }, { tickLower: 0 }, { tickUpper: 887_280 }])
      expect(await refusal(version, ticks)).toEqual(['TickRangeInvalid']);
    expect(await refusal(version, { modules: [moduleOf(world.stranger)] })).toEqual(['InstanceWithoutCode']);
    expect(await refusal(version, { modules: [moduleOf(world.opening, '0x')] })).toEqual(['ConfigurationMalformed']);
    expect(await refusal(version, { modules: Array.from({ length: 33 }, () => moduleOf(world.note)) })).toEqual([
      'TooManyModules',
    ]);
    const minInitialBuyTokens = parseEther('1');
    expect(await refusal(version, { minInitialBuyTokens }, 10n ** 9n)).toEqual(['InitialBuyTooSmall']);
    const { salt } = await launchFoundation(world, version).then(({ recipe }) => recipe);
    expect(await refusal(version, { salt })).toEqual(['SaltUsed']);
    expect(await refusal(version, { salt: toHex(1n, { size: 32 }) })).toEqual(['HookAddressFlagsWrong']);
  });

  it('never returns liquidity and accepts no more of it, and its position does not change', async () => {
    const launched = await launchFoundation(world, version);
    const change = (liquidityDelta: bigint) => ({
      from: world.stranger,
      to: world.trader,
      data: encodeCall('Trader', 'modifyLiquidity', [
        launched.poolKey,
        { tickLower: -60, tickUpper: 0, liquidityDelta, salt: zeroHash },
      ]),
    });
    expect(await world.chain.refusal(change(10n ** 12n))).toEqual(['WrappedError', 'LiquidityClosed']);
    expect(await world.chain.refusal(change(-(10n ** 12n)))).toEqual(['WrappedError', 'LiquidityLocked']);
    expect(await world.chain.refusal(change(0n))).toEqual(['WrappedError', 'LiquidityLocked']);
    const again = encodeCall('FoundationCustody', 'deposit', [launched.poolKey, -120, -60, 1n]);
    expect(await world.chain.refusal({ from: world.stranger, to: world.custody, data: again })).toEqual([
      'WrappedError',
      'LiquidityClosed',
    ]);
    await inSnapshot(world.chain, async () => {
      await world.chain.rpc('anvil_impersonateAccount', BURN_ADDRESS);
      await world.chain.rpc('anvil_setBalance', BURN_ADDRESS, toHex(parseEther('1')));
      const move = encodeCall('FoundationCustody', 'transferFrom', [BURN_ADDRESS, world.stranger, launched.custodyId]);
      expect(await world.chain.refusal({ from: BURN_ADDRESS, to: world.custody, data: move })).toEqual([
        'PositionStays',
      ]);
    });
  });

  it('has a hook that serves its one pool and only PoolManager', async () => {
    const launched = await launchFoundation(world, version);
    const params = { zeroForOne: true, amountSpecified: -1n, sqrtPriceLimitX96: 4_295_128_740n };
    const call = (name: string, args: unknown[], from: Address) =>
      world.chain.refusal({ from, to: launched.hook, data: encodeCall(hookName(version), name, args) });
    expect(await call('beforeSwap', [world.stranger, launched.poolKey, params, '0x'], world.stranger)).toEqual([
      'NotPoolManager',
    ]);
    const otherPool = { ...launched.poolKey, tickSpacing: 10 };
    const initialize = encodeCall('PoolManager', 'initialize', [otherPool, 2n ** 96n]);
    expect(await world.chain.refusal({ from: world.stranger, to: world.poolManager, data: initialize })).toEqual([
      'WrappedError',
      'WrongPool',
    ]);
  });

  it('refuses a trade that its price limit stops early when its fee was fixed for the whole', async () => {
    const launched = await launchFoundation(world, version, {}, parseEther('0.01'));
    const stopped = foundationSwapTx(world, launched, ['buy', 'exactIn'], parseEther('1'), {
      limit: 2n ** 96n - 2n ** 60n,
    });
    expect(await world.chain.refusal(stopped)).toEqual(['WrappedError', 'PartialFill']);
  });
});

it('The factory gives each creator salts of their own.', async () => {
  const recipe = foundationRecipe(world, 'V3');
  await world.chain.send(foundationLaunchTx(world, 'V3', recipe));
  // The hook of another account would have another address, with other bits.
  const other = { ...foundationLaunchTx(world, 'V3', recipe), from: world.stranger };
  expect(await world.chain.refusal(other)).toEqual(['HookAddressFlagsWrong']);
});

describe('the vectors of Foundation launches', () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../vectors/module-foundation.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<'metadata' | 'compositions' | 'pools', readonly Readonly<Record<string, unknown>>[]>>;

  const name = 'FoundationCommitmentsHarness';
  const harnessed = () => world.chain.deploy(world.owner, artifact(name));

  it.each([
    ['compositions', 'compositionHash', 'modules'],
    ['pools', 'poolId', 'poolKey'],
  ] as const)('equal the hashes that the contracts’ own types give for %s', async (part, hash, argument) => {
    const harness = await harnessed();
    expect(vectors[part].length).toBeGreaterThan(0);
    for (const { what, ...vector } of vectors[part]) {
      const made = await world.chain.read(harness, name, hash, [vector[argument]]);
      expect({ what, made }).toEqual({ what, made: vector[hash] });
    }
  });

  it('equal the hashes that a token’s own code computes for metadata, also for text that is not UTF-8', async () => {
    const harness = await harnessed();
    expect(vectors.metadata.length).toBeGreaterThan(0);
    for (const { what, said, metadataHash } of vectors.metadata) {
      // The words as they are encoded: no library writes a text that is none.
      const selector = toFunctionSelector('metadataHash(string,string,string,string,string,bytes)');
      const data = concat([selector, said as Hex]);
      const made = await world.chain.call({ from: harness, to: harness, data });
      expect({ what, made }).toEqual({ what, made: metadataHash });
    }
  });
});
