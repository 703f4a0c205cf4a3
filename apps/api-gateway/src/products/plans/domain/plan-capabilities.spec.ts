import { expect, it } from '@jest/globals';
import { PLAN_OPERATIONS } from '@launch/contracts/plans';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { planCapabilities, type PlanState } from './plan-capabilities.js';

const OPEN = { publicWrites: true, publicAuthorization: true, releaseReady: true };
const NOBODY_AWAY = Object.fromEntries(
  PLAN_OPERATIONS.map((name) => [name, []]),
) as unknown as PlanState['workersAway'];

const refusedUnder = (profile: string, hasPrice = true) => {
  const release = { ...RELEASE_EXAMPLE, bound: { ...RELEASE_EXAMPLE.bound!, profile } };
  const { operations, modes } = planCapabilities({
    reading: { gates: OPEN, reasonCodes: [], release },
    serves: () => true,
    hasPrice,
    workersAway: NOBODY_AWAY,
    compileBudgetSeconds: 120,
  });
  expect([modes.sequential, modes.atomic]).toEqual([operations.create, operations.create]);
  return PLAN_OPERATIONS.flatMap((name) => operations[name].reasonCodes.map((code) => `${name} ${code}`));
};

it('Capabilities name a published profile without plans, under which stored plans and preflights still work.', () => {
  expect(refusedUnder('4.1.0')).toEqual([]);
  expect(refusedUnder('4.0.0')).toEqual(['create PROFILE_NOT_CURRENT']);
});

it('Capabilities report a preflight as unavailable without a price, for which a created plan waits.', () => {
  expect(refusedUnder('4.1.0', false)).toEqual(['preflight CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED']);
  // Requests of the earlier profile have no initial buy.
  expect(refusedUnder('4.0.0', false)).toEqual(['create PROFILE_NOT_CURRENT']);
});
