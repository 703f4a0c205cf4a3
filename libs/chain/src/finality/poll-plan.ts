import type { ObservedStage } from '@launch/contracts/orchestration';

/** When to look again and what to tell the launcher about it. */
export interface PollPlan {
  /** Milliseconds from now. */
  readonly nextPollMs: number;
  readonly estimatedNextStageAt: string | null;
  readonly basis: string | null;
}

export interface PollPace {
  readonly minMs: number;
  readonly maxMs: number;
  /** While nothing is known to have been sent: a launcher who just did is not left waiting. */
  readonly idleMaxMs: number;
}

export const DEFAULT_POLL_PACE: PollPace = { minMs: 1_000, maxMs: 60_000, idleMaxMs: 10_000 };

/** How an estimate was made, as published. */
export const ROLLING_P90 = 'rolling-p90';

/** Of the time to the next event, or of the time waited so far, the part that passes before the next look. */
const FRACTION = 8;

/**
 * Polls often near an expected event and seldom far from it. With an estimate of the
 * stage's length, a fraction of what remains; without one, or past it, a fraction of
 * what has been waited, so that the delay of seeing an event stays a small part of it.
 * @param p90Ms rolling 90th percentile of this stage's length; null without data.
 */
export function planPoll(
  stage: ObservedStage,
  stageSinceMs: number,
  now: number,
  p90Ms: number | null,
  indeterminate: boolean,
  pace: PollPace = DEFAULT_POLL_PACE,
): PollPlan {
  const waited = Math.max(0, now - stageSinceMs);
  const estimable = stage === 'submitted' || stage === 'included' || stage === 'posted';
  const expected = estimable && p90Ms !== null ? stageSinceMs + p90Ms : null;
  const ahead = expected !== null && expected > now ? expected - now : null;
  const longest = stage === 'pending' ? pace.idleMaxMs : pace.maxMs;
  // After a poll without a statement, look again soon: a fault that ends must not cost a whole interval.
  const wait = indeterminate ? Math.min(ahead ?? waited, waited) / FRACTION : (ahead ?? waited) / FRACTION;
  return {
    nextPollMs: Math.round(Math.min(longest, Math.max(pace.minMs, wait))),
    estimatedNextStageAt: ahead === null ? null : new Date(now + ahead).toISOString(),
    basis: ahead === null ? null : ROLLING_P90,
  };
}

/** The 90th percentile (nearest rank) of durations; null for none. */
export function p90(durationsMs: readonly number[]): number | null {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? null;
}
