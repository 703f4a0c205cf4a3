import { ESTIMATE_OVERDUE } from '@launch/contracts/multi-role';
import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';

/** A stage that ends by itself: the chains carry a launch on without anybody's doing. */
export type TimedStage = Extract<ObservedStage, 'submitted' | 'included' | 'posted'>;

/** How an estimate was made, as published in `basis`. */
export const ESTIMATE_BASES = {
  /** The stage's start plus the 90th percentile of its recent lengths. */
  measured: 'rolling-p90',
  /** The stage's start plus what the deployment is configured to expect: too little was measured, or it took longer. */
  configured: 'configured-expectation',
  /** Longer than either: no time is named. */
  overdue: ESTIMATE_OVERDUE,
} as const;

/** Measurements of a stage below which the percentile says nothing: the two longest of twenty do not move it. */
export const ENOUGH_MEASUREMENTS = 20;

/** What is known of a stage's length, in milliseconds. */
export interface StageLength {
  /** Recent measurements, in any order. */
  readonly measuredMs: readonly number[];
  readonly configuredMs: number;
}

export interface Estimate {
  /** RFC 3339, always later than the look; null where nothing is expected, and once every expectation has passed. */
  readonly estimatedNextStageAt: string | null;
  readonly basis: string | null;
}

/**
 * The stage whose end is to be estimated. Null at an end, while nothing is known to have been sent, and after a revert:
 * nothing follows those by itself.
 */
export function timedStage({ stage, inclusion }: Pick<ObservationMemory, 'stage' | 'inclusion'>): TimedStage | null {
  if (stage === 'included' || stage === 'posted') return stage;
  return stage === 'submitted' && inclusion === null ? stage : null;
}

/** The 90th percentile of recent lengths, in milliseconds; null while there are too few. */
export const measuredLength = ({ measuredMs }: StageLength): number | null =>
  measuredMs.length < ENOUGH_MEASUREMENTS ? null : p90(measuredMs);

/** When a stage that began at `sinceMs` should end: each expectation holds until it has passed, so a time is only ever put off. */
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

/** The 90th percentile (nearest rank) of durations; null for none. */
export function p90(durationsMs: readonly number[]): number | null {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? null;
}
