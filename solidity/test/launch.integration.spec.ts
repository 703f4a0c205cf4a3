/** Whole launches: what is deployed, stamped and announced, in which order, and what stays behind. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, parseEther, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import { hashComponentProof, hashPoolKey, hashStamp, protocol } from './support/launch-hashes.js';
import { materialize, planLaunch } from './support/plan.js';
import type { Plan } from './support/plan.js';
import { eventsOf, inSnapshot, routerName, startTimeout, startWorld } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, startTimeout);
afterAll(() => world?.chain.close());

const getter = <T>(name: string, ...args: unknown[]) => world.chain.read<T>(world.router, routerName, name, args);

/** Every account of a launch with its scope, role and place, in stamping order. */
const accountsOf = (plan: Plan) => [
  ...plan.call.components.map((c, i) => ({
    account: plan.parts[i]!.account,
    roleMask: c.roleMask,
    codeHash: c.runtimeCodeHash,
    scope: 0,
    index: i,
  })),
  ...plan.call.children.map((c, i) => ({
    account: c.account,
    roleMask: c.roleMask,
    codeHash: c.runtimeCodeHash,
    scope: 1,
    index: i,
  })),
  ...plan.call.externals.map((e, i) => ({
    account: e.account,
    roleMask: e.roleMask,
    codeHash: e.runtimeCodeHash,
    scope: 2,
    index: i,
  })),
];

async function expectStamped(plan: Plan) {
  const { permit, launchId, token, hook, permitDigest } = plan;
  const poolId = hashPoolKey(plan.poolKey);
  expect((await getter<string[]>('launchStamp', launchId)).map((v) => v.toLowerCase())).toEqual(
    [permit.controller, token, hook, poolId, permitDigest].map((v) => v.toLowerCase()),
  );
  expect(await getter('stampProof', launchId)).toBe(hashStamp(launchId, permit));
  expect(await getter('launchIdByToken', token)).toBe(launchId);
  expect(await getter('launchIdByPool', poolId)).toBe(launchId);
  expect(await getter('permitUsed', permitDigest)).toBe(true);
  expect(await getter('nonceUsed', permit.controller, permit.nonce)).toBe(true);
  for (const { account, roleMask, codeHash, scope, index } of accountsOf(plan)) {
    expect(await getter('componentProof', launchId, account)).toBe(
      hashComponentProof(roleMask, codeHash, scope, index),
    );
    expect(await getter('launchIdByComponent', account)).toBe(scope === 2 ? `0x${'00'.repeat(32)}` : launchId);
    expect(keccak256(await world.chain.code(account))).toBe(codeHash);
  }
}

describe('The constants of the router', () => {
  it('name the protocol and the chain', async () => {
    expect(await getter('PROTOCOL')).toBe(protocol);
    expect(await getter('CHAIN_ID')).toBe(4663n);
  });
});

describe.each([
  ['combined token and hook', 'combined' as const],
  ['separate initializer, token and hook', 'separate' as const],
])('a launch of the %s project', (_, project) => {
  it('stamps everything in the protocol order and keeps nothing when it has a buy', () =>
    inSnapshot(world.chain, async () => {
      const plan = await planLaunch(world, { project, initialBuyWei: parseEther('1') });
      expect(await world.chain.balance(world.poolManager)).toBe(0n);
      const receipt = await world.chain.send(plan.tx);
      const events = eventsOf(receipt, routerName, world.router);
      const { permit, launchId } = plan;
      const accounts = accountsOf(plan);
      expect(events.map((e) => e.eventName)).toEqual([
        'MultiRolePermitConsumedV2',
        'MultiRoleRouteStampedV2',
        ...accounts.map(() => 'MultiRoleComponentStampedV2'),
        'MultiRoleLaunchStampedV2',
      ]);
      const args = JSON.parse(
        JSON.stringify(
          events.map((e) => e.args),
          (_key, v: unknown) => (typeof v === 'bigint' ? String(v) : v),
        ).toLowerCase(),
      ) as unknown[];
      const expected = [
        { permitDigest: plan.permitDigest, controller: permit.controller, nonce: '1' },
        {
          launchId,
          contextHash: permit.contextHash,
          requestHash: permit.requestHash,
          economicsHash: permit.economicsHash,
          instructionPolicyHash: permit.instructionPolicyHash,
        },
        ...accounts.map((a) => ({
          launchId,
          component: a.account,
          roleMask: a.roleMask,
          runtimeCodeHash: a.codeHash,
          scope: a.scope,
          resultIndex: a.index,
        })),
        {
          launchId,
          token: plan.token,
          hook: plan.hook,
          controller: permit.controller,
          poolId: hashPoolKey(plan.poolKey),
          graphHash: permit.graphHash,
        },
      ];
      expect(args).toEqual(JSON.parse(JSON.stringify(expected).toLowerCase()));
      await expectStamped(plan);

      const swap = eventsOf(receipt, 'PoolManager', world.poolManager).find((e) => e.eventName === 'Swap')!.args as {
        amount0: bigint;
        amount1: bigint;
      };
      expect(await world.chain.read(plan.token, 'Native20', 'balanceOf', [permit.controller])).toBe(swap.amount1);
      expect(await world.chain.balance(world.poolManager)).toBe(parseEther('1'));
      expect(await world.chain.balance(world.router)).toBe(0n);
      expect(await world.chain.read(plan.token, 'Native20', 'balanceOf', [world.router])).toBe(0n);
    }));

  it('moves no ether without a buy', () =>
    inSnapshot(world.chain, async () => {
      const plan = await planLaunch(world, { project });
      const receipt = await world.chain.send(plan.tx);
      await expectStamped(plan);
      expect(eventsOf(receipt, 'PoolManager', world.poolManager).map((e) => e.eventName)).toEqual([
        'Initialize',
        'ModifyLiquidity',
      ]);
      expect(await world.chain.balance(world.poolManager)).toBe(0n);
    }));
});

describe('the combined project', () => {
  it('has a fixed-supply 18-decimal token with a permit, all of it in the pool except for rounding', () =>
    inSnapshot(world.chain, async () => {
      const plan = await planLaunch(world, { name: 'Atlas' });
      await world.chain.send(plan.tx);
      const token = <T>(name: string, ...args: unknown[]) => world.chain.read<T>(plan.token, 'Native20', name, args);
      expect(await token('name')).toBe('Atlas');
      expect(await token('symbol')).toBe('PRF');
      expect(await token('decimals')).toBe(18);
      expect(await token('totalSupply')).toBe(10n ** 27n);
      expect(await token('nonces', world.controller)).toBe(0n);
      const [fields, name, version, chainId, verifyingContract] =
        await token<[Hex, string, string, bigint, Address]>('eip712Domain');
      expect([fields, name, version, chainId, verifyingContract.toLowerCase()]).toEqual([
        '0x0f',
        'Atlas',
        '1',
        4663n,
        plan.token,
      ]);
      const rest = await token<bigint>('balanceOf', plan.token);
      expect(rest).toBeLessThan(10n ** 10n);
      expect(await token('balanceOf', world.poolManager)).toBe(10n ** 27n - rest);
      expect(await token('poolId')).toBe(hashPoolKey(plan.poolKey));
    }));

  it('has exactly the runtime that was materialized before, including the vault', () =>
    inSnapshot(world.chain, async () => {
      const plan = await planLaunch(world);
      await world.chain.send(plan.tx);
      expect(await world.chain.code(plan.token)).toBe(plan.componentRuntimes[0]);
      expect(await world.chain.code(plan.vault)).toBe(plan.vaultRuntime);
    }));

  it('stores nothing in the materialized call', async () => {
    const plan = await planLaunch(world);
    const again = await materialize(world, world.router, plan.parts, [plan.vault]);
    expect(again.accounts).toEqual([plan.token]);
    expect(await world.chain.code(plan.token)).toBe('0x');
  });
});

describe('Forced ether', () => {
  it('stays on the router without locking it', () =>
    inSnapshot(world.chain, async () => {
      await world.chain.deploy(world.stranger, artifact('Forcer'), [world.router], 12_345n);
      expect(await world.chain.balance(world.router)).toBe(12_345n);
      for (const [nonce, initialBuyWei] of [
        [1n, parseEther('0.2')],
        [2n, 0n],
      ] as const) {
        await world.chain.send((await planLaunch(world, { nonce, name: `Forced ${nonce}`, initialBuyWei })).tx);
        expect(await world.chain.balance(world.router)).toBe(12_345n);
      }
    }));

  it('is refused by a plain transfer', async () => {
    expect(await world.chain.refusal({ from: world.stranger, to: world.router, value: 1n })).toEqual(['']);
  });
});

describe('the permit window', () => {
  it('includes its last second in a mined block', () =>
    inSnapshot(world.chain, async () => {
      const plan = await planLaunch(world);
      await world.chain.rpc('evm_setNextBlockTimestamp', toHex(plan.permit.deadline));
      await world.chain.send(plan.tx);
      expect(await world.chain.time()).toBe(plan.permit.deadline);
    }));

  it('excludes the next second in a mined block, and the nonce stays unused', () =>
    inSnapshot(world.chain, async () => {
      const plan = await planLaunch(world);
      await world.chain.rpc('evm_setNextBlockTimestamp', toHex(plan.permit.deadline + 1n));
      expect((await world.chain.submit(plan.tx)).status).toBe('0x0');
      expect(await world.chain.time()).toBe(plan.permit.deadline + 1n);
      expect(await getter('nonceUsed', world.controller, 1n)).toBe(false);
    }));
});
