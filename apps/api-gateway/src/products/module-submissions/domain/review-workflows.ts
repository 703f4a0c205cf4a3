import type { Client } from '@temporalio/client';
import { MODULES_PATH } from '@launch/contracts/modules';
import { reviewWorkflowId, TASK_QUEUES, WORKFLOW_TYPES, type ReviewSubject } from '@launch/contracts/orchestration';
import { startOnce } from '@launch/temporal';

/** Names the workflows of reviews. */
export const REVIEW_WORKFLOWS = Symbol('ReviewWorkflows');

/** The gateway's calls to Temporal for reviews. Workflows are started by name: the gateway contains no workflow code. */
export interface ReviewWorkflows {
  /** Starts a review unless it runs or has completed. */
  startReview(subject: ReviewSubject): Promise<void>;
}

/** @param publicOrigin where clients reach this gateway; null when not configured. */
export const createReviewWorkflows = (client: Client, publicOrigin: string | null): ReviewWorkflows => ({
  async startReview(subject) {
    const { submissionId, author, packageId, requestDigest, supersedes } = subject;
    const record = `${MODULES_PATH}/submissions/${submissionId}/review`;
    await startOnce(client, {
      workflowType: WORKFLOW_TYPES.reviewSubmission,
      workflowId: reviewWorkflowId(submissionId),
      taskQueue: TASK_QUEUES.moduleReview,
      args: [subject],
      staticSummary: `Review module ${submissionId}`,
      staticDetails: [
        'Takes a module draft from its build plan over the build to a signed decision.',
        [
          `- Submission \`${submissionId}\`, its status: ${publicOrigin === null ? `\`GET ${record}\`` : `[${record}](${publicOrigin}${record})`} (with the author's key)`,
          `- Author \`${author}\``,
          `- Package \`${packageId}\``,
          `- Request \`${requestDigest}\``,
          ...(supersedes === null ? [] : [`- Supersedes \`${supersedes}\`: \`${reviewWorkflowId(supersedes)}\``]),
        ].join('\n'),
        'Runbooks: `docs/runbooks/module-reviews.md`, `docs/runbooks/module-builder.md`',
      ].join('\n\n'),
    });
  },
});
