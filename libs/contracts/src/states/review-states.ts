/** States of a module's review (docs/reference/modules.md#review-states). */
export const REVIEW_STATES = [
  'awaiting_plan',
  'queued',
  'running',
  'built',
  'build_failed',
  'changes_requested',
  'rejected',
  'accepted',
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const NEXT_ACTIONS = [
  'await_review_plan',
  'await_build',
  'await_reviewer_decision',
  'submit_new_version',
  'review_rejection',
  'await_registry_admission',
] as const;
export type NextAction = (typeof NEXT_ACTIONS)[number];

const NEXT: Readonly<Record<ReviewState, NextAction>> = {
  awaiting_plan: 'await_review_plan',
  queued: 'await_build',
  running: 'await_build',
  built: 'await_reviewer_decision',
  build_failed: 'await_review_plan',
  changes_requested: 'submit_new_version',
  rejected: 'review_rejection',
  accepted: 'await_registry_admission',
};

/** The contributor's next action in each state. */
export const nextActionOf = (state: ReviewState): NextAction => NEXT[state];

/** Triggers that move a review. */
export const REVIEW_TRIGGERS = [
  'plan_attached',
  'build_started',
  'builder_lost',
  'job_abandoned',
  'build_succeeded',
  'build_failed',
  'accept',
  'request_changes',
  'reject',
] as const;
export type ReviewTrigger = (typeof REVIEW_TRIGGERS)[number];

const MOVES: Readonly<Record<ReviewState, Partial<Readonly<Record<ReviewTrigger, ReviewState>>>>> = {
  awaiting_plan: { plan_attached: 'queued', request_changes: 'changes_requested', reject: 'rejected' },
  queued: { build_started: 'running' },
  running: {
    builder_lost: 'queued',
    job_abandoned: 'build_failed',
    build_succeeded: 'built',
    build_failed: 'build_failed',
  },
  built: { accept: 'accepted', request_changes: 'changes_requested', reject: 'rejected' },
  build_failed: { plan_attached: 'queued', request_changes: 'changes_requested', reject: 'rejected' },
  changes_requested: {},
  rejected: {},
  accepted: {},
};

/** Returns whether a review is at its end. */
export const isReviewEnd = (state: ReviewState): boolean => Object.keys(MOVES[state]).length === 0;

/**
 * Returns the state that a trigger leads to, or null if it does not apply. Each transition increases the revision by
 * one.
 */
export const nextReviewState = (state: ReviewState, trigger: ReviewTrigger): ReviewState | null =>
  MOVES[state][trigger] ?? null;
