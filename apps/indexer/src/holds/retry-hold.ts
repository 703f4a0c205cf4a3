import type { Sha256Digest } from '@launch/contracts/primitives';
import { NOTHING, type LeftOut } from '../follow/left-out.js';
import type { RangeRead } from '../follow/read-range.js';
import type { CommitRepository } from '../rows/commit.repository.js';
import { holdKey, type DueHold, type HoldRepository } from './hold.repository.js';
import { FIRST_RETRY_MS } from './write-holds.js';

/** The maximum backoff between attempts at an unreadable place. */
const LAST_RETRY_MS = 3_600_000;
/** Attempts at a held transaction before only an operator can retry it; the last ones are an hour apart. */
const MAX_RETRIES = 16;

/** Launches without a verdict, by their event's key, each with the reason. */
type OpenLaunches = Map<string, string>;

export interface RetryParts {
  readonly commits: Pick<CommitRepository, 'commitHeld'>;
  readonly holds: Pick<HoldRepository, 'within' | 'postpone'>;
  /** Launches without a verdict in earlier readings of a held place, by the hold's key. */
  readonly open: Map<string, OpenLaunches>;
  /** Reads the hold's block, or the hold's transaction of it. */
  readonly read: (leftOut: LeftOut, givenUp: ReadonlyMap<string, string>) => Promise<RangeRead>;
}

/**
 * Reads a held place again, so that an unreadable place is not lost. A launch that still has no verdict does not keep
 * the other launches of its block or transaction out of the index: the next step reads the place without that launch,
 * which is quarantined, and its transaction stays held.
 */
export async function retryHold(parts: RetryParts, releaseDigest: Sha256Digest, hold: DueHold): Promise<void> {
  const outcome = await readHeld(parts, releaseDigest, hold);
  if (outcome === 'narrowed') return;
  parts.open.delete(holdKey(hold));
  if (outcome === 'read') return;
  const isLast = hold.transactionHash !== null && hold.attempts >= MAX_RETRIES;
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(hold.attempts, 20), LAST_RETRY_MS);
  await parts.holds.postpone(releaseDigest, hold, isLast ? null : waitMs);
}

async function readHeld(
  { commits, holds, open, read }: RetryParts,
  releaseDigest: Sha256Digest,
  hold: DueHold,
): Promise<'read' | 'narrowed' | 'unread'> {
  const { blockNumber: block, transactionHash, subject } = hold;
  const held = await holds.within(releaseDigest, block, block);
  // Other holds of this block remain; its trades have a separate hold.
  const transactions = new Set(held.flatMap((one) => one.transactionHash ?? []));
  const trades = subject === 'launches' && transactionHash === null;
  const leftOut: LeftOut = { ...NOTHING, transactions, trades, reason: trades ? 'TRADES_UNREAD' : null };
  const key = holdKey(hold);
  const givenUp = open.get(key) ?? new Map<string, string>();
  const found = await read(leftOut, givenUp);
  if (found.kind === 'incomplete') {
    const fresh = found.obstacle.events.filter((event) => !givenUp.has(event));
    if (fresh.length === 0) return 'unread';
    for (const event of fresh) givenUp.set(event, found.reason);
    open.set(key, givenUp);
    return 'narrowed';
  }
  const { launches, quarantine, swaps } = found;
  const { kind } = await commits.commitHeld(releaseDigest, hold, { launches, quarantine, swaps, holds: found.holds });
  return kind === 'written' && !found.holds.some((row) => holdKey(row) === key) ? 'read' : 'unread';
}
