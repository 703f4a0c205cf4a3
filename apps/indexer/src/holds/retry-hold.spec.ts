import { describe, expect, it, jest } from '@jest/globals';
import type { Hex } from '@launch/contracts/primitives';
import type { RangeRead } from '../follow/read-range.js';
import type { DueHold, HoldRow } from './hold.repository.js';
import { retryHold, type RetryParts } from './retry-hold.js';

const SILENT = ['0xaa/1', '0xaa/2', '0xbb/7'];
const block: DueHold = { blockNumber: 9n, transactionHash: null, subject: 'launches', attempts: 3 };
const transaction: DueHold = { ...block, transactionHash: '0xaa' as Hex };
const rowOf = (hold: DueHold): HoldRow => ({ ...hold, reason: 'token.name: RPC_TIMEOUT', timestamp: 0n });

/** A held place of which some launches never have a verdict, two of them found at a time. */
function heldPlace(hold: DueHold) {
  const commitHeld = jest.fn<RetryParts['commits']['commitHeld']>(async () => ({ kind: 'written' }));
  const postpone = jest.fn<RetryParts['holds']['postpone']>(async () => undefined);
  const parts: RetryParts = {
    commits: { commitHeld },
    holds: { within: async () => [], postpone },
    open: new Map(),
    read: async (_leftOut, givenUp) => {
      const open = SILENT.filter((event) => !givenUp.has(event)).slice(0, 2);
      const obstacle = { subject: 'launches', block: null, events: open } as const;
      if (open.length > 0) return { kind: 'incomplete', reason: 'silence', cause: 'transient', obstacle };
      const holds = [rowOf(transaction)];
      return { kind: 'read', launches: ['another'], quarantine: [], swaps: [], holds } as unknown as RangeRead;
    },
  };
  return { parts, commitHeld, postpone, retry: () => retryHold(parts, 'sha256:00', hold) };
}

describe('A retried hold', () => {
  it('releases its block although launches in it stay silent, and holds each of their transactions', async () => {
    const { parts, commitHeld, postpone, retry } = heldPlace(block);
    await retry();
    await retry();
    expect(commitHeld).not.toHaveBeenCalled();
    await retry();
    expect(commitHeld.mock.calls).toMatchObject([['sha256:00', block, { launches: ['another'] }]]);
    expect(postpone).not.toHaveBeenCalled();
    expect(parts.open.size).toBe(0);
  });

  it('releases the other launches of a transaction with a silent one, and is retried later', async () => {
    const { parts, commitHeld, postpone, retry } = heldPlace(transaction);
    for (let attempt = 0; attempt < 3; attempt += 1) await retry();
    expect(commitHeld.mock.calls).toMatchObject([['sha256:00', transaction, { launches: ['another'] }]]);
    expect(postpone.mock.calls).toEqual([['sha256:00', transaction, 120_000]]);
    expect(parts.open.size).toBe(0);
  });

  it('waits longer if the place itself has no answer', async () => {
    const { parts, postpone } = heldPlace(block);
    const obstacle = { subject: 'launches', block: 9n, events: [] } as const;
    const read = async (): Promise<RangeRead> => ({ kind: 'incomplete', reason: 'no', cause: 'unreadable', obstacle });
    await retryHold({ ...parts, read }, 'sha256:00', block);
    expect(postpone.mock.calls).toEqual([['sha256:00', block, 120_000]]);
  });
});
