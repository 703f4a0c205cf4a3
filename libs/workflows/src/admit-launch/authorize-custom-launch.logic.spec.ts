import { describe, expect, it } from '@jest/globals';
import { customLaunchFinding } from '@launch/contracts/errors';
import type { UsdReferenceVerdict } from '@launch/contracts/orchestration';
import { admit, SIGNED, USABLE } from '../fixtures/admission.fixture.js';

const family = 'custom-launch.v4' as const;
const UNUSABLE: UsdReferenceVerdict = { kind: 'unusable', reason: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED' };
const STALE = { kind: 'usd-reference-stale' } as const;
const SIMULATED = ['simulate', 'record handoff'] as const;

describe('The permit of a custom launch', () => {
  it('is requested with a price reading made just before, and the hand-off names that reading', async () => {
    const { outcome, calls, askedToSign } = await admit({ family });
    expect(outcome).toBe('authorized');
    expect(calls.slice(calls.indexOf('gate'))).toEqual(['gate', 'read usd', 'sign', ...SIMULATED]);
    expect(askedToSign).toMatchObject([{ family, usdReferenceSha256: `sha256:${'d'.repeat(64)}` }]);
  });

  it('is requested without a reading when the launch has no buy', async () => {
    const { outcome, askedToSign } = await admit({ family, readings: [{ kind: 'none' }] });
    expect(outcome).toBe('authorized');
    expect(askedToSign[0]).not.toHaveProperty('usdReferenceSha256');
  });

  it('waits for the operator and the feeds, reports each wait once, and uses a price read after the gate opened', async () => {
    const { outcome, calls } = await admit({
      family,
      gates: [false, false],
      readings: [UNUSABLE, UNUSABLE, USABLE],
    });
    expect(outcome).toBe('authorized');
    expect(calls.slice(calls.indexOf('gate'))).toEqual([
      'gate',
      'record admitting AUTHORIZATION_CLOSED',
      'pause 10000',
      'gate',
      'pause 10000',
      'gate',
      'read usd',
      'record admitting CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
      'pause 10000',
      'gate',
      'read usd',
      'pause 10000',
      'gate',
      'read usd',
      'sign',
      ...SIMULATED,
    ]);
  });

  it('is requested again with a new reading when custody finds the reading too old', async () => {
    const { outcome, calls } = await admit({ family, readings: [USABLE, USABLE], sign: [STALE, SIGNED] });
    expect(outcome).toBe('authorized');
    expect(calls.slice(calls.indexOf('gate'))).toEqual([
      'gate',
      'read usd',
      'sign',
      'pause 10000',
      'gate',
      'read usd',
      'sign',
      ...SIMULATED,
    ]);
  });

  it('is refused below one US dollar without a call to custody', async () => {
    const findings = [customLaunchFinding('CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE', '/funding/initialBuyWei')];
    const { outcome, calls, recorded, signedFor } = await admit({ family, readings: [{ kind: 'below', findings }] });
    expect([outcome, recorded]).toEqual(['refused', [findings]]);
    expect(calls).not.toContain('sign');
    expect(signedFor).toMatchObject([{ family, codes: ['CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE'] }]);
  });

  it.each([
    ['the operator', { gates: [false, false, false] }, 'AUTHORIZATION_CLOSED'],
    ['the feeds', { readings: [UNUSABLE, UNUSABLE, UNUSABLE] }, 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED'],
  ])(
    'is refused when the window passes during the wait for %s, and the nonce is free',
    async (_who, script, actual) => {
      const { outcome, recorded, released, calls } = await admit({ family, ...script, windowOverAt: 2 });
      expect([outcome, released]).toEqual(['refused', [true]]);
      expect(recorded).toMatchObject([[{ code: 'PERMIT_EXPIRED', actual }]]);
      expect(calls).not.toContain('sign');
    },
  );

  it('is never shown when its gas exceeds the budget, and its nonce stays reserved', async () => {
    const findings = [customLaunchFinding('BUDGET_EXCEEDED', '/budgets/maxGasCostWei')];
    const { outcome, recorded, released, calls } = await admit({
      family,
      simulation: { kind: 'over-budget', findings },
    });
    expect([outcome, recorded, released]).toEqual(['refused', [findings], [false]]);
    expect(calls).not.toContain('record handoff');
  });
});
