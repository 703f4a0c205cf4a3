import { describe, expect, it } from '@jest/globals';
import type { BuildVerdict, ReviewMove, ReviewRecord, ReviewSubject } from '@launch/contracts/orchestration';
import { nextReviewState } from '@launch/contracts/states';
import { BUILDER_PAUSES, Review, type ReviewWork } from './review-submission.logic.js';

const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const SUBJECT: ReviewSubject = {
  submissionId: '6a3a0b5e-6d0f-4c43-9a4e-2f6f1f0a7b11',
  requestDigest: digest('1'),
  packageId: `0x${'2'.repeat(64)}`,
  author: `0x${'3'.repeat(40)}`,
  supersedes: null,
  createdAt: '2026-11-23T00:00:00.000Z',
};
const FAILED: BuildVerdict = { status: 'failed', code: 'COMPILER_ERROR', place: 'a.sol' };

const REPLACED = { code: 'PLAN_MISMATCH', place: '/reviewerPolicyDigest' } as const;
const BUILT: BuildVerdict = {
  status: 'built',
  artifactSha256: digest('a'),
  hostManifestSha256: digest('b'),
  toolchainSha256: digest('c'),
  logsSha256: digest('d'),
  findingsSha256: digest('e'),
  signature: 'ab'.repeat(64),
};

/** A review in the state that a run finds, with scripted services. */
function reviewAt(
  found: Pick<ReviewRecord, 'state'> & Partial<ReviewRecord>,
  parts: {
    readonly builds?: readonly (BuildVerdict | null)[];
    readonly strangers?: number;
    readonly isLong?: boolean;
    /** Whether the policy was replaced after the plan was attached. */
    readonly isReplaced?: boolean;
  },
) {
  let record: ReviewRecord = {
    revision: 0,
    attempt: 0,
    losses: 0,
    planSha256: digest('4'),
    findingsSha256: null,
    statusSha256: digest('5'),
    ...found,
  };
  const moves: string[] = [];
  const pauses: number[] = [];
  let [asked, built] = [0, 0];
  const work: ReviewWork = {
    openReview: async () => record,
    judgePlan: async () => null,
    judgePlanAgain: async () => (parts.isReplaced === true ? REPLACED : null),
    judgeDecision: async () => null,
    prepareBuild: async (input) => ({
      input: { ...input, earlier: [] },
      question: { reviewerPolicyDigest: digest('6'), nonce: `0x${'7'.repeat(64)}` },
    }),
    checkBuild: async () => parts.isReplaced !== true,
    async moveReview({ trigger, attempt, revision, failure }: ReviewMove) {
      const state = nextReviewState(record.state, trigger)!;
      moves.push(failure === REPLACED ? `${trigger} ${failure.place}` : trigger);
      record = { ...record, state, attempt, revision: revision + 1, losses: record.losses + 1 };
      return record;
    },
    askBuilder: async () => (asked++ >= (parts.strangers ?? 0) ? null : 'BUILD_POLICY_MISMATCH'),
    released: async () => undefined,
    build: async () => parts.builds?.[built++] ?? null,
    show: async () => undefined,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    isHistoryLong: () => parts.isLong === true,
    until: async (holds) => {
      if (!holds()) throw new Error('waits for a reviewer');
    },
  };
  const review = new Review(SUBJECT, work, (code) => new Error(code));
  return { run: () => review.run(), moves, pauses };
}

describe('The review of a submission', () => {
  it('asks for a builder of its policy at growing intervals of up to a quarter of an hour', async () => {
    const { run, pauses } = reviewAt({ state: 'queued' }, { strangers: 8, builds: [FAILED] });
    await expect(run()).rejects.toThrow('waits for a reviewer');
    expect(pauses).toEqual([...BUILDER_PAUSES, 900_000, 900_000, 900_000]);
  });

  it('continues in a new run when its history is long, whether it waits for a builder or for a reviewer', async () => {
    for (const state of ['queued', 'awaiting_plan', 'built', 'build_failed'] as const) {
      const { run, moves } = reviewAt({ state }, { isLong: true, strangers: 1 });
      expect([state, await run(), moves]).toEqual([state, 'continue', []]);
    }
  });

  it('ends immediately if it already ended, independent of the length of its history', async () => {
    for (const state of ['accepted', 'changes_requested', 'rejected'] as const)
      expect(await reviewAt({ state }, { isLong: true }).run()).toBe(state);
  });

  it('counts a lost builder when its run was lost during a build', async () => {
    const second = reviewAt({ state: 'running', attempt: 1, losses: 0 }, { isLong: true, builds: [FAILED] });
    expect([await second.run(), second.moves]).toEqual(['continue', ['builder_lost', 'build_started', 'build_failed']]);
    const third = reviewAt({ state: 'running', attempt: 3, losses: 2 }, { isLong: true });
    expect([await third.run(), third.moves]).toEqual(['continue', ['job_abandoned']]);
  });

  it('waits for another plan when its policy is replaced during a build, without counting a lost builder', async () => {
    for (const builds of [[BUILT], [null]]) {
      const { run, moves } = reviewAt({ state: 'queued', losses: 2 }, { isLong: true, isReplaced: true, builds });
      expect([await run(), moves]).toEqual(['continue', ['build_started', 'build_failed /reviewerPolicyDigest']]);
    }
    const lost = reviewAt({ state: 'running', attempt: 3, losses: 2 }, { isLong: true, isReplaced: true });
    expect([await lost.run(), lost.moves]).toEqual(['continue', ['build_failed /reviewerPolicyDigest']]);
  });
});
