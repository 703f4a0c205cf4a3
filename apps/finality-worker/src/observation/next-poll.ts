import { estimateNextStage, measuredLength, planPoll, timedStage, type PollPace, type TimedStage } from '@launch/chain';
import type { ObservationMemory, ObservePollResult } from '@launch/contracts/orchestration';
import type { ObservationRepository } from './observation.repository.js';

export interface PaceDependencies {
  readonly observations: Pick<ObservationRepository, 'recentDurations'>;
  readonly pace: PollPace;
  /** The configured length of each stage, in milliseconds. */
  readonly expectedMs: Readonly<Record<TimedStage, number>>;
}

/** Older lengths reflect other conditions of the chains. */
const RECENT_MS = 30 * 86_400_000;

/** Returns the expected time of the next stage, its basis, and the time of the next poll. */
export async function nextPoll(
  { observations, expectedMs, pace }: PaceDependencies,
  memory: ObservationMemory,
  isIndeterminate: boolean,
  now: number,
): Promise<Pick<ObservePollResult, 'estimatedNextStageAt' | 'basis' | 'nextPollMs'>> {
  const since = Date.parse(memory.stageSince);
  const stage = timedStage(memory);
  if (stage === null)
    return {
      estimatedNextStageAt: null,
      basis: null,
      nextPollMs: planPoll(memory.stage, since, now, null, isIndeterminate, pace),
    };
  const length = {
    measuredMs: await observations.recentDurations(stage, new Date(now - RECENT_MS)),
    configuredMs: expectedMs[stage],
  };
  return {
    ...estimateNextStage(length, since, now),
    nextPollMs: planPoll(stage, since, now, measuredLength(length), isIndeterminate, pace),
  };
}
