import {
  type AnyFinalityStatus,
  DERIVED_CONTRACT_FINALITY_V3,
  ESTIMATE_OVERDUE,
  type FinalityStatus,
  type FinalityStatusV3,
  type LaunchListItem,
  type LaunchResource,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
import type { LaunchStatus } from '@launch/contracts/states';
import { maySee } from '../../../core/accounts/credentials/caller.js';
import { sitePagesOf, type OwnerView } from '../../../core/launches/owner-view.js';
import { hasEstimatePassed, isWindowOpen } from '../../../core/launches/reading-time.js';
import type { LaunchRow } from '../data/launch.row.js';

/** Returns the status route of a launch, the `Location` of 202 answers and replays. */
export const statusUrlOf = (launchId: string): string => `${MULTI_ROLE_BASE_PATH}/${launchId}`;

/** Returns the V2 projection before the first observation. */
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

/** Returns the V3 projection before the first observation. */
export const pendingFinalityV3 = ({
  launchId,
  contextHash,
  onchainLaunchId,
}: Pick<LaunchRow, 'launchId' | 'contextHash' | 'onchainLaunchId'>): FinalityStatusV3 => ({
  ...pendingFinality(launchId),
  schemaVersion: 'service.multi-role-finality-status.v3',
  policy: DERIVED_CONTRACT_FINALITY_V3,
  contextHash,
  onchainLaunchId,
  nextStage: 'included',
  derivedContracts: null,
});

/** Returns the projection without an estimate that passed. */
const atReading = <T extends AnyFinalityStatus>(status: T, nowMs: number): T =>
  hasEstimatePassed(status.estimatedNextStageAt, nowMs)
    ? { ...status, estimatedNextStageAt: null, basis: ESTIMATE_OVERDUE }
    : status;

/**
 * Returns the projection of a launch. A launch without a known generation is never observed; its projection says so
 * instead of claiming V2.
 */
export function finalityOf(row: LaunchRow, nowMs: number): AnyFinalityStatus {
  if (row.generation === 'v3') return row.finality === null ? pendingFinalityV3(row) : atReading(row.finality, nowMs);
  if (row.generation === 'v2')
    return row.finality === null ? pendingFinality(row.launchId) : atReading(row.finality, nowMs);
  return {
    ...pendingFinality(row.launchId),
    observation: { status: 'indeterminate', reason: 'FINALITY_POLICY_UNKNOWN', at: new Date(nowMs).toISOString() },
  };
}

/** Statuses in which the wallet has not sent its transaction. */
const ASKS_WALLET: readonly LaunchStatus[] = ['authorized', 'awaiting_wallet_signature'];

/**
 * Builds the launch for its owner. Only keys with `custom-launch:read` see the hand-off, until its window has passed
 * without a bound inclusion (docs/reference/multi-role.md#wallet-hand-off).
 */
export function launchResource(row: LaunchRow, view: OwnerView): LaunchResource {
  const { caller, nowMs } = view;
  const finality = finalityOf(row, nowMs);
  const bound = finality.state !== 'pending';
  const live = bound || isWindowOpen(row.deadline, nowMs);
  const wallet = live && maySee(caller, 'custom-launch:read') ? row.handoff : null;
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
    wallet,
    finality,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    statusUrl: statusUrlOf(row.launchId),
    ...sitePagesOf(view, 'launches', row.launchId, wallet !== null && ASKS_WALLET.includes(row.status)),
  };
}

/** Builds the launch as a list contains it: with a link to the hand-off that its own read shows. */
export function launchListItem(row: LaunchRow, view: OwnerView): LaunchListItem {
  const { wallet, ...launch } = launchResource(row, view);
  return {
    ...launch,
    schemaVersion: 'service.multi-role-launch-list-item.v2',
    handoffUrl: wallet === null ? null : launch.statusUrl,
  };
}
