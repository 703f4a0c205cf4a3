import type { CustomLaunchStatus } from '@launch/contracts/states';

export type LaunchGoal = 'authorized' | 'finalized';

/** Statuses that satisfy each goal. A valid or signed hand-off is authorized. */
const MEETS: Readonly<Record<LaunchGoal, readonly CustomLaunchStatus[]>> = {
  authorized: [
    'authorized',
    'awaiting_wallet_signature',
    'wallet_action_required',
    'submitted',
    'sequencer_soft_confirmed',
    'ethereum_posted',
    'finalized',
  ],
  finalized: ['finalized'],
};
const ENDS: readonly CustomLaunchStatus[] = ['action_required', 'failed', 'finalized'];

/** Returns whether a custom launch has reached a goal. */
export const isLaunchAt = (goal: LaunchGoal, status: CustomLaunchStatus): boolean => MEETS[goal].includes(status);

/** Returns whether a custom launch changes no more without its owner. */
export const hasLaunchEnded = (status: CustomLaunchStatus): boolean => ENDS.includes(status);
