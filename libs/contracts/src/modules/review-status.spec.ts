import { describe, expect, it } from '@jest/globals';
import type { Sha256Digest } from '../primitives/scalars.schema.js';
import { BUILD_FAILURE_CODES } from './build-profile.js';
import { REVIEW_TRIGGERS, nextReviewState, type ReviewState, type ReviewTrigger } from '../states/review-states.js';
import { moduleReviewStatusSchema, type ModuleReviewStatus } from './review-status.schema.js';
import { reviewStatusOf, type ReviewStep } from './review-status.js';

const digest = (digit: string): Sha256Digest => `sha256:${digit.repeat(64)}`;
const at = (minute: number): string => `2026-11-23T00:${String(minute).padStart(2, '0')}:00.000Z`;
const SUBMISSION = {
  submissionId: '6a3a0b5e-6d0f-4c43-9a4e-2f6f1f0a7b11',
  packageId: `0x${'1'.repeat(64)}`,
  requestDigest: digest('2'),
  createdAt: at(0),
} as const;
const BUILD: NonNullable<ModuleReviewStatus['build']> = {
  artifactDigest: digest('3'),
  hostManifestDigest: digest('4'),
  toolchainDigest: digest('5'),
  logsSha256: digest('6'),
};
const decisionOf = (outcome: 'accept' | 'request_changes' | 'reject'): NonNullable<ModuleReviewStatus['decision']> => ({
  outcome,
  reason: 'Read.',
  reviewerWallet: `0x${'7'.repeat(40)}`,
  decidedAt: at(30),
  digest: `0x${'8'.repeat(64)}`,
  artifactDigest: null,
  hostManifestDigest: null,
});
const FAILURE = { code: 'COMPILER_ERROR', place: 'ParserError 6275 at a.sol:0-1' } as const;

/** Returns the steps of these triggers, a minute apart, each with its details. */
const stepsOf = (...triggers: ReviewTrigger[]): ReviewStep[] => {
  let attempt = 0;
  return triggers.map((trigger, index) => {
    if (trigger === 'build_started') attempt += 1;
    const decides = trigger === 'accept' || trigger === 'request_changes' || trigger === 'reject';
    return {
      trigger,
      attempt,
      at: at(index + 1),
      failure: trigger === 'build_failed' ? FAILURE : null,
      build: trigger === 'build_succeeded' ? BUILD : null,
      decision: decides ? decisionOf(trigger) : null,
    };
  });
};
const statusOf = (...triggers: ReviewTrigger[]): ModuleReviewStatus => reviewStatusOf(SUBMISSION, stepsOf(...triggers));

describe('The status of a review', () => {
  it('waits for a plan when the draft is new', () => {
    const status = statusOf();
    expect(status.review).toMatchObject({ state: 'awaiting_plan', revision: 0, attempt: 0, updatedAt: at(0) });
    expect([status.lastError, status.build, status.decision]).toEqual([null, null, null]);
  });

  it('has the evidence of an accepted module, which is neither approved nor available', () => {
    const status = statusOf(
      'plan_attached',
      'build_started',
      'builder_lost',
      'build_started',
      'build_succeeded',
      'accept',
    );
    expect(status).toMatchObject({
      review: {
        state: 'accepted',
        nextAction: 'await_registry_admission',
        revision: 6,
        attempt: 2,
        queuedAt: at(3),
        startedAt: at(4),
        builtAt: at(5),
        decidedAt: at(6),
      },
      build: BUILD,
      buildEvidenceRecorded: true,
      lastError: null,
      approved: false,
      available: false,
    });
  });

  it('shows the reason and place of a failed build until the next plan', () => {
    const failed: ReviewTrigger[] = ['plan_attached', 'build_started', 'build_failed'];
    expect(statusOf(...failed).lastError).toEqual({
      code: 'COMPILER_ERROR',
      message: 'the compiler refuses the sources: ParserError 6275 at a.sol:0-1',
      at: at(3),
    });
    expect(statusOf(...failed, 'plan_attached')).toMatchObject({
      lastError: null,
      review: { state: 'queued', attempt: 1, startedAt: null },
    });
  });

  it('has a text for every failure, within the bound of its schema', () => {
    for (const code of BUILD_FAILURE_CODES) {
      const [queued, started] = stepsOf('plan_attached', 'build_started');
      const step: ReviewStep = { ...started!, trigger: 'build_failed', failure: { code, place: 'x'.repeat(2_000) } };
      moduleReviewStatusSchema.parse(reviewStatusOf(SUBMISSION, [queued!, started!, step]));
    }
  });

  it('matches its schema after every path of up to seven steps, and accepts no other step', () => {
    const walk = (triggers: ReviewTrigger[], state: ReviewState): number => {
      const status = moduleReviewStatusSchema.parse(statusOf(...triggers));
      expect(status.review.state).toBe(state);
      let ways = 1;
      for (const trigger of REVIEW_TRIGGERS) {
        const next = nextReviewState(state, trigger);
        if (next === null) expect(() => statusOf(...triggers, trigger)).toThrow(RangeError);
        else if (triggers.length < 7) ways += walk([...triggers, trigger], next);
      }
      return ways;
    };
    expect(walk([], 'awaiting_plan')).toBeGreaterThan(50);
  });
});
