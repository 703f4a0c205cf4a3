import { createHash, randomUUID } from 'node:crypto';
import { WorkflowNotFoundError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  reviewWorkflowId,
  type DecisionUpdate,
  type PlanUpdate,
  type REVIEW_UPDATES,
  type ReviewAnswer,
} from '@launch/contracts/orchestration';

/** Identifies the updates of running reviews. */
export const RUNNING_REVIEWS = Symbol('ReviewUpdates');

/** The longest wait for the result of a change. A client that repeats the change gets its result. */
const PATIENCE_MS = 20_000;

export type ReviewChange =
  | { readonly name: typeof REVIEW_UPDATES.attachPlan; readonly input: PlanUpdate }
  | { readonly name: typeof REVIEW_UPDATES.decide; readonly input: DecisionUpdate }
  | { readonly name: typeof REVIEW_UPDATES.requeue; readonly input: { readonly revision: number } };

/**
 * The result of a change.
 * - `rejected`: nothing was written; the code is one of `REVIEW_REJECTIONS`, or that of a step that is currently
 * impossible.
 * - `ended`: no review accepts changes under this id, because it ended or was never started.
 */
export type ChangeOutcome =
  | ReviewAnswer
  | { readonly kind: 'rejected'; readonly code: string }
  | { readonly kind: 'ended' };

/** Sends updates to a running review. */
export interface ReviewUpdates {
  /** @throws any failure of Temporal or of the review to answer in time. */
  change(submissionId: string, change: ReviewChange): Promise<ChangeOutcome>;
}

/**
 * Returns the id of a change: the same change of the same revision is the same update, and the same plan of a later
 * revision is another one. The revision is part of the input, and digests identify the blobs of the body.
 */
export const updateIdOf = ({ name, input }: ReviewChange): string =>
  createHash('sha256')
    .update(canonicalizeJson([name, { ...input }]))
    .digest('hex');

/** Rejections that are temporary. Temporal keeps an update's answer under its id, so a repetition uses another id. */
const PASSING: ReadonlySet<string> = new Set([
  'MODULE_REVIEW_JOB_UNAVAILABLE',
  'PLAN_MISMATCH',
  'REVIEW_POLICY_STALE',
  'STEP_ABANDONED',
]);

export function createReviewUpdates(client: Client, patienceMs = PATIENCE_MS): ReviewUpdates {
  async function ask(submissionId: string, { name, input }: ReviewChange, updateId: string): Promise<ChangeOutcome> {
    const handle = client.workflow.getHandle(reviewWorkflowId(submissionId));
    try {
      return await handle.executeUpdate<ReviewAnswer, [typeof input]>(name, { args: [input], updateId });
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure)
        return { kind: 'rejected', code: error.cause.type ?? '' };
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    // The change that ended the review is still known by its id.
    try {
      return await handle.getUpdateHandle<ReviewAnswer>(updateId).result();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { kind: 'ended' };
      throw error;
    }
  }
  return {
    change: (submissionId, change) =>
      client.withDeadline(Date.now() + patienceMs, async () => {
        const updateId = updateIdOf(change);
        const answer = await ask(submissionId, change, updateId);
        return (answer.kind === 'refused' || answer.kind === 'rejected') && PASSING.has(answer.code)
          ? ask(submissionId, change, `${updateId}/${randomUUID()}`)
          : answer;
      }),
  };
}
