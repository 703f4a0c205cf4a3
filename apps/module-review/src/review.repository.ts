import { codedErrors } from '@launch/contracts/errors';
import type { BuildInput, ReviewMove, ReviewSubject } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { nextReviewState, type ReviewState } from '@launch/contracts/states';
import { queryRows } from '@launch/platform';
import type { ModuleReviewDatabase } from '@launch/prisma-module-review';
import { COUNT_BY_STATE } from './review.sql.js';

/**
 * Reasons why a review did not move.
 * - `REVIEW_MISSING`: it has no row, because it was never opened.
 * - `REVIEW_MOVE_CONFLICT`: another move left that revision, or the state does not allow the trigger.
 * - `REVIEW_INPUT_UNREADABLE`: the blob of a digest is not such a document.
 * - `BUILD_RESULT_UNSIGNED`: the policy's builder did not sign this result.
 * - `DECISION_UNSIGNED`: no reviewer of the policy signed this outcome.
 */
export class ReviewError extends codedErrors('ReviewError', {
  REVIEW_MISSING: false,
  REVIEW_MOVE_CONFLICT: false,
  REVIEW_INPUT_UNREADABLE: false,
  BUILD_RESULT_UNSIGNED: false,
  DECISION_UNSIGNED: false,
}) {}

/** A recorded step. */
export type StepRow = Awaited<ReturnType<ModuleReviewDatabase['reviewStep']['findMany']>>[number];
export type ReviewRow = Awaited<ReturnType<ModuleReviewDatabase['review']['findMany']>>[number];

export interface RecordedReview {
  readonly review: ReviewRow;
  /** In the order of their revisions, from 1. */
  readonly steps: readonly StepRow[];
}

/** The reviews of one state. */
export interface ReviewsInState {
  readonly state: ReviewState;
  readonly count: number;
  /** The time when the oldest review entered the state. */
  readonly oldest: Date;
}

export interface ReviewRepository {
  /** Inserts the row of a submission, or returns the existing one. */
  open(subject: ReviewSubject): Promise<RecordedReview>;
  /** @throws ReviewError `REVIEW_MISSING`. */
  find(submissionId: string): Promise<RecordedReview>;
  /** Returns null for a review that was never opened. */
  findOpened(submissionId: string): Promise<RecordedReview | null>;
  /**
   * Moves by compare-and-set: only one move leaves a revision, and repeating it changes nothing.
   * @returns the current review.
   * @throws ReviewError
   */
  move(move: ReviewMove): Promise<RecordedReview>;
  /** Counts all reviews by their state. */
  countByState(): Promise<readonly ReviewsInState[]>;
  /** Returns findings of the latest builds of other submissions, newest first. */
  earlierFindings(submissionId: string): Promise<BuildInput['earlier']>;
}

/** The number of earlier builds that a new one is compared with. */
const COMPARED = 256;

export function createReviewRepository(database: ModuleReviewDatabase): ReviewRepository {
  async function findOpened(submissionId: string): Promise<RecordedReview | null> {
    const found = await database.review.findUnique({
      where: { submissionId },
      include: { steps: { orderBy: { revision: 'asc' } } },
    });
    if (found === null) return null;
    const { steps, ...review } = found;
    return { review, steps };
  }

  async function find(submissionId: string): Promise<RecordedReview> {
    const found = await findOpened(submissionId);
    if (found === null) throw new ReviewError('REVIEW_MISSING', `REVIEW_MISSING ${submissionId}`);
    return found;
  }

  return {
    find,
    findOpened,
    async open({ createdAt, ...subject }) {
      await database.review.createMany({
        data: [{ ...subject, createdAt: new Date(createdAt) }],
        skipDuplicates: true,
      });
      return find(subject.submissionId);
    },
    async move(move) {
      const { submissionId, revision } = move;
      const before = await find(submissionId);
      if (before.steps.length === revision) {
        const state = nextReviewState((before.steps.at(-1)?.state ?? 'awaiting_plan') as ReviewState, move.trigger);
        if (state !== null) await insertOnce(database, move, state);
      }
      const after = await find(submissionId);
      if (!isStepOf(after.steps[revision], move)) {
        throw new ReviewError(
          'REVIEW_MOVE_CONFLICT',
          `REVIEW_MOVE_CONFLICT ${submissionId}: ${move.trigger} from revision ${revision}`,
        );
      }
      return after;
    },
    countByState: () => queryRows(database, COUNT_BY_STATE),
    async earlierFindings(submissionId) {
      const rows = await database.reviewStep.findMany({
        where: { trigger: 'build_succeeded', submissionId: { not: submissionId } },
        orderBy: [{ at: 'desc' }, { submissionId: 'asc' }],
        take: COMPARED,
        select: { submissionId: true, build: true },
      });
      return rows.map((row) => ({
        submissionId: row.submissionId,
        findingsSha256: (row.build as { readonly findingsSha256: Sha256Digest }).findingsSha256,
      }));
    },
  };
}

/** Prisma's code for a duplicate key, a revision that is not the next, and a decision that was used. */
const UNIQUE_VIOLATION = 'P2002';

/** Ignores a lost race, because the caller reads the winning step afterwards. */
async function insertOnce(database: ModuleReviewDatabase, move: ReviewMove, state: ReviewState): Promise<void> {
  const { submissionId, trigger, attempt, planSha256, failure, build, decisionSha256 } = move;
  const row = {
    submissionId,
    revision: move.revision + 1,
    trigger,
    state,
    attempt,
    planSha256,
    failureCode: failure?.code ?? null,
    failurePlace: failure?.place ?? null,
    ...(build === null ? {} : { build }),
    decisionSha256,
  };
  try {
    await database.reviewStep.create({ data: row });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
  }
}

const isStepOf = (step: StepRow | undefined, move: ReviewMove): boolean =>
  step !== undefined &&
  step.trigger === move.trigger &&
  step.attempt === move.attempt &&
  step.planSha256 === move.planSha256 &&
  step.failureCode === (move.failure?.code ?? null) &&
  step.decisionSha256 === move.decisionSha256 &&
  (step.build as { readonly signature?: unknown } | null)?.signature === move.build?.signature;
