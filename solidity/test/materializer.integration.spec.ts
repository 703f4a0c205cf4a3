/** The materializer answers with what the router would deploy, and names the part that cannot be. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256 } from 'viem';
import type { Address, Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import { RpcError } from './support/chain.js';
import type { Transaction } from './support/chain.js';
import { create2, freeSalt, initCodeOf, materialize, planLaunch } from './support/plan.js';
import type { Plan } from './support/plan.js';
import { refusalArguments, refusalOf } from './support/refusals.js';
import { encodeCall, startTimeout, startWorld } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
let plan: Plan;
beforeAll(async () => {
  world = await startWorld();
  plan = await planLaunch(world);
}, startTimeout);
afterAll(() => world?.chain.close());

/** Error names and the outermost error's arguments of a materialization that must fail. */
async function failure(salts: Hex[], initCodes: Hex[], children: Address[]) {
  const tx: Transaction = {
    from: world.router,
    to: world.router,
    data: encodeCall('Materializer', 'materialize', [salts, initCodes, children]),
  };
  try {
    await world.chain.call(tx, { state: { [world.router]: { code: artifact('Materializer').runtimeCode } } });
  } catch (error) {
    if (error instanceof RpcError && error.data)
      return { names: refusalOf(error.data), args: refusalArguments(error.data) as unknown[] };
    throw error;
  }
  throw new Error('the materialization succeeded');
}

const salt = (number: bigint) => freeSalt(world.controller, number);

describe('the materializer', () => {
  it('gives a later component the address of an earlier one', async () => {
    const { parts, vault } = await planLaunch(world, { project: 'separate' });
    const { accounts, componentRuntimes, childRuntimes } = await materialize(world, world.router, parts, [vault]);
    expect(accounts).toEqual(parts.map((part) => part.account));
    expect(componentRuntimes).toHaveLength(3);
    expect(childRuntimes).toHaveLength(1);
  });

  it('runs constructors with the router as sender and the real clock', async () => {
    // Returns CALLER as the runtime.
    const { componentRuntimes } = await materialize(
      world,
      world.router,
      [{ salt: salt(1n), initCode: '0x3360005260206000f3' }],
      [],
    );
    expect(componentRuntimes).toEqual([`0x${world.router.slice(2).padStart(64, '0')}`]);
  });

  it('returns an empty result for an empty list', async () => {
    expect(await materialize(world, world.router, [], [])).toEqual({
      accounts: [],
      componentRuntimes: [],
      childRuntimes: [],
    });
  });

  it('refuses lists of different lengths', async () => {
    expect(await failure([salt(1n)], [], [])).toEqual({ names: ['LengthsDiffer'], args: [1n, 0n] });
  });

  it('names the component whose constructor reverts, with its reason', async () => {
    const reverting = initCodeOf('Reenter', [world.poolManager, encodeCall('PoolManager', 'settle')]);
    const { names, args } = await failure([plan.parts[0]!.salt, salt(2n)], [plan.parts[0]!.initCode, reverting], []);
    expect(names).toEqual(['ComponentCreationFailed', 'ManagerLocked']);
    expect(args[0]).toBe(1n);
  });

  it('names the component that is deployed twice', async () => {
    const { salt: same, initCode } = plan.parts[0]!;
    expect(await failure([same, same], [initCode, initCode], [])).toEqual({
      names: ['ComponentCreationFailed', ''],
      args: [1n, '0x'],
    });
  });

  it('names a component without code', async () => {
    const account = create2(world.router, salt(3n), '0x00');
    const { names, args } = await failure([salt(3n)], ['0x00'], []);
    expect([names, args.map((value) => String(value).toLowerCase())]).toEqual([
      ['ComponentWithoutCode'],
      ['0', account],
    ]);
  });

  it('names a child that is not created, and one that already existed', async () => {
    const part = plan.parts[0]!;
    const missing = await failure([part.salt], [part.initCode], [plan.vault, world.stranger]);
    expect([missing.names, missing.args[0]]).toEqual([['ChildWithoutCode'], 1n]);
    const standing = await failure([part.salt], [part.initCode], [plan.vault, world.poolManager]);
    expect([standing.names, standing.args[0]]).toEqual([['ChildAlreadyExists'], 1n]);
  });

  it('agrees with the hashes that a launch declares', () => {
    expect(plan.call.components[0]!.runtimeCodeHash).toBe(keccak256(plan.componentRuntimes[0]!));
  });
});
