import { CHAIN_TRIGGERS } from './chain-triggers.js';

/**
 * Statuses of a custom launch and their triggers (docs/reference/custom-launch.md#status). One table decides every pair
 * of status and trigger.
 */
export const CUSTOM_LAUNCH_STATUSES = [
  'admitting',
  'action_required',
  'authorized',
  'awaiting_wallet_signature',
  'wallet_action_required',
  'submitted',
  'sequencer_soft_confirmed',
  'ethereum_posted',
  'finalized',
  'failed',
] as const;
export type CustomLaunchStatus = (typeof CUSTOM_LAUNCH_STATUSES)[number];

/** Facts about a custom launch. Each comes from one service. */
export const CUSTOM_LAUNCH_TRIGGERS = [
  /** Admission found errors. */
  'findings_found',
  /** The permit is signed, the hand-off stored, and both simulations agree. */
  'handoff_ready',
  /** The gateway shows the hand-off. */
  'handoff_readable',
  /** Funds, fee, nonce, simulation at the head or the remaining time block the wallet. */
  'wallet_blocked',
  /** Nothing blocks the wallet any more. */
  'wallet_unblocked',
  /** One observer shows the exact transaction with the stamp. */
  'transaction_seen',
  ...CHAIN_TRIGGERS,
  /** The exact transaction reverts in simulation, so its permit is never shown. */
  'exact_simulation_reverted',
] as const;
export type CustomLaunchTrigger = (typeof CUSTOM_LAUNCH_TRIGGERS)[number];

type Moves = Readonly<Partial<Record<CustomLaunchTrigger, CustomLaunchStatus>>>;

/** A hand-off without a seen transaction can be at any stage on chain, because observers poll every few seconds. */
const SEEN = {
  transaction_seen: 'submitted',
  inclusion_agreed: 'sequencer_soft_confirmed',
  posting_agreed: 'ethereum_posted',
  finality_proven: 'finalized',
  revert_finalized: 'failed',
} as const satisfies Moves;

/** The end of the window is an end only if no transaction counts. */
const WAITING = { ...SEEN, window_passed: 'failed' } as const satisfies Moves;

/**
 * The status that each trigger leads to from each status; an unnamed trigger changes nothing. A launch can skip stages
 * in both directions, because a whole reorganisation can happen between two observations.
 */
const CUSTOM_LAUNCH_TRANSITIONS = {
  admitting: {
    findings_found: 'action_required',
    handoff_ready: 'authorized',
    exact_simulation_reverted: 'failed',
    window_passed: 'failed',
  },
  action_required: {},
  authorized: { ...WAITING, handoff_readable: 'awaiting_wallet_signature', wallet_blocked: 'wallet_action_required' },
  awaiting_wallet_signature: { ...WAITING, wallet_blocked: 'wallet_action_required' },
  wallet_action_required: { ...WAITING, wallet_unblocked: 'awaiting_wallet_signature' },
  submitted: {
    inclusion_agreed: 'sequencer_soft_confirmed',
    posting_agreed: 'ethereum_posted',
    finality_proven: 'finalized',
    revert_finalized: 'failed',
    // One observer showed the transaction, and it never arrived. Without this trigger the launch would wait forever.
    window_passed: 'failed',
  },
  sequencer_soft_confirmed: {
    inclusion_gone: 'submitted',
    posting_agreed: 'ethereum_posted',
    finality_proven: 'finalized',
    revert_finalized: 'failed',
  },
  ethereum_posted: {
    inclusion_gone: 'submitted',
    posting_gone: 'sequencer_soft_confirmed',
    finality_proven: 'finalized',
    revert_finalized: 'failed',
  },
  finalized: {},
  failed: {},
} as const satisfies Readonly<Record<CustomLaunchStatus, Moves>>;

const moves: Readonly<Record<CustomLaunchStatus, Moves>> = CUSTOM_LAUNCH_TRANSITIONS;

/** Returns the status after a trigger, or the same status if the trigger does not apply. */
export const nextCustomLaunchStatus = (status: CustomLaunchStatus, trigger: CustomLaunchTrigger): CustomLaunchStatus =>
  moves[status][trigger] ?? status;

/** Returns the statuses that a trigger moves launches from and to, for one statement over all of them. */
export const customLaunchMoves = (
  trigger: CustomLaunchTrigger,
): readonly { readonly from: CustomLaunchStatus; readonly to: CustomLaunchStatus }[] =>
  CUSTOM_LAUNCH_STATUSES.flatMap((from) => {
    const to = moves[from][trigger];
    return to === undefined ? [] : [{ from, to }];
  });

/** Ends: no trigger leaves them. */
export const CUSTOM_LAUNCH_FINISHED_STATUSES: readonly CustomLaunchStatus[] = CUSTOM_LAUNCH_STATUSES.filter(
  (status) => Object.keys(moves[status]).length === 0,
);

/** Statuses of a launch whose hand-off can still be finalized on chain. */
export const CUSTOM_LAUNCH_OBSERVED_STATUSES: readonly CustomLaunchStatus[] = customLaunchMoves('finality_proven').map(
  ({ from }) => from,
);

/**
 * Reasons why a launch waits for its wallet. Each one ends without action or by an action of the controller, never by
 * another permit.
 */
export const WALLET_REASONS = [
  'CONTROLLER_FUNDS_MISSING',
  'GAS_BUDGET_EXCEEDED',
  'HEAD_SIMULATION_REVERTED',
  'ROUTER_NONCE_USED',
  'DEADLINE_NEAR',
] as const;
export type WalletReason = (typeof WALLET_REASONS)[number];
