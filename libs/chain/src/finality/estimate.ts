import { ESTIMATE_OVERDUE } from '@launch/contracts/multi-role';
import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';

/** A stage that ends without an action by the launcher: the chains advance it. */
export type TimedStage = Extract<ObservedStage, 'submitted' | 'included' | 'posted'>;

/** The method of an estimate, as published in `basis`. */
export const ESTIMATE_BASES = {
  /** The start of the stage plus the 90th percentile of its recent lengths. */
  measured: 'rolling-p90',
  /** The start of the stage plus the configured length: too few measurements, or the measured length has passed. */
  configured: 'configured-expectation',
  /** Both lengths have passed; no time is published. */
  overdue: ESTIMATE_OVERDUE,
} as const;

/** The number of measurements below which no percentile is used. The two longest of twenty do not change it. */
export const ENOUGH_MEASUREMENTS = 20;

/** Known lengths of a stage, in milliseconds. */
export interface StageLength {
  /** Recent measurements, in any order. */
  readonly measuredMs: readonly number[];
  readonly configuredMs: number;
}

export interface Estimate {
  /** RFC 3339, always later than the poll; null if no stage is expected, and once every expected time has passed. */
  readonly estimatedNextStageAt: string | null;
  readonly basis: string | null;
}

/**
 * Returns the stage whose end is estimated. Returns null at a final stage, before a transaction is known, and after a
 * revert, because no stage follows these without an action.
 */
export function timedStage({ stage, inclusion }: Pick<ObservationMemory, 'stage' | 'inclusion'>): TimedStage | null {
  if (stage === 'included' || stage === 'posted') return stage;
  return stage === 'submitted' && inclusion === null ? stage : null;
}

/** Returns the 90th percentile of recent lengths in milliseconds, or null if there are too few. */
export const measuredLength = ({ measuredMs }: StageLength): number | null =>
  measuredMs.length < ENOUGH_MEASUREMENTS ? null : p90(measuredMs);

/**
 * Estimates the end of a stage that began at `sinceMs`. Each expected time holds until it has passed, so the estimate
 * never moves to an earlier time.
 */
export function estimateNextStage(length: StageLength, sinceMs: number, now: number): Estimate {
  const expectations = [
    { lengthMs: measuredLength(length), basis: ESTIMATE_BASES.measured },
    { lengthMs: length.configuredMs, basis: ESTIMATE_BASES.configured },
  ];
  for (const { lengthMs, basis } of expectations) {
    if (lengthMs !== null && sinceMs + lengthMs > now)
      return { estimatedNextStageAt: new Date(sinceMs + lengthMs).toISOString(), basis };
  }
  return { estimatedNextStageAt: null, basis: ESTIMATE_BASES.overdue };
}

/** Returns the 90th percentile (nearest rank) of durations, or null without durations. */
export function p90(durationsMs: readonly number[]): number | null {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? null;
}
