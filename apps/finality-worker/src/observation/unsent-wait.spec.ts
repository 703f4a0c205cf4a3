import { describe, expect, it } from '@jest/globals';
import { unsentWait } from './unsent-wait.js';

const NOW = 1_900_000_000_000;
const minutes = (count: number): number => count * 60_000;

describe('The wait for a launch under a watch', () => {
  it.each([
    ['is long while its window is open', minutes(30), null, 5_000, 300_000],
    ['ends with its window', minutes(2), null, 5_000, minutes(2)],
    ['is never shorter than planned', 100, null, 5_000, 5_000],
    ['is a fraction of finality’s delay once its window is over', -minutes(2), minutes(-10), 5_000, minutes(2)],
    ['is as planned once finality has passed the window', -minutes(2), minutes(-2), 5_000, 5_000],
    ['is as planned while the finalized block is unknown', -minutes(2), null, 5_000, 5_000],
    ['has a bound for any delay of finality', -minutes(2), minutes(-600), 5_000, 300_000],
  ])('%s', (_what, deadline, finalized, planned, expected) => {
    expect(unsentWait(planned, NOW + deadline, finalized === null ? null : NOW + finalized, NOW)).toBe(expected);
  });
});
