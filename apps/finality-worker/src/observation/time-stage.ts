import { timedStage, type Observation, type TimedStage } from '@launch/chain';
import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';

/**
 * A stage's start counts as observed if the previous statement is at most this old; exceeds the time between two polls.
 */
const START_MS = 90_000;
/** A stage's end counts as observed if the previous statement is at most this old, or a small part of the length. */
const END_MS = 10_000;
const END_PART = 1 / 4;

/** Only a step from a stage to its next yields a length. */
const NEXT: Readonly<Record<TimedStage, ObservedStage>> = {
  submitted: 'included',
  included: 'posted',
  posted: 'finalized',
};

/**
 * The memory with its times, and the length in milliseconds of the stage that this poll ended; null if it is not
 * recorded.
 */
export interface TimedObservation {
  readonly memory: ObservationMemory;
  readonly lengthMs: number | null;
}

/**
 * Measures stages whose start and end were both observed in time. A stage that passed during an outage of this service,
 * its observers or Temporal has no typical length, nor has one that ended before recovery found it.
 */
export function timeStage(
  before: ObservationMemory | null,
  { memory, status }: Observation,
  now: number,
): TimedObservation {
  const at = new Date(now).toISOString();
  const statedAt = status === 'agreed' ? at : before?.statedAt;
  const gapMs = before?.statedAt === undefined ? Number.POSITIVE_INFINITY : now - Date.parse(before.statedAt);
  const isSame = before !== null && before.stage === memory.stage;
  const isStartSeen = isSame ? before.isStartSeen === true : gapMs <= START_MS;
  return {
    memory: { ...memory, ...(statedAt === undefined ? {} : { statedAt }), isStartSeen },
    lengthMs: before === null || isSame ? null : lengthOf(before, memory, gapMs, now),
  };
}

function lengthOf(before: ObservationMemory, after: ObservationMemory, gapMs: number, now: number): number | null {
  const stage = timedStage(before);
  if (
    stage === null ||
    NEXT[stage] !== after.stage ||
    before.isStartSeen !== true ||
    before.transactionHash !== after.transactionHash
  )
    return null;
  const lengthMs = now - Date.parse(before.stageSince);
  return lengthMs >= 0 && gapMs <= Math.max(END_MS, lengthMs * END_PART) ? Math.min(lengthMs, 2 ** 31 - 1) : null;
}
