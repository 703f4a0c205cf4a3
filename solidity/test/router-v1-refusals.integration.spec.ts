/** Launches and steps that a permit covers and router V1 still refuses, each by its own error. */
import { readFileSync, readdirSync } from 'node:fs';
import { LAUNCH_MODES } from '@launch/evm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, pad, parseEther } from 'viem';
import type { Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import { RpcError } from './support/chain.js';
import type { Transaction } from './support/chain.js';
import type { LaunchCall } from './support/launch-hashes.js';
import { freeSalt, hashText, initCodeOf } from './support/plan.js';
import { refusalOf } from './support/refusals.js';
import { graphV1, routerV1Name, signV1, startWorldV1 } from './support/router-v1.js';
import type { Graph, Signed, SigningOptions, WorldV1 } from './support/router-v1.js';
import { encodeCall, inSnapshot, startTimeout } from './support/world.js';

const { sequential } = LAUNCH_MODES;
const another = hashText('another');

let world: WorldV1;
let graph: Graph;
let plan: Signed;
beforeAll(async () => {
  world = await startWorldV1();
  graph = await graphV1(world);
  plan = await signV1(world, graph, { mode: sequential });
}, startTimeout);
afterAll(() => world?.chain.close());

const refusal = (tx: Transaction) => world.chain.refusal(tx);
const launchOf = async (options: SigningOptions) => refusal((await signV1(world, graph, options)).launch);
const deployOf = async (options: SigningOptions) =>
  refusal((await signV1(world, graph, { mode: sequential, ...options })).deploys[0]!);
const component = (index: number) => graph.call.components[index]!;
const child = () => graph.call.children[0]!;
const external = () => graph.call.externals[0]!;
/** The graph with one component changed. */
const withComponent = (index: number, change: Partial<LaunchCall['components'][number]>): Partial<LaunchCall> => ({
  components: graph.call.components.map((one, i) => (i === index ? { ...one, ...change } : one)),
});

/** Runs `body` with all components deployed under the plan's permit. */
const afterDeploys = <T>(signed: Signed, body: () => Promise<T>): Promise<T> =>
  inSnapshot(world.chain, async () => {
    for (const deploy of signed.deploys) await world.chain.send(deploy);
    return body();
  });

describe('A step of a plan', () => {
  it('is refused out of order', () =>
    inSnapshot(world.chain, async () => {
      expect(await refusal(plan.deploys[1]!)).toEqual(['StepOutOfOrder']);
      await world.chain.send(plan.deploys[0]!);
      expect(await refusal(plan.deploys[0]!)).toEqual(['StepOutOfOrder']);
      expect(await refusal(plan.deploys[2]!)).toEqual(['StepOutOfOrder']);
      expect(await refusal(plan.register)).toEqual(['PlanIncomplete']);
    }));

  it('is refused beyond the last component', () =>
    afterDeploys(plan, async () => {
      const beyond = { ...plan.steps[2]!, ordinal: 3 };
      const data = encodeCall(routerV1Name, 'deployComponent', [beyond, plan.permit, plan.signature]);
      expect(await refusal({ ...plan.deploys[0]!, data })).toEqual(['StepOutOfOrder']);
    }));

  it('is refused when another plan contains it, by its graph or by the component alone', async () => {
    const other = await signV1(world, graph, {
      mode: sequential,
      call: withComponent(0, { salt: freeSalt(world.controller, 77n) }),
    });
    const step = (given: object): Transaction => ({
      ...plan.deploys[0]!,
      data: encodeCall(routerV1Name, 'deployComponent', [given, plan.permit, plan.signature]),
    });
    expect(await refusal(step(other.steps[0]!))).toEqual(['StepNotOfPlan']);
    expect(await refusal(step({ ...plan.steps[0]!, component: other.steps[0]!.component }))).toEqual(['StepNotOfPlan']);
    expect(await refusal(step({ ...plan.steps[0]!, component: plan.steps[1]!.component }))).toEqual(['StepNotOfPlan']);
    expect(await refusal(step({ ...plan.steps[0]!, children: [] }))).toEqual(['StepNotOfPlan']);
  });

  it('is refused when its permit did not count it', async () => {
    expect(await deployOf({ permit: { stepsHash: another } })).toEqual(['StepsHashMismatch']);
    expect(await launchOf({ permit: { stepsHash: another } })).toEqual(['StepsHashMismatch']);
    await afterDeploys(plan, async () => {
      const signed = await signV1(world, graph, { mode: sequential, permit: { stepsHash: another } });
      expect(await refusal(signed.register)).toEqual(['StepsHashMismatch']);
    });
  });

  it('is refused under a permit for another launch mode', async () => {
    expect(await launchOf({ mode: sequential })).toEqual(['WrongMode']);
    const whole = await signV1(world, graph);
    expect(await refusal(whole.deploys[0]!)).toEqual(['WrongMode']);
    expect(await refusal(whole.register)).toEqual(['WrongMode']);
    expect(await deployOf({ permit: { mode: 3 } })).toEqual(['WrongMode']);
  });

  it('is refused when another permit for the same graph already deployed its component', () =>
    afterDeploys(plan, async () => {
      const again = await signV1(world, { ...graph, nonce: 2n }, { mode: sequential });
      expect(await refusal(again.deploys[0]!)).toEqual(['ComponentDeployFailed', '']);
      expect(await refusal(again.register)).toEqual(['PlanIncomplete']);
      expect(await refusal(plan.register)).toEqual([]);
    }));

  it('is refused when its child is already deployed', async () => {
    const runtimeCodeHash = keccak256(await world.chain.code(world.poolManager));
    const call = { children: [{ ...child(), parentIndex: 0, account: world.poolManager, runtimeCodeHash }] };
    expect(await deployOf({ call })).toEqual(['ChildAlreadyDeployed']);
    expect(await launchOf({ call })).toEqual(['ChildAlreadyDeployed']);
  });

  it('is refused when its component or child gets other code than declared', async () => {
    expect(await deployOf({ call: withComponent(0, { runtimeCodeHash: another }) })).toEqual([
      'RuntimeCodeHashMismatch',
    ]);
    await inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph, {
        mode: sequential,
        call: { children: [{ ...child(), runtimeCodeHash: another }] },
      });
      for (const deploy of signed.deploys.slice(0, 2)) await world.chain.send(deploy);
      expect(await refusal(signed.deploys[2]!)).toEqual(['RuntimeCodeHashMismatch']);
    });
  });

  it('is refused with a salt of another controller', async () => {
    expect(await deployOf({ call: withComponent(0, { salt: freeSalt(world.stranger, 1n) }) })).toEqual([
      'SaltNotControllers',
    ]);
  });

  it('is refused when it leaves ether on the router', () =>
    inSnapshot(world.chain, async () => {
      const initCode = initCodeOf('GenerousInitializer', [world.poolManager, world.routerV1, 0, 60]);
      const signed = await signV1(world, graph, { mode: sequential, call: withComponent(0, { initCode }) });
      await world.chain.send({ from: world.stranger, to: signed.expected.components[0]!.account, value: 1n });
      const made = await world.chain
        .rpc<Hex>('eth_call', { ...signed.deploys[0], value: '0x0' }, 'latest')
        .catch((e) => {
          if (e instanceof RpcError && e.data !== undefined) return e.data;
          throw e;
        });
      // Its code is known only after its deployment, and its declaration is compared with it first.
      expect(refusalOf(made)).toEqual(['RuntimeCodeHashMismatch']);
      const actual = `0x${made.slice(-64)}` as Hex;
      expect(await deployOf({ call: withComponent(0, { initCode, runtimeCodeHash: actual }) })).toEqual([
        'NativeBalanceChanged',
      ]);
    }));
});

describe.each<['launch' | 'register']>([['launch'], ['register']])('The entry point %s', (entryPoint) => {
  /** Only the registration's components are deployed before, under their own permit. */
  const refused = async (options: SigningOptions): Promise<string[]> => {
    if (entryPoint === 'launch') return launchOf(options);
    const signed = await signV1(world, graph, { mode: sequential, ...options });
    return refusal(signed.register);
  };

  const changes: [string, () => Partial<LaunchCall>, string][] = [
    ['component role', () => withComponent(0, { roleMask: 7 }), 'GraphHashMismatch'],
    ['component salt', () => withComponent(0, { salt: pad('0x1') }), 'GraphHashMismatch'],
    ['creation code', () => withComponent(0, { initCode: `${component(0).initCode}00` }), 'GraphHashMismatch'],
    ['component code hash', () => withComponent(0, { runtimeCodeHash: another }), 'GraphHashMismatch'],
    ['child', () => ({ children: [{ ...child(), account: world.stranger }] }), 'GraphHashMismatch'],
    ['missing child', () => ({ children: [] }), 'GraphHashMismatch'],
    ['missing external', () => ({ externals: [] }), 'GraphHashMismatch'],
    ['pool key', () => ({ poolKey: { ...graph.poolKey, tickSpacing: 1 } }), 'PoolHashMismatch'],
    ['price', () => ({ sqrtPriceX96: graph.call.sqrtPriceX96 - 1n }), 'PoolHashMismatch'],
    ['liquidity', () => ({ liquidity: graph.call.liquidity - 1n }), 'CallHashMismatch'],
    ['native liquidity', () => ({ nativeLiquidityWei: 1n }), 'CallHashMismatch'],
    ['buy', () => ({ initialBuyWei: 1n }), 'CallHashMismatch'],
    ['minimum', () => ({ minimumTokensOut: 2n }), 'CallHashMismatch'],
  ];
  it.each(changes)('refuses another %s than the permitted one', async (_, change, error) => {
    expect(await refused({ sentCall: change() })).toEqual([error]);
  });

  it.each<[string, SigningOptions, string]>([
    ['a missing buy', { call: { initialBuyWei: 0n, minimumTokensOut: 0n } }, 'BuyMissing'],
    ['native liquidity', { call: { nativeLiquidityWei: 1n } }, 'NativeLiquidityNotZero'],
    ['a buy without a minimum', { call: { minimumTokensOut: 0n } }, 'BuyTermsIncomplete'],
    ['a minimum without a buy', { call: { initialBuyWei: 0n } }, 'BuyTermsIncomplete'],
    ['a value that is not the buy', { call: { initialBuyWei: 5n }, permit: { value: 4n } }, 'ValueNotFunding'],
  ])('refuses %s', async (_, options, error) => {
    expect(await refused(options)).toEqual([error]);
  });

  it.each<[string, number[], string]>([
    ['no token', [4, 0, 2], 'TokenRoleCount'],
    ['two tokens', [4, 1, 3], 'TokenRoleCount'],
    ['no hook', [4, 1, 0], 'HookRoleCount'],
    ['two hooks', [6, 1, 2], 'HookRoleCount'],
    ['a combined token and hook', [4, 0, 3], 'TokenIsHook'],
    ['no initializer', [0, 1, 2], 'InitializerRoleCount'],
    ['two initializers', [4, 5, 2], 'InitializerRoleCount'],
  ])('refuses %s', async (_, masks, error) => {
    const components = masks.map((roleMask, i) => ({ ...component(i), roleMask }));
    expect(await refused({ call: { components } })).toEqual([error]);
  });
});

describe('A pool key', () => {
  it.each<[string, () => Partial<Graph['poolKey']>, string]>([
    ['currency 0 that is not native', () => ({ currency0: world.stranger }), 'PoolCurrency0NotNative'],
    ['currency 1 that is not the token', () => ({ currency1: world.stranger }), 'PoolCurrency1NotToken'],
    ['hooks that are not the hook', () => ({ hooks: world.stranger }), 'PoolHooksNotHook'],
    ['an LP fee', () => ({ fee: 1 }), 'PoolFeeNotZero'],
  ])('is refused with %s', async (_, change, error) => {
    const call = { poolKey: { ...graph.poolKey, ...change() } };
    expect(await launchOf({ call })).toEqual([error]);
    const signed = await signV1(world, graph, { mode: sequential, call });
    await afterDeploys(signed, async () => expect(await refusal(signed.register)).toEqual([error]));
  });
});

describe('The router', () => {
  it('refuses a child or external without code', async () => {
    const empty = { account: world.stranger, runtimeCodeHash: keccak256('0x') };
    expect(await launchOf({ call: { children: [{ ...child(), ...empty }] } })).toEqual(['AccountWithoutCode']);
    expect(await launchOf({ call: { externals: [{ ...external(), ...empty }] } })).toEqual(['AccountWithoutCode']);
  });

  it('refuses a child of an absent component', async () => {
    const call = { children: [{ ...child(), parentIndex: 3 }] };
    expect(await launchOf({ call })).toEqual(['ParentIndexOutOfRange']);
    expect(await deployOf({ call })).toEqual(['ParentIndexOutOfRange']);
  });

  it('refuses an account that is listed twice, in one list or in two', async () => {
    expect(await launchOf({ call: { externals: [external(), external()] } })).toEqual(['AccountListedTwice']);
    expect(await launchOf({ call: { children: [child(), child()] } })).toEqual(['AccountListedTwice']);
    const vaultAgain = { roleMask: 0, account: child().account, runtimeCodeHash: child().runtimeCodeHash };
    expect(await launchOf({ call: { externals: [external(), vaultAgain] } })).toEqual(['AccountListedTwice']);
  });

  it('refuses an account whose code changed between its step and the registration', () =>
    afterDeploys(plan, async () => {
      await world.chain.rpc('anvil_setCode', graph.parts[0]!.account, '0x00');
      expect(await refusal(plan.register)).toEqual(['RuntimeCodeHashMismatch']);
    }));
});

describe('A constructor', () => {
  const extra = (initCode: Hex): SigningOptions => ({
    call: {
      components: [
        ...graph.call.components,
        { roleMask: 0, salt: freeSalt(world.controller, 99n), initCode, runtimeCodeHash: another },
      ],
    },
  });

  it('is refused when it enters the router again through any entry point', async () => {
    const { launch } = await signV1(world, { ...graph, nonce: 2n });
    for (const { data } of [launch, plan.deploys[0]!, plan.register]) {
      const initCode = initCodeOf('Reenter', [world.routerV1, data]);
      expect(await launchOf(extra(initCode))).toEqual(['ComponentDeployFailed', 'LaunchReentered']);
    }
  });

  it('is refused when it acts as PoolManager', async () => {
    const initCode = initCodeOf('Reenter', [world.routerV1, encodeCall(routerV1Name, 'unlockCallback', ['0x'])]);
    expect(await launchOf(extra(initCode))).toEqual(['ComponentDeployFailed', 'NotPoolManager']);
  });
});

describe('A launch', () => {
  it('is refused with fewer tokens than the minimum, and does not spend its permit', () =>
    inSnapshot(world.chain, async () => {
      const call = { minimumTokensOut: 2n ** 120n };
      expect(await launchOf({ call })).toEqual(['TooFewTokens']);
      const signed = await signV1(world, graph, { mode: sequential, call });
      await afterDeploys(signed, async () => {
        expect((await world.chain.submit(signed.register)).status).toBe('0x0');
        expect(await world.chain.read(world.routerV1, routerV1Name, 'nonceUsed', [world.controller, 1n])).toBe(false);
      });
    }));

  it('is refused with a buy larger than the pool', async () => {
    expect(await launchOf({ call: { initialBuyWei: parseEther('6000') } })).toEqual(['WrappedError', 'PartialFill']);
    const plain = await graphV1(world, { project: 'plain hook', initialBuyWei: parseEther('6000') });
    expect(await refusal((await signV1(world, plain)).launch)).toEqual(['BuyPartiallyFilled']);
  });

  it('is refused when its project leaves tokens on the router', async () => {
    const leaky = await graphV1(world, { project: 'leaky token' });
    expect(await refusal((await signV1(world, leaky)).launch)).toEqual(['TokenBalanceNotZero']);
  });
});

describe('The errors of router V1', () => {
  it('each occur in a test', () => {
    const suites = readdirSync(new URL('.', import.meta.url))
      .filter((name) => name.startsWith('router-v1'))
      .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
      .join('');
    // Those of the authorities' management are router V2's suite to see: it is the same contract.
    const shared = ['OwnerIsZero', 'AuthorityIsZero', 'AuthorityIntervalInvalid'];
    const declared = artifact(routerV1Name).abi.flatMap((entry) => (entry.type === 'error' ? [entry.name] : []));
    expect(declared.filter((error) => !shared.includes(error) && !suites.includes(`'${error}'`))).toEqual([]);
  });
});
