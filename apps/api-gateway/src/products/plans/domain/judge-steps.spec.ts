import { describe, expect, it } from '@jest/globals';
import type { ObservedStage } from '@launch/contracts/orchestration';
import type { StepStatus } from '@launch/contracts/states';
import { stepPoll } from '../../../fixtures/signed-results.fixture.js';
import { judgeSteps, type ReportedStep, type StoredStep } from './judge-steps.js';

const SIMULATION = { blockNumber: '9', blockHash: `0x${'9'.repeat(64)}`, gasUsed: '21000' } as const;
const stored = (stepId: string, status: StepStatus, more: Partial<StoredStep> = {}): StoredStep => ({
  stepId,
  dependsOn: stepId === 'first' ? [] : ['first'],
  status,
  polls: 0,
  sequence: 0n,
  offered: false,
  ...more,
});
const reported = (
  stepId: string,
  status: StepStatus,
  observed: readonly [ObservedStage, number] | null = null,
  simulation: ReportedStep['simulation'] = null,
): ReportedStep => ({ stepId, status, simulation, poll: observed === null ? null : stepPoll(...observed) });
const statusesOf = (before: readonly StoredStep[], sequence: number, ...steps: readonly ReportedStep[]) => {
  const judged = judgeSteps(before, sequence, steps);
  return judged.kind === 'refused' ? judged.reason : judged.steps.map(({ stepId, status }) => [stepId, status]);
};

describe('A reported step', () => {
  it.each([
    ['included', 'included'],
    ['posted', 'ethereum_posted'],
    ['finalized', 'finalized'],
    ['reverted_finalized', 'reverted'],
    ['expired', 'expired'],
  ] as const)('has the status of its poll at stage %s, whatever is reported', (stage, status) => {
    expect(statusesOf([stored('first', 'blocked')], 1, reported('first', 'blocked', [stage, 1]))).toEqual([
      ['first', status],
    ]);
  });

  it.each(['included', 'ethereum_posted', 'finalized', 'reverted', 'expired'] as const)(
    'is refused as %s without a poll that says so',
    (status) => {
      for (const poll of [null, ['pending', 3] as const, ['submitted', 3] as const])
        expect(statusesOf([stored('first', 'blocked')], 1, reported('first', status, poll))).toBe('unsigned');
    },
  );

  it('asks the wallet only with a simulation, or after it was offered', () => {
    const asking = reported('first', 'awaiting_signature', ['pending', 1]);
    expect(statusesOf([stored('first', 'blocked')], 1, asking)).toBe('unsigned');
    const accepted = [['first', 'awaiting_signature']];
    expect(statusesOf([stored('first', 'blocked')], 1, { ...asking, simulation: SIMULATION })).toEqual(accepted);
    expect(statusesOf([stored('first', 'blocked', { offered: true })], 1, asking)).toEqual(accepted);
  });

  it('ends without a poll only if a step that it needs has ended badly', () => {
    const end = reported('second', 'expired');
    expect(statusesOf([stored('first', 'included'), stored('second', 'blocked')], 1, end)).toBe('unsigned');
    expect(statusesOf([stored('first', 'reverted'), stored('second', 'blocked')], 1, end)).toEqual([
      ['second', 'expired'],
    ]);
    const together = [reported('first', 'expired', ['expired', 4]), end];
    expect(statusesOf([stored('first', 'blocked'), stored('second', 'blocked')], 1, ...together)).toEqual([
      ['first', 'expired'],
      ['second', 'expired'],
    ]);
  });

  it('leaves the chain without a poll only if a step that it needs has left it', () => {
    const back = reported('second', 'blocked');
    const included = stored('second', 'included', { polls: 5, offered: true });
    expect(statusesOf([stored('first', 'included'), included], 1, back)).toBe('unsigned');
    const gone = reported('first', 'proof_received', ['pending', 9]);
    const first = stored('first', 'included', { polls: 8, offered: true });
    expect(statusesOf([first, included], 1, gone, back)).toEqual([
      ['first', 'proof_received'],
      ['second', 'blocked'],
    ]);
  });

  it('never replaces a newer poll, a newer write under the same poll, or an end', () => {
    const before = [stored('first', 'included', { polls: 5, sequence: 50n, offered: true })];
    expect(statusesOf(before, 60, reported('first', 'blocked', ['pending', 4]))).toBe('outdated');
    expect(statusesOf(before, 50, reported('first', 'included', ['included', 5]))).toEqual([]);
    expect(statusesOf(before, 1, reported('first', 'included', ['included', 6]))).toEqual([['first', 'included']]);
    const ended = [stored('first', 'finalized', { polls: 5 })];
    expect(statusesOf(ended, 60, reported('first', 'blocked', ['pending', 9]))).toEqual([]);
  });

  it('that is outdated does not keep the others from being stored', () => {
    const before = [stored('first', 'included', { polls: 5 }), stored('second', 'blocked')];
    const steps = [reported('first', 'blocked', ['pending', 4]), reported('second', 'included', ['included', 1])];
    expect(statusesOf(before, 1, ...steps)).toEqual([['second', 'included']]);
  });
});
