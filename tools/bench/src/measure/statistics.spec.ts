import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { testSeed } from '@launch/testing';
import { median, percentile, rounded, spread } from './statistics.js';

const oneToTen = [7, 1, 10, 3, 9, 2, 8, 4, 6, 5];

describe('The statistics', () => {
  it.each([
    [50, 5],
    [90, 9],
    [95, 10],
    [100, 10],
    [10, 1],
    [0.1, 1],
    [51, 6],
  ])('give as percentile %d of one to ten %d', (percent, expected) => {
    expect(percentile(oneToTen, percent)).toBe(expected);
  });

  it.each<[readonly number[], number]>([
    [[3], 3],
    [[1, 2], 1.5],
    [[9, 1, 5], 5],
    [oneToTen, 5.5],
  ])('give as median of %j %d', (samples, expected) => {
    expect(median(samples)).toBe(expected);
  });

  it('leave the samples unchanged', () => {
    const samples = [3, 1, 2];
    median(samples);
    percentile(samples, 95);
    expect(samples).toEqual([3, 1, 2]);
  });

  it.each([
    () => median([]),
    () => percentile([], 50),
    () => spread([]),
    () => percentile([1], 0),
    () => percentile([1], 101),
    () => median([1, Number.NaN]),
  ])('refuse samples that give no number in %s', (call) => {
    expect(call).toThrow(RangeError);
  });

  it('measure noise against the median', () => {
    expect(spread([90, 100, 150])).toBeCloseTo(0.5);
    expect(spread([5, 5, 5])).toBe(0);
    expect(spread([0, 0])).toBe(0);
  });

  it('round to four significant digits', () => {
    expect([123_456, 0.00123456, 0].map(rounded)).toEqual([123_500, 0.001235, 0]);
  });

  it('return as a percentile a sample that grows with the percent and bounds its share of the samples', () => {
    const samples = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 60 });
    const percent = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(samples, percent, percent, (all, a, b) => {
        const value = percentile(all, a);
        expect(all).toContain(value);
        expect(all.filter((sample) => sample <= value).length / all.length).toBeGreaterThanOrEqual(a / 100);
        if (a <= b) expect(value).toBeLessThanOrEqual(percentile(all, b));
      }),
      { seed: testSeed('statistics') },
    );
  });
});
