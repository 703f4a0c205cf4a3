import { describe, expect, it } from '@jest/globals';
import { NEXT_ACTIONS, nextActionOf, nextReviewState, REVIEW_STATES, REVIEW_TRIGGERS } from './review-states.js';

/** Every state with every trigger that moves it (docs/reference/modules.md#review-states). */
const MOVES: Readonly<Record<string, string>> = {
  'awaiting_plan plan_attached': 'queued',
  'awaiting_plan request_changes': 'changes_requested',
  'awaiting_plan reject': 'rejected',
  'queued build_started': 'running',
  'running builder_lost': 'queued',
  'running job_abandoned': 'build_failed',
  'running build_succeeded': 'built',
  'running build_failed': 'build_failed',
  'built accept': 'accepted',
  'built request_changes': 'changes_requested',
  'built reject': 'rejected',
  'build_failed plan_attached': 'queued',
  'build_failed request_changes': 'changes_requested',
  'build_failed reject': 'rejected',
};

describe('The states of a review', () => {
  const grid = REVIEW_STATES.flatMap((state) => REVIEW_TRIGGERS.map((trigger) => [state, trigger] as const));

  it.each(grid)('include the expected successor of %s under %s', (state, trigger) => {
    expect(nextReviewState(state, trigger)).toBe(MOVES[`${state} ${trigger}`] ?? null);
  });

  it('have a next action for the contributor', () => {
    expect(REVIEW_STATES.map((state) => [state, nextActionOf(state)])).toEqual([
      ['awaiting_plan', 'await_review_plan'],
      ['queued', 'await_build'],
      ['running', 'await_build'],
      ['built', 'await_reviewer_decision'],
      ['build_failed', 'await_review_plan'],
      ['changes_requested', 'submit_new_version'],
      ['rejected', 'review_rejection'],
      ['accepted', 'await_registry_admission'],
    ]);
    expect(new Set(REVIEW_STATES.map(nextActionOf))).toEqual(new Set(NEXT_ACTIONS));
  });
});
