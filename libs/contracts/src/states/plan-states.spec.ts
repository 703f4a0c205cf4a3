import { describe, expect, it } from '@jest/globals';
import {
  isIncluded,
  nextStepStatus,
  PLAN_STATUSES,
  planStatusOf,
  STEP_STATUSES,
  STEP_TRIGGERS,
  SUPERSEDABLE_STATUSES,
  type StepStatus,
  type StepTrigger,
} from './plan-states.js';

const SHORT: Readonly<Record<string, StepStatus>> = {
  block: 'blocked',
  await: 'awaiting_signature',
  proof: 'proof_received',
  incl: 'included',
  posted: 'ethereum_posted',
  final: 'finalized',
  revert: 'reverted',
  expire: 'expired',
};

/** Every trigger in every status, written by hand; `.` keeps the status. Columns as `STEP_STATUSES`. */
const GRID = `
                  blocked await  proof  incl   posted final  revert expire
offered           await   .      .      .      .      .      .      .
predecessor_gone  .       block  block  .      .      .      .      .
proof_named       .       proof  .      .      .      .      .      .
proof_refuted     .       .      await  .      .      .      .      .
inclusion_agreed  incl    incl   incl   .      .      .      .      .
inclusion_gone    .       .      .      proof  proof  .      .      .
posting_agreed    posted  posted posted posted .      .      .      .
posting_gone      .       .      .      .      incl   .      .      .
finality_proven   final   final  final  final  final  .      .      .
revert_finalized  revert  revert revert revert revert .      .      .
window_passed     expire  expire expire .      .      .      .      .
`
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/));

describe('a step', () => {
  it('is moved by every trigger', () => {
    expect(GRID.map(([trigger]) => trigger)).toEqual([...STEP_TRIGGERS]);
  });

  it.each(
    GRID.flatMap(([trigger, ...cells]) =>
      cells.map((cell, index) => [STEP_STATUSES[index]!, trigger as StepTrigger, cell] as const),
    ),
  )('has, in status %s and after %s, the outcome %s', (status, trigger, cell) => {
    expect(nextStepStatus(status, trigger)).toBe(cell === '.' ? status : SHORT[cell]);
  });

  it('allows the offer of the next step from its inclusion on, unless a reorganisation removes it', () => {
    expect(STEP_STATUSES.filter(isIncluded)).toEqual(['included', 'ethereum_posted', 'finalized']);
    expect(isIncluded(nextStepStatus('ethereum_posted', 'inclusion_gone'))).toBe(false);
  });
});

describe('a plan', () => {
  it.each<[StepStatus[], string]>([
    [['awaiting_signature', 'blocked'], 'awaiting_wallet'],
    [['proof_received', 'blocked'], 'in_progress'],
    [['included', 'awaiting_signature'], 'in_progress'],
    [['finalized', 'blocked'], 'in_progress'],
    [['included', 'included'], 'finalizing'],
    [['finalized', 'ethereum_posted'], 'finalizing'],
    [['finalized', 'finalized'], 'finalized'],
    [['finalized', 'expired'], 'expired'],
    [['included', 'reverted'], 'failed'],
    [['expired', 'reverted'], 'failed'],
  ])('A plan whose steps are %j is %s.', (steps, status) => {
    expect(planStatusOf(steps)).toBe(status);
  });

  it('moves back with a step that a reorganisation moves back', () => {
    const steps: StepStatus[] = ['included', 'included'];
    expect(planStatusOf([steps[0]!, nextStepStatus(steps[1]!, 'inclusion_gone')])).toBe('in_progress');
  });

  it('can be superseded only when it ended below finality', () => {
    expect(PLAN_STATUSES.filter((status) => (SUPERSEDABLE_STATUSES as readonly string[]).includes(status))).toEqual([
      'action_required',
      'failed',
      'expired',
    ]);
  });
});
