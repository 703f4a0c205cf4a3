/** Launches that a permit covers and the router still refuses, each by its own error. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, pad, parseEther } from 'viem';
import type { Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import {
  feeConfig,
  freeSalt,
  hashText,
  initCodeOf,
  mineSalt,
  planLaunch,
  sqrtPriceAt,
  supply,
  tickLower,
  tickUpper,
} from './support/plan.js';
import type { Plan, PlanOptions } from './support/plan.js';
import type { LaunchCall } from './support/launch-hashes.js';
import { encodeCall, inSnapshot, startTimeout, startWorld } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
let plan: Plan;
let separate: Plan;
beforeAll(async () => {
  world = await startWorld();
  plan = await planLaunch(world);
  separate = await planLaunch(world, { project: 'separate' });
}, startTimeout);
afterAll(() => world?.chain.close());

const refusal = async (options: PlanOptions) => world.chain.refusal((await planLaunch(world, options)).tx);
const component = () => plan.call.components[0]!;
const child = () => plan.call.children[0]!;
const external = () => plan.call.externals[0]!;

describe('A call', () => {
  const changes: [string, () => Partial<LaunchCall>, string][] = [
    ['component role', () => ({ components: [{ ...component(), roleMask: 7 }] }), 'GraphHashMismatch'],
    ['component salt', () => ({ components: [{ ...component(), salt: pad('0x1') }] }), 'GraphHashMismatch'],
    [
      'component creation code',
      () => ({ components: [{ ...component(), initCode: `${component().initCode}00` }] }),
      'GraphHashMismatch',
    ],
    [
      'component code hash',
      () => ({ components: [{ ...component(), runtimeCodeHash: hashText('x') }] }),
      'GraphHashMismatch',
    ],
    ['child', () => ({ children: [{ ...child(), account: world.stranger }] }), 'GraphHashMismatch'],
    ['missing child', () => ({ children: [] }), 'GraphHashMismatch'],
    ['missing external', () => ({ externals: [] }), 'GraphHashMismatch'],
    ['pool key', () => ({ poolKey: { ...plan.poolKey, tickSpacing: 1 } }), 'PoolHashMismatch'],
    ['price', () => ({ sqrtPriceX96: plan.call.sqrtPriceX96 - 1n }), 'PoolHashMismatch'],
    ['liquidity', () => ({ liquidity: plan.call.liquidity - 1n }), 'CallHashMismatch'],
    ['native liquidity', () => ({ nativeLiquidityWei: 1n }), 'CallHashMismatch'],
    ['buy', () => ({ initialBuyWei: 1n }), 'CallHashMismatch'],
    ['minimum', () => ({ minimumTokensOut: 1n }), 'CallHashMismatch'],
  ];
  it.each(changes)('is refused with another %s than the permitted one', async (_, change, error) => {
    expect(await refusal({ sentCall: change() })).toEqual([error]);
  });
});

describe('The funding of a launch', () => {
  it.each<[string, PlanOptions, string]>([
    ['native liquidity', { call: { nativeLiquidityWei: 1n } }, 'NativeLiquidityNotZero'],
    ['a buy without a minimum', { initialBuyWei: 1n, call: { minimumTokensOut: 0n } }, 'BuyTermsIncomplete'],
    ['a minimum without a buy', { call: { minimumTokensOut: 1n } }, 'BuyTermsIncomplete'],
    ['a value that buys nothing', { permit: { value: 5n } }, 'ValueNotFunding'],
    ['a buy without its value', { initialBuyWei: 5n, permit: { value: 0n } }, 'ValueNotFunding'],
  ])('is refused with %s', async (_, options, error) => {
    expect(await refusal(options)).toEqual([error]);
  });
});

describe('A graph', () => {
  const roles = (...masks: number[]): PlanOptions => ({
    project: 'separate',
    call: { components: masks.map((roleMask, i) => ({ ...separate.call.components[i]!, roleMask })) },
  });
  it.each<[string, number[], string]>([
    ['no token', [4, 0, 2], 'TokenRoleCount'],
    ['two tokens', [4, 1, 3], 'TokenRoleCount'],
    ['no hook', [4, 1, 0], 'HookRoleCount'],
    ['two hooks', [4, 3, 2], 'HookRoleCount'],
    ['two initializers', [4, 5, 2], 'InitializerRoleCount'],
    ['the zero address to seed', [0, 1, 2], 'SeederMissing'],
    ['nothing at all', [], 'TokenRoleCount'],
  ])('is refused with %s', async (_, masks, error) => {
    expect(await refusal(roles(...masks))).toEqual([error]);
  });
});

describe('A pool key', () => {
  it.each<[string, () => Partial<Plan['poolKey']>, string]>([
    ['currency 0 that is not native', () => ({ currency0: world.stranger }), 'PoolCurrency0NotNative'],
    ['currency 1 that is not the token', () => ({ currency1: world.stranger }), 'PoolCurrency1NotToken'],
    ['hooks that are not the hook', () => ({ hooks: world.stranger }), 'PoolHooksNotHook'],
    ['an LP fee', () => ({ fee: 1 }), 'PoolFeeNotZero'],
    ['the dynamic fee flag', () => ({ fee: 0x800000 }), 'PoolFeeNotZero'],
  ])('is refused with %s', async (_, change, error) => {
    expect(await refusal({ call: { poolKey: { ...plan.poolKey, ...change() } } })).toEqual([error]);
  });

  it('is refused by the hook with another tick spacing', async () => {
    expect(await refusal({ call: { poolKey: { ...plan.poolKey, tickSpacing: 10 } } })).toEqual([
      'WrappedError',
      'WrongPool',
    ]);
  });
});

describe('The router', () => {
  it('refuses salts of another controller', async () => {
    expect(await refusal({ saltPrefix: world.stranger })).toEqual(['SaltNotControllers']);
  });

  it('refuses a component, child or external with other code than declared', async () => {
    const runtimeCodeHash = hashText('other code');
    expect(await refusal({ call: { components: [{ ...component(), runtimeCodeHash }] } })).toEqual([
      'RuntimeCodeHashMismatch',
    ]);
    expect(await refusal({ call: { children: [{ ...child(), runtimeCodeHash }] } })).toEqual([
      'RuntimeCodeHashMismatch',
    ]);
    expect(await refusal({ call: { externals: [{ ...external(), runtimeCodeHash }] } })).toEqual([
      'RuntimeCodeHashMismatch',
    ]);
  });

  it('refuses a child or external without code', async () => {
    const empty = { account: world.stranger, runtimeCodeHash: keccak256('0x') };
    expect(await refusal({ call: { children: [{ ...child(), ...empty }] } })).toEqual(['AccountWithoutCode']);
    expect(await refusal({ call: { externals: [{ ...external(), ...empty }] } })).toEqual(['AccountWithoutCode']);
  });

  it("refuses a child that existed before the launch, such as an earlier launch's vault", async () => {
    const standing = {
      account: world.poolManager,
      runtimeCodeHash: keccak256(await world.chain.code(world.poolManager)),
    };
    expect(await refusal({ call: { children: [{ ...child(), ...standing }] } })).toEqual(['ChildAlreadyDeployed']);
  });

  it('refuses a child of an absent component', async () => {
    expect(await refusal({ call: { children: [{ ...child(), parentIndex: 1 }] } })).toEqual(['ParentIndexOutOfRange']);
  });

  it('refuses an account that is listed twice, in one list or in two', async () => {
    expect(await refusal({ call: { externals: [external(), external()] } })).toEqual(['AccountListedTwice']);
    expect(await refusal({ call: { children: [child(), child()] } })).toEqual(['AccountListedTwice']);
    const vaultAgain = { roleMask: 0, account: child().account, runtimeCodeHash: child().runtimeCodeHash };
    expect(await refusal({ call: { externals: [external(), vaultAgain] } })).toEqual(['AccountListedTwice']);
  });

  it('refuses an account that an earlier launch deployed', () =>
    inSnapshot(world.chain, async () => {
      const same = await planLaunch(world, { nonce: 2n, call: { children: [] } });
      await world.chain.send(plan.tx);
      expect(await world.chain.refusal(same.tx)).toEqual(['ComponentDeployFailed', '']);
    }));
});

describe('A constructor', () => {
  const extra = (initCode: Hex, runtimeCodeHash: Hex): PlanOptions => ({
    call: {
      components: [component(), { roleMask: 0, salt: freeSalt(world.controller, 99n), initCode, runtimeCodeHash }],
    },
  });

  it('is refused when its code depends on the clock', async () => {
    // Stores TIMESTAMP as the runtime: the code examined a second earlier is not the current code.
    expect(await refusal(extra('0x4260005260206000f3', keccak256(pad('0x1234'))))).toEqual(['RuntimeCodeHashMismatch']);
  });

  it('is refused when it returns no code', async () => {
    expect(await refusal(extra('0x00', keccak256('0x')))).toEqual(['AccountWithoutCode']);
  });

  it('is refused when it enters the router again', async () => {
    const again = (await planLaunch(world, { nonce: 2n, name: 'Second' })).tx.data!;
    const initCode = initCodeOf('Reenter', [world.router, again]);
    expect(await refusal(extra(initCode, hashText('any')))).toEqual(['ComponentDeployFailed', 'LaunchReentered']);
  });

  it('is refused when it acts as PoolManager', async () => {
    const initCode = initCodeOf('Reenter', [
      world.router,
      encodeCall('MultiRoleLaunchStampRouterV2', 'unlockCallback', ['0x']),
    ]);
    expect(await refusal(extra(initCode, hashText('any')))).toEqual(['ComponentDeployFailed', 'NotPoolManager']);
  });

  it.each<[string, Record<string, unknown>, unknown[], string]>([
    ['a buy fee above 10 %', { creatorBuyFeeBps: 1_001 }, [], 'CreatorFeeTooHigh'],
    ['a sell fee above 10 %', { creatorSellFeeBps: 1_001 }, [], 'CreatorFeeTooHigh'],
    ['no platform recipient', { platformRecipient: `0x${'00'.repeat(20)}` }, [], 'RecipientIsZero'],
    ['no creator recipient', { creatorRecipient: `0x${'00'.repeat(20)}` }, [], 'RecipientIsZero'],
    ['no supply', {}, [0n], 'SupplyOutOfRange'],
    ['a supply above int128', {}, [2n ** 127n], 'SupplyOutOfRange'],
    ['ticks in reverse', {}, [supply, tickUpper, tickLower], 'TickRangeInvalid'],
    ['a lower tick between spacings', {}, [supply, tickLower + 1, tickUpper], 'TickRangeInvalid'],
    ['an upper tick between spacings', {}, [supply, tickLower, tickUpper + 1], 'TickRangeInvalid'],
    ['the maximum tick', {}, [supply, tickLower, 887_220], 'TickRangeInvalid'],
    ['a tick below the minimum', {}, [supply, -887_280, tickUpper], 'TickRangeInvalid'],
  ])('is refused in the combined project with %s', async (_, fees, numbers, error) => {
    const [amount = supply, from = tickLower, to = tickUpper] = numbers as [bigint?, number?, number?];
    const initCode = initCodeOf('Native20', [{ ...feeConfig(world, {}), ...fees }, 'Wrong', 'WRG', amount, from, to]);
    const salt = mineSalt(world.router, keccak256(initCode), world.controller);
    expect(await refusal({ call: { components: [{ ...component(), salt, initCode }] } })).toEqual([
      'ComponentDeployFailed',
      error,
    ]);
  });

  it('is refused in the combined project at an address without the hook flags', async () => {
    const salt = freeSalt(world.controller, 5n);
    expect(await refusal({ call: { components: [{ ...component(), salt }] } })).toEqual([
      'ComponentDeployFailed',
      'HookAddressFlagsWrong',
    ]);
  });
});

describe('A launch', () => {
  it('is refused with a price inside the range, which would need native liquidity', async () => {
    const sqrtPriceX96 = await sqrtPriceAt(world, tickUpper - 60);
    expect(await refusal({ call: { sqrtPriceX96 } })).toEqual(['SeedNotTokenOnly']);
  });

  it('is refused with more liquidity than the supply', async () => {
    expect(await refusal({ call: { liquidity: plan.call.liquidity * 2n } })).toEqual(['ERC20InsufficientBalance']);
  });

  it('is refused for a pool without liquidity', async () => {
    expect(await refusal({ call: { liquidity: 0n } })).toEqual(['CannotUpdateEmptyPosition']);
  });

  it('is refused when the buy brings fewer tokens than the minimum', async () => {
    expect(await refusal({ initialBuyWei: parseEther('1'), call: { minimumTokensOut: supply } })).toEqual([
      'TooFewTokens',
    ]);
  });

  it('is refused when the buy exceeds the pool', async () => {
    expect(await refusal({ initialBuyWei: parseEther('6000') })).toEqual(['WrappedError', 'PartialFill']);
  });

  it('is refused when the buy exceeds the pool, even if the hook accepts it', async () => {
    expect(await refusal({ project: 'plain hook', initialBuyWei: parseEther('1') })).toEqual([]);
    expect(await refusal({ project: 'plain hook', initialBuyWei: parseEther('6000') })).toEqual(['BuyPartiallyFilled']);
  });
});

describe('A launch', () => {
  it('is refused when its project leaves tokens on the router', async () => {
    expect(await refusal({ project: 'leaky token' })).toEqual(['TokenBalanceNotZero']);
  });

  it('is refused when its project leaves ether on the router', () =>
    inSnapshot(world.chain, async () => {
      const generous = await planLaunch(world, { project: 'generous initializer' });
      expect(await world.chain.refusal(generous.tx)).toEqual([]);
      await world.chain.send({ from: world.stranger, to: generous.parts[0]!.account, value: 1n });
      expect(await world.chain.refusal(generous.tx)).toEqual(['NativeBalanceChanged']);
    }));
});

describe('The errors', () => {
  const suites = readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('');

  it.each(['MultiRoleLaunchStampRouterV2', 'Native20', 'FeeVault', 'Materializer'])(
    'of %s each occur in a test',
    (name) => {
      const declared = artifact(name).abi.flatMap((entry) => (entry.type === 'error' ? [entry.name] : []));
      // OpenZeppelin's and V4's own errors are theirs to test.
      const inherited = /^(ERC20|ERC2612|ECDSA|InvalidAccountNonce|InvalidShortString|StringTooLong|SafeCast)/;
      expect(declared.filter((error) => !inherited.test(error) && !suites.includes(`'${error}'`))).toEqual([]);
    },
  );
});
