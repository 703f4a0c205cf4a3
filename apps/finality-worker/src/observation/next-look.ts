import { estimateNextStage, measuredLength, planPoll, timedStage, type PollPace, type TimedStage } from '@launch/chain';
import type { ObservationMemory, ObservePollResult } from '@launch/contracts/orchestration';
import type { ObservationRepository } from './observation.repository.js';

export interface PaceDependencies {
  readonly observations: Pick<ObservationRepository, 'recentDurations'>;
  readonly pace: PollPace;
  /** How long each stage should take by this deployment's configuration, in milliseconds. */
  readonly expectedMs: Readonly<Record<TimedStage, number>>;
}

/** Older lengths tell of another time of the chains. */
const RECENT_MS = 30 * 86_400_000;

/** When the next stage is expected, on what basis, and when to look again. */
export async function nextLook(
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
