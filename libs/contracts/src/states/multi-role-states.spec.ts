import { describe, expect, it } from '@jest/globals';
import {
  FINISHED_STATUSES,
  LAUNCH_STATUSES,
  OBSERVED_STATUSES,
  statusesBefore,
  UNFINISHED_STATUSES,
} from './multi-role-states.js';

describe('a launch', () => {
  it('starts in the only status that no other leads to', () => {
    expect(LAUNCH_STATUSES.filter((status) => statusesBefore(status).length === 0)).toEqual(['reserved']);
  });

  it('Every status of a launch is either final or not.', () => {
    expect(FINISHED_STATUSES).toEqual(['action_required', 'finalized', 'failed', 'expired']);
    expect([...UNFINISHED_STATUSES, ...FINISHED_STATUSES].sort()).toEqual([...LAUNCH_STATUSES].sort());
  });

  it('fails or expires from every status that is not an end', () => {
    expect(statusesBefore('failed')).toEqual(UNFINISHED_STATUSES);
    expect(statusesBefore('expired')).toEqual(UNFINISHED_STATUSES);
  });

  it('needs action only before its hand-off and is finalized only after it', () => {
    expect(statusesBefore('action_required')).toEqual(['reserved', 'admitting']);
    expect(statusesBefore('authorized')).toEqual(['reserved', 'admitting']);
    expect(OBSERVED_STATUSES).toEqual(['authorized', 'awaiting_wallet_signature', 'submitted']);
  });

  it('moves in one direction only', () => {
    const earlier = (status: (typeof LAUNCH_STATUSES)[number]): Set<string> =>
      new Set(statusesBefore(status).flatMap((before) => [before, ...earlier(before)]));
    for (const status of LAUNCH_STATUSES) expect(earlier(status).has(status)).toBe(false);
  });
});
