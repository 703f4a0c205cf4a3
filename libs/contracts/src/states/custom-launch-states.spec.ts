import { describe, expect, it } from '@jest/globals';
import {
  nextCustomLaunchStatus,
  CUSTOM_LAUNCH_FINISHED_STATUSES,
  CUSTOM_LAUNCH_OBSERVED_STATUSES,
  CUSTOM_LAUNCH_STATUSES,
  CUSTOM_LAUNCH_TRIGGERS,
  customLaunchMoves,
  type CustomLaunchStatus,
  type CustomLaunchTrigger,
} from './custom-launch-states.js';

const SHORT: Readonly<Record<string, CustomLaunchStatus>> = {
  action: 'action_required',
  author: 'authorized',
  waits: 'awaiting_wallet_signature',
  block: 'wallet_action_required',
  sent: 'submitted',
  soft: 'sequencer_soft_confirmed',
  posted: 'ethereum_posted',
  final: 'finalized',
  failed: 'failed',
};

/** Every trigger in every status, written by hand; `.` keeps the status. Columns as `CUSTOM_LAUNCH_STATUSES`. */
const GRID = `
                          admitting action author waits  block  sent   soft   posted final  failed
findings_found            action    .      .      .      .      .      .      .      .      .
handoff_ready             author    .      .      .      .      .      .      .      .      .
handoff_readable          .         .      waits  .      .      .      .      .      .      .
wallet_blocked            .         .      block  block  .      .      .      .      .      .
wallet_unblocked          .         .      .      .      waits  .      .      .      .      .
transaction_seen          .         .      sent   sent   sent   .      .      .      .      .
inclusion_agreed          .         .      soft   soft   soft   soft   .      .      .      .
inclusion_gone            .         .      .      .      .      .      sent   sent   .      .
posting_agreed            .         .      posted posted posted posted posted .      .      .
posting_gone              .         .      .      .      .      .      .      soft   .      .
finality_proven           .         .      final  final  final  final  final  final  .      .
revert_finalized          .         .      failed failed failed failed failed failed .      .
window_passed             failed    .      failed failed failed failed .      .      .      .
exact_simulation_reverted failed    .      .      .      .      .      .      .      .      .
`
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/));

describe('A custom launch', () => {
  it('is moved by every trigger', () => {
    expect(GRID.map(([trigger]) => trigger)).toEqual([...CUSTOM_LAUNCH_TRIGGERS]);
  });

  it.each(
    GRID.flatMap(([trigger, ...cells]) =>
      cells.map((cell, index) => [CUSTOM_LAUNCH_STATUSES[index]!, trigger as CustomLaunchTrigger, cell] as const),
    ),
  )('has, in status %s and after %s, the outcome %s', (status, trigger, cell) => {
    expect(nextCustomLaunchStatus(status, trigger)).toBe(cell === '.' ? status : SHORT[cell]);
  });

  it('ends in one of three ways', () => {
    expect(CUSTOM_LAUNCH_FINISHED_STATUSES).toEqual(['action_required', 'finalized', 'failed']);
  });

  it('is observed on chain from its hand-off to its finality', () => {
    expect(CUSTOM_LAUNCH_OBSERVED_STATUSES).toEqual(CUSTOM_LAUNCH_STATUSES.slice(2, 8));
  });

  it('moves the same way alone and in a statement over all launches', () => {
    for (const trigger of CUSTOM_LAUNCH_TRIGGERS)
      for (const status of CUSTOM_LAUNCH_STATUSES) {
        const move = customLaunchMoves(trigger).find(({ from }) => from === status);
        expect(move?.to ?? status).toBe(nextCustomLaunchStatus(status, trigger));
      }
  });
});
