import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLL_PACE, planPoll } from './poll-plan.js';

const NOW = 1_800_000_000_000;
const since = (seconds: number): number => NOW - seconds * 1_000;

describe('the wait before the next poll', () => {
  it.each([
    ['just submitted', 'submitted', since(0), null, false, 1_000],
    ['an included launch without data, an eighth of the wait so far', 'included', since(80), null, false, 10_000],
    ['at most the upper bound', 'posted', since(86_400), null, false, 60_000],
    ['short for a launcher who has not sent yet', 'pending', since(86_400), null, false, 10_000],
    ['short if a launcher may have just sent', 'pending', since(0), null, false, 250],
    ['longer, the longer a launcher takes', 'pending', since(16), null, false, 2_000],
    ['far from the expected end', 'posted', since(0), 400_000, false, 50_000],
    ['near the expected end', 'posted', since(390), 400_000, false, 1_250],
    ['past the expected end', 'posted', since(480), 400_000, false, 60_000],
    ['short after no statement', 'posted', since(8), 400_000, true, 1_000],
  ] as const)('is within its planned bounds: %s', (_what, stage, from, length, indeterminate, expected) => {
    expect(planPoll(stage, from, NOW, length, indeterminate)).toBe(expected);
  });

  it('stays within its bounds for any clock', () => {
    for (const from of [NOW + 5_000, since(0), since(1e7)]) {
      for (const length of [null, 0, 1, 1e9]) {
        const nextPollMs = planPoll('posted', from, NOW, length, false);
        expect(nextPollMs).toBeGreaterThanOrEqual(DEFAULT_POLL_PACE.minMs);
        expect(nextPollMs).toBeLessThanOrEqual(DEFAULT_POLL_PACE.maxMs);
      }
    }
  });
});
