import { expect, it } from '@jest/globals';
import { CUSTOM_LAUNCH_PROFILE_4_0 } from '@launch/contracts/launch';
import { parseStrictJson } from '@launch/contracts/json';
import { planDigest, planRequestSchema } from '@launch/contracts/plans';
import { customLaunchConfig, customLaunchContext } from '../fixtures/custom-launch.fixture.js';
import { inventoryMaterial } from '../fixtures/inventory.fixture.js';
import { packPlan } from './pack-plan.js';

const context = customLaunchContext();
const predecessor = { planId: '6a1b2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3', planDigest: `sha256:${'1'.repeat(64)}` } as const;

it.each([
  ['sequential', null, ['deploy-initializer', 'deploy-token', 'deploy-hook', 'register']],
  ['atomic', predecessor, ['atomic-launch']],
] as const)('packs a config as %s plan, and names its steps', async (mode, before, stepIds) => {
  const pack = () => packPlan(customLaunchConfig(context), context, inventoryMaterial(), { mode, predecessor: before });
  const { bytes, report } = await pack();
  const plan = planRequestSchema.parse(parseStrictJson(bytes));
  expect(plan).toMatchObject({ mode, predecessor: before });
  expect(report).toMatchObject({ requestSha256: planDigest(plan), mode, byteLength: bytes.length });
  expect([...report.stepIds].sort()).toEqual([...stepIds].sort());
  expect(report.idempotencyKey).toBe(`plan-v1-${report.requestSha256.slice(7)}`);
  expect((await pack()).bytes).toEqual(bytes);
});

it('packs no plan under profile 4.0, which has no plans', async () => {
  const earlier = customLaunchContext(CUSTOM_LAUNCH_PROFILE_4_0);
  const packing = packPlan(customLaunchConfig(earlier), earlier, inventoryMaterial(), {
    mode: 'atomic',
    predecessor: null,
  });
  await expect(packing).rejects.toMatchObject({ findings: [{ path: '/contextHash' }] });
});
