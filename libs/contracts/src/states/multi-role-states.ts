/** Statuses that can follow each status (docs/reference/multi-role.md#launch-status); a status without one is an end. */
const LAUNCH_TRANSITIONS = {
  reserved: ['admitting', 'action_required', 'authorized', 'failed', 'expired'],
  admitting: ['action_required', 'authorized', 'failed', 'expired'],
  action_required: [],
  authorized: ['awaiting_wallet_signature', 'submitted', 'finalized', 'failed', 'expired'],
  awaiting_wallet_signature: ['submitted', 'finalized', 'failed', 'expired'],
  submitted: ['finalized', 'failed', 'expired'],
  finalized: [],
  failed: [],
  expired: [],
} as const;

export const LAUNCH_STATUSES = [
  'reserved',
  'admitting',
  'action_required',
  'authorized',
  'awaiting_wallet_signature',
  'submitted',
  'finalized',
  'failed',
  'expired',
] as const satisfies readonly (keyof typeof LAUNCH_TRANSITIONS)[];
export type LaunchStatus = (typeof LAUNCH_STATUSES)[number];

const after: Readonly<Record<LaunchStatus, readonly LaunchStatus[]>> = LAUNCH_TRANSITIONS;

/** The statuses that a launch may leave for this one. */
export const statusesBefore = (next: LaunchStatus): readonly LaunchStatus[] =>
  LAUNCH_STATUSES.filter((status) => after[status].includes(next));

/** Ends: no launch leaves them. */
export const FINISHED_STATUSES: readonly LaunchStatus[] = LAUNCH_STATUSES.filter(
  (status) => after[status].length === 0,
);

/** Statuses that a workflow still has to change. */
export const UNFINISHED_STATUSES: readonly LaunchStatus[] = LAUNCH_STATUSES.filter(
  (status) => after[status].length > 0,
);

/** Statuses of a launch whose hand-off can still be finalized on chain. */
export const OBSERVED_STATUSES: readonly LaunchStatus[] = statusesBefore('finalized');
