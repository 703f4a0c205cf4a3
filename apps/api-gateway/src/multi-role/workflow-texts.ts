import { MULTI_ROLE_BASE_PATH, type Sha256Digest } from '@launch/contracts';
import { admitWorkflowId, observeWorkflowId } from '@launch/contracts/orchestration';

/** What the Temporal UI shows of a workflow from its start on: one line, and Markdown. */
export interface WorkflowTexts {
  readonly staticSummary: string;
  readonly staticDetails: string;
}

/**
 * Texts of the workflows that the gateway starts. They name identities and hashes and nothing that the request says of itself.
 * @param publicOrigin where clients reach this gateway; null where it was not told, then a record is named by its path.
 */
export function createWorkflowTexts(publicOrigin: string | null) {
  const recordOf = (launchId: string): string => {
    const path = `${MULTI_ROLE_BASE_PATH}/${launchId}`;
    return publicOrigin === null ? `\`GET ${path}\`` : `[${path}](${publicOrigin}${path})`;
  };
  const launch = (launchId: string, controller: string, requestSha256: Sha256Digest, other: string): string =>
    [
      `- Launch \`${launchId}\`, its record: ${recordOf(launchId)} (with the owner's key)`,
      `- Controller \`${controller}\``,
      `- Request \`${requestSha256}\``,
      `- Other workflow of this launch: \`${other}\``,
    ].join('\n');
  return {
    admission: (launchId: string, controller: string, requestSha256: Sha256Digest): WorkflowTexts => ({
      staticSummary: `Admit launch ${launchId}`,
      staticDetails: [
        'Takes a reserved launch to its wallet hand-off, or to a refusal that frees its nonce.',
        launch(launchId, controller, requestSha256, observeWorkflowId(launchId)),
        'Runbook: `docs/runbooks/admission-stuck.md`',
      ].join('\n\n'),
    }),
    observation: (launchId: string, controller: string, requestSha256: Sha256Digest): WorkflowTexts => ({
      staticSummary: `Observe launch ${launchId}`,
      staticDetails: [
        'Watches a handed-off launch until it is finalized on Ethereum, has failed for good, or its permit has run out.',
        launch(launchId, controller, requestSha256, admitWorkflowId(launchId)),
        'Runbooks: `docs/runbooks/posting-stalled.md`, `docs/runbooks/provider-faults.md`, `docs/runbooks/reorg.md`',
      ].join('\n\n'),
    }),
    preflight: (preflightId: string, controller: string, requestSha256: Sha256Digest): WorkflowTexts => ({
      staticSummary: `Preflight for ${controller}`,
      staticDetails: [
        'Evaluates and rehearses a request for a client that waits. It reserves nothing, signs nothing and leaves no record.',
        `- Preflight \`${preflightId}\`\n- Controller \`${controller}\`\n- Request \`${requestSha256}\``,
      ].join('\n\n'),
    }),
  };
}
