import type { ObservedStage } from '@launch/contracts/orchestration';

export interface PollPace {
  readonly minMs: number;
  readonly maxMs: number;
  /** The bounds while nothing is known to have been sent: a launcher who just did is not left waiting. */
  readonly idleMinMs: number;
  readonly idleMaxMs: number;
}

export const DEFAULT_POLL_PACE: PollPace = { minMs: 1_000, maxMs: 60_000, idleMinMs: 250, idleMaxMs: 10_000 };

/** Of the time to the next event, or of the time waited so far, the part that passes before the next look. */
const FRACTION = 8;

/**
 * Milliseconds until the next look: often near an expected event and seldom far from it. With a measured length of the
 * stage, a fraction of the rest. Without one, or past it, a fraction of the wait so far: the delay of seeing an event
 * stays a small part of it. A configured length paces nothing: the chain may be faster.
 * @param lengthMs the stage's length as measured; null without enough measurements.
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
  // After a poll without a statement, look again soon: a fault that ends must not cost a whole interval.
  const wait = (indeterminate ? Math.min(ahead, waited) : ahead) / FRACTION;
  return Math.round(Math.min(longest, Math.max(shortest, wait)));
}
