import { admitWorkflowId, observeWorkflowId, planWorkflowId } from '@launch/contracts/orchestration';
import { CHAIN_BASE_PATH, type Sha256Digest } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { LaunchFamily } from '@launch/contracts/states';

/** The texts that the Temporal UI shows for a workflow from its start: one line, and Markdown. */
export interface WorkflowTexts {
  readonly staticSummary: string;
  readonly staticDetails: string;
}

/** The path of the record of a launch in each family. */
const RECORDS: Readonly<Record<LaunchFamily, string>> = {
  'multi-role.v2': MULTI_ROLE_BASE_PATH,
  'custom-launch.v4': `${CHAIN_BASE_PATH}/custom-launches`,
  'plan.v1': `${CHAIN_BASE_PATH}/custom-launch-plans`,
};

/** The launch that a text describes; without a family it is a multi-role launch. */
export interface NamedLaunch {
  readonly launchId: string;
  readonly controller: string;
  readonly requestSha256: Sha256Digest;
  readonly family?: LaunchFamily | undefined;
}

/**
 * Creates the texts of the workflows that the gateway starts. They name identities and hashes, and quote nothing from the
 * request.
 * @param publicOrigin where clients reach this gateway; when null, a record is named by its path.
 */
export function createWorkflowTexts(publicOrigin: string | null) {
  const recordOf = (launchId: string, family: LaunchFamily): string => {
    const path = `${RECORDS[family]}/${launchId}`;
    return publicOrigin === null ? `\`GET ${path}\`` : `[${path}](${publicOrigin}${path})`;
  };
  const launch = (
    { launchId, controller, requestSha256, family = 'multi-role.v2' }: NamedLaunch,
    other: string,
  ): string =>
    [
      `- ${family === 'plan.v1' ? 'Plan' : 'Launch'} \`${launchId}\`, its record: ${recordOf(launchId, family)} (with the owner's key)`,
      `- Controller \`${controller}\``,
      `- Request \`${requestSha256}\``,
      `- Other workflow of this ${family === 'plan.v1' ? 'plan' : 'launch'}: \`${other}\``,
    ].join('\n');
  return {
    admission: (named: NamedLaunch): WorkflowTexts => ({
      staticSummary: `Admit ${named.family === 'plan.v1' ? 'plan' : 'launch'} ${named.launchId}`,
      staticDetails: [
        'Takes a reserved launch to its wallet hand-off, or to a refusal that frees its nonce.',
        launch(named, named.family === 'plan.v1' ? planWorkflowId(named.launchId) : observeWorkflowId(named.launchId)),
        'Runbook: `docs/runbooks/admission-stuck.md`',
      ].join('\n\n'),
    }),
    observation: (named: NamedLaunch): WorkflowTexts => ({
      staticSummary: `Observe launch ${named.launchId}`,
      staticDetails: [
        'Watches a handed-off launch until it is finalized on Ethereum, has failed for good, or its permit has run out.',
        launch(named, admitWorkflowId(named.launchId)),
        'Runbooks: `docs/runbooks/posting-stalled.md`, `docs/runbooks/provider-faults.md`, `docs/runbooks/reorg.md`',
      ].join('\n\n'),
    }),
    plan: (named: NamedLaunch): WorkflowTexts => ({
      staticSummary: `Run plan ${named.launchId}`,
      staticDetails: [
        'Offers the steps of a plan one after the other and watches each until it is finalized on Ethereum, or the window has ended.',
        launch({ ...named, family: 'plan.v1' }, admitWorkflowId(named.launchId)),
        'Runbooks: `docs/runbooks/plan-stuck.md`, `docs/runbooks/provider-faults.md`, `docs/runbooks/reorg.md`',
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
