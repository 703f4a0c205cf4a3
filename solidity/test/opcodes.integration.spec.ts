/** The code that a launch leaves on chain holds no instruction that either policy forbids. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { size } from 'viem';
import type { Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import { fullScan, reachableScan } from './support/opcodes.js';
import { planLaunch } from './support/plan.js';
import { startTimeout, startWorld } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
const runtimes = new Map<string, Hex>();
beforeAll(async () => {
  world = await startWorld();
  const combined = await planLaunch(world);
  runtimes.set('Native20', combined.componentRuntimes[0]!).set('FeeVault', combined.vaultRuntime);
  const separate = await planLaunch(world, { project: 'separate' });
  ['SeparateInitializer', 'SeparateToken', 'SeparateHook'].forEach((name, i) =>
    runtimes.set(name, separate.componentRuntimes[i]!),
  );
}, startTimeout);
afterAll(() => world?.chain.close());

describe.each(['Native20', 'FeeVault', 'SeparateInitializer', 'SeparateToken', 'SeparateHook'])(
  'the materialized runtime of %s',
  (name) => {
    it('differs from the compiled one in its immutables only', () => {
      const { runtimeCode, immutables } = artifact(name);
      const masked = Buffer.from(runtimes.get(name)!.slice(2), 'hex');
      for (const { offsets } of immutables) for (const offset of offsets) masked.fill(0, offset, offset + 32);
      expect(`0x${masked.toString('hex')}`).toBe(runtimeCode);
    });

    it('has no SELFDESTRUCT, CALLCODE or DELEGATECALL anywhere', () => {
      expect(fullScan(runtimes.get(name)!)).toEqual([]);
    });

    it('reaches none of these, nor CREATE or CREATE2', () => {
      expect(reachableScan(runtimes.get(name)!)).toEqual([]);
    });

    it('does not use another bytecode mode', () => {
      expect(runtimes.get(name)!.startsWith('0xef')).toBe(false);
    });

    it("fits Ethereum's limits, as does its creation code", () => {
      expect(size(runtimes.get(name)!)).toBeLessThanOrEqual(24_576);
      expect(size(artifact(name).creationCode)).toBeLessThanOrEqual(49_152);
    });
  },
);

describe('The scans', () => {
  it("find the hook's constructor, which creates the vault, and the router, which creates components", () => {
    expect(reachableScan(artifact('Native20').creationCode).map((f) => f.opcode)).toContain('CREATE');
    expect(reachableScan(artifact('MultiRoleLaunchStampRouterV2').runtimeCode).map((f) => f.opcode)).toContain(
      'CREATE2',
    );
    expect(fullScan(artifact('Forcer').creationCode).map((f) => f.opcode)).toContain('SELFDESTRUCT');
  });

  it.each<[Hex, number, number]>([
    ['0x00ff', 1, 0],
    ['0x5bff', 1, 1],
    ['0x60ff', 0, 0],
    ['0x61ff', 0, 0],
    ['0xfe5bff', 1, 1],
    ['0xfeff', 1, 0],
    ['0x57ff', 1, 1],
    ['0x56ff', 1, 0],
    ['0x0cff', 1, 1],
    ['0x605bff', 1, 1],
    ['0x56605bff', 1, 0],
    ['0xf0', 0, 1],
    ['0xf5', 0, 1],
  ])('count in %s %d forbidden instructions in full and %d reachable ones', (code, full, reachable) => {
    expect([fullScan(code).length, reachableScan(code).length]).toEqual([full, reachable]);
  });
});
