import { beforeEach, expect, it } from '@jest/globals';
import { MACHINE_CONTRACT_DIGESTS } from '@launch/contracts/custom-launch';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import { canonicalJsonText, parseStrictJson } from '@launch/contracts/json';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { createLogger } from '@launch/platform';
import { readFileSync } from 'node:fs';
import { readMachineContracts, type MachineContracts } from './machine-contracts.js';
import type { ReviewedRouter } from '../context/router-review.js';
import { LiveCustomLaunchRelease } from './custom-launch-release.js';

const FILE = new URL('../../../../../libs/launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const context = customLaunchContextSchema.parse(
  (parseStrictJson(readFileSync(FILE)) as { readonly context: unknown }).context,
);
const { instructionPolicy } = context.profile;
const REVIEWED: ReviewedRouter = {
  policyId: instructionPolicy.id,
  policyHash: instructionPolicy.policyHash,
  router: context.chainDeployment.router.address,
  runtimeCodeHash: context.chainDeployment.router.runtimeCodeHash,
};

/** The reasons that the chain reports at the next checks. */
let found: readonly string[] | Error;
let kept: (readonly [string, string])[];
beforeEach(() => {
  found = [];
  kept = [];
});

const release = (
  changes: { readonly reviewedRouters?: readonly ReviewedRouter[]; readonly machineContracts?: MachineContracts } = {},
) =>
  new LiveCustomLaunchRelease({
    context,
    chain: {
      readinessReasons: async () => {
        if (found instanceof Error) throw found;
        return found;
      },
    },
    reviewedRouters: [REVIEWED],
    machineContracts: readMachineContracts(),
    releases: { keep: async (hash, document) => void kept.push([hash, document]) },
    clock: { now: () => 0 },
    logger: createLogger({ service: 'test', level: 'silent' }),
    ...changes,
  });

/** Checks exactly once. */
async function check(one: LiveCustomLaunchRelease) {
  await one.start();
  one.stop();
  return one.state();
}

it('A release binds a context whose router, feeds and machine contract are as pinned, and stores it.', async () => {
  const one = release();
  expect(one.state().reasonCodes).toEqual(['CONTEXT_NOT_CHECKED_YET']);
  const state = await check(one);
  expect(state).toEqual({
    bound: {
      profile: '4.1.0',
      contextHash: canonicalKeccak(context),
      context,
      platformFeeRecipient: context.chainBindings.platformFeeRecipient,
      recipes: ['native20-seed@1'],
      openApi: { path: '/v4/openapi.json', sha256: MACHINE_CONTRACT_DIGESTS['4.1'] },
    },
    reasonCodes: [],
  });
  expect(one.state()).toBe(state);
  expect(one.context()).toBe(context);
  expect(kept).toEqual([[canonicalKeccak(context), canonicalJsonText(context)]]);
});

it('A release reports reasons against a context, also after it passed, and keeps its state while the observers are indeterminate.', async () => {
  const one = release();
  await check(one);
  for (const [next, reasonCodes] of [
    [['OBSERVERS_INDETERMINATE'], []],
    [new Error('no answer'), []],
    [['PRICE_FEED_CODE_MISMATCH'], ['PRICE_FEED_CODE_MISMATCH']],
    [['OBSERVERS_INDETERMINATE'], ['OBSERVERS_INDETERMINATE']],
    [[], []],
  ] as const) {
    found = next;
    expect((await check(one)).reasonCodes).toEqual(reasonCodes);
  }
});

it.each([
  ['an unreviewed router', { reviewedRouters: [] }, 'ROUTER_UNREVIEWED'],
  [
    'a machine contract of other bytes',
    { machineContracts: { ...readMachineContracts(), '4.1': readMachineContracts()['4.0'] } },
    'MACHINE_CONTRACT_MISMATCH',
  ],
])('A release is not ready with %s.', async (_what, changes, reason) => {
  expect((await check(release(changes))).reasonCodes).toEqual([reason]);
  expect(kept).toEqual([]);
});
