import { describe, expect, it } from '@jest/globals';
import { ensureDecided, nonceStateOf, windowSeconds } from './arrival.js';

const WALLET = `0x${'1'.repeat(40)}` as const;
const ROUTER = `0x${'2'.repeat(40)}` as const;
const IN_STEP = { kind: 'in-step', seconds: [10, 11, 12] } as const;
const unusable = { kind: 'unusable', reason: 'away' } as const;
const skewed = { kind: 'skewed', reason: 'far' } as const;

describe('The times that may fail a window', () => {
  it.each([
    ['all clocks while they are in step', IN_STEP, [10, 11, 12]],
    ["the server's clock alone while the chain's are unknown", unusable, [7]],
    ["none while the server's clock is in doubt", skewed, []],
  ] as const)('are %s', (_, clocks, seconds) => {
    expect(windowSeconds(clocks, 7_999)).toEqual(seconds);
  });
});

describe('A nonce', () => {
  it.each([
    [true, null, 'in-use'],
    [true, false, 'in-use'],
    [false, true, 'in-use'],
    [false, false, 'free'],
    [false, null, 'unknown'],
  ] as const)('that the rows report as %s and the router as %s is %s', async (isReserved, isUsed, state) => {
    const launches = { isNonceReserved: async () => isReserved };
    const chain = { nonceUsed: async () => isUsed };
    expect(await nonceStateOf({ launches, chain }, ROUTER, { launchWallet: WALLET, nonce: '3' })).toBe(state);
  });
});

describe('A request without a fault', () => {
  it.each([
    ['the clocks are unusable', unusable, 'free', 2],
    ['the clocks are skewed', skewed, 'in-use', 2],
    ['the observers disagree on its nonce', IN_STEP, 'unknown', 2],
  ] as const)('is refused with 503 while %s', (_, clocks, nonce, retryAfterSeconds) => {
    expect(() => ensureDecided(clocks, nonce)).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds }),
    );
  });

  it('is decided by clocks in step and a known nonce', () => {
    expect(() => ensureDecided(IN_STEP, 'in-use')).not.toThrow();
  });
});
