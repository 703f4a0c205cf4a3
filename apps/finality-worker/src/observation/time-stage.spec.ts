import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { describe, expect, it } from '@jest/globals';
import { timeStage } from './time-stage.js';

const START = 1_800_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HASH: Hex = `0x${'7'.repeat(64)}`;

/** Polls one launch at given times, in milliseconds from the start; returns the recorded lengths. */
function lengths(
  polls: readonly (readonly [
    at: number,
    stage: ObservedStage,
    more?: { status?: 'indeterminate'; hash?: Hex; reverted?: true },
  ])[],
) {
  const kept: [ObservedStage, number][] = [];
  let before: ObservationMemory | null = null;
  for (const [at, stage, more = {}] of polls) {
    const now = START + at;
    const memory: ObservationMemory = {
      stage,
      transactionHash: stage === 'pending' ? null : (more.hash ?? HASH),
      posting: null,
      checkpoint: null,
      polls: 1,
      inclusion: more.reverted
        ? {
            blockNumber: '1',
            blockHash: HASH,
            transactionIndex: 0,
            transactionHash: HASH,
            receiptStatus: 'reverted',
            logsSha256: `sha256:${'0'.repeat(64)}`,
            observers: [],
          }
        : null,
      stageSince: before?.stage === stage ? before.stageSince : new Date(now).toISOString(),
    };
    const timed = timeStage(before, { memory, status: more.status ?? 'agreed', reason: null }, now);
    if (timed.lengthMs !== null && before !== null) kept.push([before.stage, timed.lengthMs]);
    before = timed.memory;
  }
  return kept;
}

describe('A stage observed from start to end', () => {
  it('is measured separately', () => {
    expect(
      lengths([
        [0, 'pending'],
        [5 * SECOND, 'submitted'],
        [7 * SECOND, 'included'],
        [60 * SECOND, 'included'],
        [70 * SECOND, 'posted'],
        [8 * MINUTE, 'posted'],
        [9 * MINUTE, 'finalized'],
      ]),
    ).toEqual([
      ['submitted', 2 * SECOND],
      ['included', 63 * SECOND],
      ['posted', 9 * MINUTE - 70 * SECOND],
    ]);
  });

  it('is measured despite a short gap in the observers’ statements', () => {
    expect(
      lengths([
        [0, 'pending'],
        [SECOND, 'included'],
        [100 * SECOND, 'included'],
        [110 * SECOND, 'included', { status: 'indeterminate' }],
        [120 * SECOND, 'posted'],
      ]),
    ).toEqual([['included', 119 * SECOND]]);
  });
});

describe('The length', () => {
  it.each([
    [
      'of a stage that ended during an outage',
      [
        [0, 'pending'],
        [SECOND, 'included'],
        [60 * SECOND, 'included'],
        [120 * MINUTE, 'posted'],
      ],
    ],
    [
      'of a stage that ended while the observers disagreed',
      [
        [0, 'pending'],
        [SECOND, 'included'],
        [60 * SECOND, 'included'],
        [30 * MINUTE, 'included', { status: 'indeterminate' }],
        [60 * MINUTE, 'included', { status: 'indeterminate' }],
        [61 * MINUTE, 'posted'],
      ],
    ],
    [
      'of a stage that began before the first poll',
      [
        [0, 'included'],
        [10 * SECOND, 'posted'],
      ],
    ],
    [
      'of a stage that began during an outage',
      [
        [0, 'pending'],
        [60 * MINUTE, 'included'],
        [60 * MINUTE + 10 * SECOND, 'posted'],
      ],
    ],
    [
      'of a skipped stage',
      [
        [0, 'pending'],
        [SECOND, 'submitted'],
        [2 * SECOND, 'posted'],
      ],
    ],
    [
      'of a stage that fell',
      [
        [0, 'pending'],
        [SECOND, 'included'],
        [2 * SECOND, 'submitted'],
      ],
    ],
    [
      'of another transaction',
      [
        [0, 'pending'],
        [SECOND, 'submitted'],
        [2 * SECOND, 'included', { hash: `0x${'8'.repeat(64)}` }],
      ],
    ],
    [
      'of a reverted transaction',
      [
        [0, 'pending'],
        [SECOND, 'submitted', { reverted: true }],
        [2 * SECOND, 'included'],
      ],
    ],
    [
      'of a clock that was set back',
      [
        [0, 'pending'],
        [60 * SECOND, 'included'],
        [SECOND, 'posted'],
      ],
    ],
  ] as const)('%s is never recorded', (_what, polls) => {
    expect(lengths(polls)).toEqual([]);
  });
});
