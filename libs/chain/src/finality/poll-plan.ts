import type { ObservedStage } from '@launch/contracts/orchestration';

export interface PollPace {
  readonly minMs: number;
  readonly maxMs: number;
  /** The bounds before a transaction is known, so that a launcher who just sent one does not wait. */
  readonly idleMinMs: number;
  readonly idleMaxMs: number;
}

export const DEFAULT_POLL_PACE: PollPace = { minMs: 1_000, maxMs: 60_000, idleMinMs: 250, idleMaxMs: 10_000 };

/** The fraction of the time to the next event, or of the wait so far, that passes before the next poll. */
const FRACTION = 8;

/**
 * Plans the milliseconds until the next poll: short near an expected event and long far from it. With a measured length
 * of the stage, a fraction of the remaining time. Without one, or past it, a fraction of the wait so far, so that the
 * detection delay stays a small part of the wait. A configured length does not pace the polls, because the chain may be
 * faster.
 * @param lengthMs the measured length of the stage; null without enough measurements.
 */
export function planPoll(
  stage: ObservedStage,
  stageSinceMs: number,
  now: number,
  lengthMs: number | null,
  indeterminate: boolean,
  pace: PollPace = DEFAULT_POLL_PACE,
): number {
  const waited = Math.max(0, now - stageSinceMs);
  const expected = lengthMs === null ? now : stageSinceMs + lengthMs;
  const ahead = expected > now ? expected - now : waited;
  const [shortest, longest] = stage === 'pending' ? [pace.idleMinMs, pace.idleMaxMs] : [pace.minMs, pace.maxMs];
  // After a poll without a statement, poll again soon: a fault that ends must not cost a whole interval.
  const wait = (indeterminate ? Math.min(ahead, waited) : ahead) / FRACTION;
  return Math.round(Math.min(longest, Math.max(shortest, wait)));
}
