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

describe('a call other than the permitted one', () => {
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
  it.each(changes)('A call with another %s than the permitted one is refused.', async (_, change, error) => {
    expect(await refusal({ sentCall: change() })).toEqual([error]);
  });
});

describe('funding', () => {
  it.each<[string, PlanOptions, string]>([
    ['native liquidity', { call: { nativeLiquidityWei: 1n } }, 'NativeLiquidityNotZero'],
    ['a buy without a minimum', { initialBuyWei: 1n, call: { minimumTokensOut: 0n } }, 'BuyTermsIncomplete'],
    ['a minimum without a buy', { call: { minimumTokensOut: 1n } }, 'BuyTermsIncomplete'],
    ['a value that buys nothing', { permit: { value: 5n } }, 'ValueNotFunding'],
    ['a buy without its value', { initialBuyWei: 5n, permit: { value: 0n } }, 'ValueNotFunding'],
  ])('Funding with %s is refused.', async (_, options, error) => {
    expect(await refusal(options)).toEqual([error]);
  });
});

describe('roles', () => {
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
  ])('A graph with %s is refused.', async (_, masks, error) => {
    expect(await refusal(roles(...masks))).toEqual([error]);
  });
});

describe('the pool key', () => {
  it.each<[string, () => Partial<Plan['poolKey']>, string]>([
    ['currency 0 that is not native', () => ({ currency0: world.stranger }), 'PoolCurrency0NotNative'],
    ['currency 1 that is not the token', () => ({ currency1: world.stranger }), 'PoolCurrency1NotToken'],
    ['hooks that are not the hook', () => ({ hooks: world.stranger }), 'PoolHooksNotHook'],
    ['an LP fee', () => ({ fee: 1 }), 'PoolFeeNotZero'],
    ['the dynamic fee flag', () => ({ fee: 0x800000 }), 'PoolFeeNotZero'],
  ])('A pool key with %s is refused.', async (_, change, error) => {
    expect(await refusal({ call: { poolKey: { ...plan.poolKey, ...change() } } })).toEqual([error]);
  });

  it('A pool key with another tick spacing is refused by the hook.', async () => {
    expect(await refusal({ call: { poolKey: { ...plan.poolKey, tickSpacing: 10 } } })).toEqual([
      'WrappedError',
      'WrongPool',
    ]);
  });
});

describe('accounts', () => {
  it('salts of another controller', async () => {
    expect(await refusal({ saltPrefix: world.stranger })).toEqual(['SaltNotControllers']);
  });

  it('A component, child or external with other code than declared is refused.', async () => {
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

  it('A child or external without code is refused.', async () => {
    const empty = { account: world.stranger, runtimeCodeHash: keccak256('0x') };
    expect(await refusal({ call: { children: [{ ...child(), ...empty }] } })).toEqual(['AccountWithoutCode']);
    expect(await refusal({ call: { externals: [{ ...external(), ...empty }] } })).toEqual(['AccountWithoutCode']);
  });

  it("A child that existed before the launch, such as an earlier launch's vault, is refused.", async () => {
    const standing = {
      account: world.poolManager,
      runtimeCodeHash: keccak256(await world.chain.code(world.poolManager)),
    };
    expect(await refusal({ call: { children: [{ ...child(), ...standing }] } })).toEqual(['ChildAlreadyDeployed']);
  });

  it('A child of an absent component is refused.', async () => {
    expect(await refusal({ call: { children: [{ ...child(), parentIndex: 1 }] } })).toEqual(['ParentIndexOutOfRange']);
  });

  it('An account that is listed twice, in one list or in two, is refused.', async () => {
    expect(await refusal({ call: { externals: [external(), external()] } })).toEqual(['AccountListedTwice']);
    expect(await refusal({ call: { children: [child(), child()] } })).toEqual(['AccountListedTwice']);
    const vaultAgain = { roleMask: 0, account: child().account, runtimeCodeHash: child().runtimeCodeHash };
    expect(await refusal({ call: { externals: [external(), vaultAgain] } })).toEqual(['AccountListedTwice']);
  });

  it('An account that an earlier launch deployed is refused.', () =>
    inSnapshot(world.chain, async () => {
      const same = await planLaunch(world, { nonce: 2n, call: { children: [] } });
      await world.chain.send(plan.tx);
      expect(await world.chain.refusal(same.tx)).toEqual(['ComponentDeployFailed', '']);
    }));
});

describe('constructors', () => {
  const extra = (initCode: Hex, runtimeCodeHash: Hex): PlanOptions => ({
    call: {
      components: [component(), { roleMask: 0, salt: freeSalt(world.controller, 99n), initCode, runtimeCodeHash }],
    },
  });

  it('A constructor whose code depends on the clock is refused.', async () => {
    // Stores TIMESTAMP as the runtime: the code examined a second earlier is not the current code.
    expect(await refusal(extra('0x4260005260206000f3', keccak256(pad('0x1234'))))).toEqual(['RuntimeCodeHashMismatch']);
  });

  it('A constructor that returns no code is refused.', async () => {
    expect(await refusal(extra('0x00', keccak256('0x')))).toEqual(['AccountWithoutCode']);
  });

  it('A constructor that enters the router again is refused.', async () => {
    const again = (await planLaunch(world, { nonce: 2n, name: 'Second' })).tx.data!;
    const initCode = initCodeOf('Reenter', [world.router, again]);
    expect(await refusal(extra(initCode, hashText('any')))).toEqual(['ComponentDeployFailed', 'LaunchReentered']);
  });

  it('A constructor that acts as PoolManager is refused.', async () => {
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
  ])('A constructor of the combined project with %s is refused.', async (_, fees, numbers, error) => {
    const [amount = supply, from = tickLower, to = tickUpper] = numbers as [bigint?, number?, number?];
    const initCode = initCodeOf('Native20', [{ ...feeConfig(world, {}), ...fees }, 'Wrong', 'WRG', amount, from, to]);
    const salt = mineSalt(world.router, keccak256(initCode), world.controller);
    expect(await refusal({ call: { components: [{ ...component(), salt, initCode }] } })).toEqual([
      'ComponentDeployFailed',
      error,
    ]);
  });

  it('A constructor of the combined project at an address without the hook flags is refused.', async () => {
    const salt = freeSalt(world.controller, 5n);
    expect(await refusal({ call: { components: [{ ...component(), salt }] } })).toEqual([
      'ComponentDeployFailed',
      'HookAddressFlagsWrong',
    ]);
  });
});

describe('the pool and the buy', () => {
  it('A price inside the range, which would need native liquidity, is refused.', async () => {
    const sqrtPriceX96 = await sqrtPriceAt(world, tickUpper - 60);
    expect(await refusal({ call: { sqrtPriceX96 } })).toEqual(['SeedNotTokenOnly']);
  });

  it('More liquidity than the supply is refused.', async () => {
    expect(await refusal({ call: { liquidity: plan.call.liquidity * 2n } })).toEqual(['ERC20InsufficientBalance']);
  });

  it('A pool without liquidity is refused.', async () => {
    expect(await refusal({ call: { liquidity: 0n } })).toEqual(['CannotUpdateEmptyPosition']);
  });

  it('A buy that brings fewer tokens than the minimum is refused.', async () => {
    expect(await refusal({ initialBuyWei: parseEther('1'), call: { minimumTokensOut: supply } })).toEqual([
      'TooFewTokens',
    ]);
  });

  it('A buy larger than the pool is refused.', async () => {
    expect(await refusal({ initialBuyWei: parseEther('6000') })).toEqual(['WrappedError', 'PartialFill']);
  });

  it('A buy larger than the pool is refused even if the hook accepts it.', async () => {
    expect(await refusal({ project: 'plain hook', initialBuyWei: parseEther('1') })).toEqual([]);
    expect(await refusal({ project: 'plain hook', initialBuyWei: parseEther('6000') })).toEqual(['BuyPartiallyFilled']);
  });
});

describe('value that a project leaves on the router', () => {
  it('tokens', async () => {
    expect(await refusal({ project: 'leaky token' })).toEqual(['TokenBalanceNotZero']);
  });

  it('ether', () =>
    inSnapshot(world.chain, async () => {
      const generous = await planLaunch(world, { project: 'generous initializer' });
      expect(await world.chain.refusal(generous.tx)).toEqual([]);
      await world.chain.send({ from: world.stranger, to: generous.parts[0]!.account, value: 1n });
      expect(await world.chain.refusal(generous.tx)).toEqual(['NativeBalanceChanged']);
    }));
});

describe('the errors of these contracts', () => {
  const suites = readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('');

  it.each(['MultiRoleLaunchStampRouterV2', 'Native20', 'FeeVault', 'Materializer'])(
    'of %s are each seen by a test',
    (name) => {
      const declared = artifact(name).abi.flatMap((entry) => (entry.type === 'error' ? [entry.name] : []));
      // OpenZeppelin's and V4's own errors are theirs to test.
      const inherited = /^(ERC20|ERC2612|ECDSA|InvalidAccountNonce|InvalidShortString|StringTooLong|SafeCast)/;
      expect(declared.filter((error) => !inherited.test(error) && !suites.includes(`'${error}'`))).toEqual([]);
    },
  );
});
