import {
  CUSTOM_LAUNCHES_PATH,
  type CustomLaunchListItem,
  type CustomLaunchResource,
} from '@launch/contracts/custom-launch';
import type { CustomLaunchStatus } from '@launch/contracts/states';
import { maySee } from '../../../core/accounts/credentials/caller.js';
import { sitePagesOf, type OwnerView } from '../../../core/launches/owner-view.js';
import { hasEstimatePassed, isWindowOpen } from '../../../core/launches/reading-time.js';
import type { CustomLaunchRow } from '../data/custom-launch.row.js';

/** Returns the status route of a launch; `Location` on 202 and on replays. */
export const customLaunchStatusUrlOf = (launchId: string): string => `${CUSTOM_LAUNCHES_PATH}/${launchId}`;

/** The finality before the first observation. */
const UNOBSERVED: CustomLaunchResource['finality'] = {
  stage: 'pending',
  l2Inclusion: null,
  l1Posting: null,
  l1FinalizedCheckpoint: null,
  estimatedNextStageAt: null,
  observation: null,
};

function finalityOf({ finality }: CustomLaunchRow, nowMs: number): CustomLaunchResource['finality'] {
  if (finality === null) return UNOBSERVED;
  const { stage, l2Inclusion, l1Posting, l1FinalizedCheckpoint, estimatedNextStageAt, observation } = finality;
  return {
    stage,
    l2Inclusion,
    l1Posting,
    l1FinalizedCheckpoint,
    estimatedNextStageAt: hasEstimatePassed(estimatedNextStageAt, nowMs) ? null : estimatedNextStageAt,
    observation,
  };
}

/**
 * Returns the source verification. Sources are verified once the finalized chain confirms the runtime of every component
 * compiled from them, unless the record failed its own verification.
 */
function verificationOf({
  status,
  publication,
}: CustomLaunchRow): CustomLaunchResource['sourceVerification']['status'] {
  if (status === 'finalized') return publication === 'quarantined' ? 'not_verified' : 'verified';
  return status === 'failed' || status === 'action_required' ? 'not_verified' : 'pending';
}

/** Statuses in which the wallet has not sent its transaction. */
const ASKS_WALLET: readonly CustomLaunchStatus[] = [
  'authorized',
  'awaiting_wallet_signature',
  'wallet_action_required',
];

/**
 * Builds a custom launch as its owner sees it. Keys with `custom-launch:read` alone see the hand-off, until its window
 * has passed without an inclusion (docs/reference/custom-launch.md#hand-off).
 */
export function customLaunchResource(row: CustomLaunchRow, view: OwnerView): CustomLaunchResource {
  const { caller, nowMs } = view;
  const finality = finalityOf(row, nowMs);
  const live = finality.stage !== 'pending' || isWindowOpen(row.deadline, nowMs);
  const verification = verificationOf(row);
  const self = customLaunchStatusUrlOf(row.launchId);
  const handoff = live && maySee(caller, 'custom-launch:read') ? row.handoff : null;
  return {
    schemaVersion: 'service.custom-launch-resource.v4',
    launchId: row.launchId,
    profile: row.summary.profile,
    status: row.status,
    statusReason: row.statusReason,
    launchWallet: row.controller,
    requestSha256: row.requestSha256,
    onchainLaunchId: row.onchainLaunchId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    expiresAt: new Date(Number(row.deadline) * 1_000).toISOString(),
    findings: row.findings,
    budgets: row.summary.budgets,
    handoff,
    transactions: row.finality?.transactions ?? [],
    finality,
    sourceVerification: {
      status: verification,
      components: row.summary.components.map((component) => ({ ...component, status: verification })),
    },
    publication: { status: row.publication },
    failure: row.failure,
    links: { self, statusUrl: self },
    ...sitePagesOf(view, 'launches', row.launchId, handoff !== null && ASKS_WALLET.includes(row.status)),
  };
}

/** Builds a custom launch as a list contains it: with a link to the hand-off that its own read shows. */
export function customLaunchListItem(row: CustomLaunchRow, view: OwnerView): CustomLaunchListItem {
  const { handoff, ...launch } = customLaunchResource(row, view);
  return {
    ...launch,
    schemaVersion: 'service.custom-launch-list-item.v4',
    handoffUrl: handoff === null ? null : launch.links.self,
  };
}
