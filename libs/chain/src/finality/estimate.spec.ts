import { describe, expect, it } from '@jest/globals';
import type { L2Inclusion } from '@launch/contracts/launch';
import { ENOUGH_MEASUREMENTS, estimateNextStage, p90, timedStage } from './estimate.js';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const at = (ms: number): string => new Date(ms).toISOString();
const measured = (length: number, count = ENOUGH_MEASUREMENTS): number[] => Array.from({ length: count }, () => length);
const included = (receiptStatus: 'success' | 'reverted'): L2Inclusion => ({
  blockNumber: '1',
  blockHash: '0x',
  transactionIndex: 0,
  transactionHash: '0x',
  receiptStatus,
  logsSha256: 'sha256:',
  observers: [],
});

describe('the expected time of the next stage', () => {
  it.each([
    ['the measured length', measured(5 * MINUTE), 2 * MINUTE, NOW + 3 * MINUTE, 'rolling-p90'],
    [
      'the configured length, while there are too few measurements',
      measured(5 * MINUTE, ENOUGH_MEASUREMENTS - 1),
      2 * MINUTE,
      NOW + 13 * MINUTE,
      'configured-expectation',
    ],
    ['the configured length, while there are no measurements', [], 0, NOW + 15 * MINUTE, 'configured-expectation'],
    [
      'the configured length, once the measured one has passed',
      measured(5 * MINUTE),
      6 * MINUTE,
      NOW + 9 * MINUTE,
      'configured-expectation',
    ],
    [
      'the measured length, if it exceeds the configured one',
      measured(60 * MINUTE),
      20 * MINUTE,
      NOW + 40 * MINUTE,
      'rolling-p90',
    ],
    ['no time, once both have passed', measured(5 * MINUTE), 16 * MINUTE, null, 'overdue'],
    ['no time, at the exact end', [], 15 * MINUTE, null, 'overdue'],
  ])('is by %s', (_what, measuredMs, waited, expected, basis) => {
    expect(estimateNextStage({ measuredMs, configuredMs: 15 * MINUTE }, NOW - waited, NOW)).toEqual({
      estimatedNextStageAt: expected === null ? null : at(expected),
      basis,
    });
  });

  it('is never in the past and never moves to an earlier time', () => {
    for (const measuredMs of [[], measured(5 * MINUTE), measured(40 * MINUTE)]) {
      let last = 0;
      for (let now = NOW; now < NOW + 90 * MINUTE; now += 7_000) {
        const { estimatedNextStageAt } = estimateNextStage({ measuredMs, configuredMs: 15 * MINUTE }, NOW, now);
        const time = estimatedNextStageAt === null ? Number.POSITIVE_INFINITY : Date.parse(estimatedNextStageAt);
        expect(time).toBeGreaterThan(now);
        expect(time).toBeGreaterThanOrEqual(last);
        last = time;
      }
    }
  });

  it('does not change after an outage that prolonged one or two stages', () => {
    const outage = 7 * 60 * MINUTE;
    const lengths = [...measured(5 * MINUTE, ENOUGH_MEASUREMENTS - 2), outage, outage];
    expect(estimateNextStage({ measuredMs: lengths, configuredMs: 15 * MINUTE }, NOW, NOW)).toEqual({
      estimatedNextStageAt: at(NOW + 5 * MINUTE),
      basis: 'rolling-p90',
    });
  });

  it.each([
    ['pending', null, null],
    ['submitted', null, 'submitted'],
    ['submitted', included('reverted'), null],
    ['included', included('success'), 'included'],
    ['posted', included('success'), 'posted'],
    ['finalized', included('success'), null],
    ['reverted_finalized', included('reverted'), null],
    ['expired', null, null],
  ] as const)('The expected time of %s depends only on the chains.', (stage, inclusion, expected) => {
    expect(timedStage({ stage, inclusion })).toBe(expected);
  });
});

describe('the 90th percentile', () => {
  it.each([
    [[], null],
    [[7], 7],
    [[10, 1, 9, 2, 8, 3, 7, 4, 6, 5], 9],
    [[1, 100], 100],
  ])('The 90th percentile of %j is %j.', (durations, expected) => {
    expect(p90(durations)).toBe(expected);
  });
});
