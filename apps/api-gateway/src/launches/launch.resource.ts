import { MULTI_ROLE_BASE_PATH, type FinalityStatus, type LaunchResource } from '@launch/contracts';
import { maySee, type Caller } from '../credentials/caller.js';
import type { LaunchRow } from './launch.row.js';

/** The status route of a launch; `Location` on 202 and on replays. */
export const statusUrlOf = (launchId: string): string => `${MULTI_ROLE_BASE_PATH}/${launchId}`;

/** What finality says before anything was observed. */
export const pendingFinality = (launchId: string): FinalityStatus => ({
  schemaVersion: 'service.multi-role-finality-status.v2',
  launchId,
  state: 'pending',
  transactionHash: null,
  inclusion: null,
  posting: null,
  checkpoint: null,
  observation: null,
  estimatedNextStageAt: null,
  basis: null,
  finalizedAt: null,
});

/**
 * The launch as its owner sees it (spec 2, Launch resource). The wallet hand-off is told to keys with
 * `custom-launch:read` only, and no more once its window has passed without a bound inclusion.
 * @param nowMs server time.
 */
export function launchResource(row: LaunchRow, caller: Caller, nowMs: number): LaunchResource {
  const finality = row.finality ?? pendingFinality(row.launchId);
  const bound = finality.state !== 'pending';
  const live = bound || BigInt(Math.floor(nowMs / 1_000)) <= row.deadline;
  return {
    schemaVersion: 'service.multi-role-launch-resource.v2',
    launchId: row.launchId,
    status: row.status,
    statusReason: row.statusReason,
    context: row.context,
    requestSha256: row.requestSha256,
    requestHash: row.requestHash,
    artifactHash: row.artifactHash,
    idempotencyKey: row.idempotencyKey,
    launchWallet: row.controller,
    nonce: row.nonce,
    permitWindow: { validAfter: row.validAfter.toString(), deadline: row.deadline.toString() },
    onchainLaunchId: row.onchainLaunchId,
    contextHash: row.contextHash,
    sourceAssessment: row.assessment,
    findings: [...row.findings],
    wallet: live && maySee(caller, 'custom-launch:read') ? row.handoff : null,
    finality,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    statusUrl: statusUrlOf(row.launchId),
  };
}
