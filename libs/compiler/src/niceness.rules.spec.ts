import { describe, expect, it } from '@jest/globals';
import { nicenessOf } from './niceness.rules.js';

describe('the niceness of a compilation', () => {
  it.each([
    [0, 0],
    [1_999, 0],
    [2_000, 5],
    [3_999, 5],
    [4_000, 15],
    [120_000, 15],
  ])('After %i ms of processor time it is %i.', (usedMs, niceness) => {
    expect(nicenessOf(usedMs)).toBe(niceness);
  });

  it('It never falls while a request uses processor time, because an unprivileged process cannot raise its priority.', () => {
    const path = Array.from({ length: 1_200 }, (_, index) => nicenessOf(index * 100));
    expect(path).toEqual([...path].sort((a, b) => a - b));
  });
});
