import { describe, expect, it } from '@jest/globals';
import { nicenessOf } from './niceness.rules.js';

describe('the niceness of a compilation', () => {
  it.each([
    [0, 0],
    [499, 0],
    [500, 3],
    [999, 3],
    [1_000, 6],
    [1_999, 6],
    [2_000, 10],
    [3_999, 10],
    [4_000, 15],
    [120_000, 15],
  ])('is, after %i ms of processor time, %i', (usedMs, niceness) => {
    expect(nicenessOf(usedMs, 0)).toBe(niceness);
  });

  it('gives a large input a lower priority at its start than one of the usual size', () => {
    expect(nicenessOf(0, 64 * 1_024)).toBe(0);
    expect(nicenessOf(0, 220 * 1_024)).toBe(3);
    expect(nicenessOf(0, 520 * 1_024)).toBe(10);
    expect(nicenessOf(0, 16 * 1_024 * 1_024)).toBe(15);
  });

  it('never falls while a request uses processor time, because an unprivileged process cannot raise its priority', () => {
    const path = Array.from({ length: 1_200 }, (_, index) => nicenessOf(index * 100, 200_000));
    expect(path).toEqual([...path].sort((a, b) => a - b));
  });
});
