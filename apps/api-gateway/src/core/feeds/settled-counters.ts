import type { FeedCounters } from './feed.repository.js';

/** Milliseconds for which unchanged counters keep the time of their first reading: as long as caches may keep a page. */
const SETTLED_MS = 5_000;

/**
 * Counters whose time does not move with each request. They were true at that time, which is at most five seconds before
 * the request. So the bytes of a page stay equal while nothing changes, and are hashed and signed once.
 */
export class SettledCounters {
  private last: FeedCounters | null = null;

  of(read: FeedCounters): FeedCounters {
    const { last } = this;
    const stays =
      last !== null &&
      last.source === read.source &&
      last.published === read.published &&
      last.quarantined === read.quarantined;
    const age = last === null ? 0 : read.asOf.getTime() - last.asOf.getTime();
    if (stays && age >= 0 && age < SETTLED_MS) return last;
    this.last = read;
    return read;
  }
}
