import { OBSERVED_STAGES, type ObservationMemory, type ObservePollResult } from '@launch/contracts/orchestration';
import { Counter, Gauge, Histogram, type Registry } from '@launch/platform';
import type { ActivityWork } from '@launch/worker';
import type { FinalityWorkerActivities } from './finality.activities.js';

type JudgedTarget = Pick<ObservePollResult, 'memory' | 'observation'>;

const LAG_SECONDS = [1, 5, 15, 30, 60, 120, 300, 900, 3_600];

/** Counts the work: polls by outcome, stages reached and left again, and the lag that observing adds to finality. */
export function measured(
  work: ActivityWork<FinalityWorkerActivities>,
  registry: Registry,
): ActivityWork<FinalityWorkerActivities> {
  const polls = new Counter({
    name: 'launch_finality_observations_total',
    help: 'Polls of launches and steps of plans, by whether the observers agreed',
    labelNames: ['status'],
    registers: [registry],
  });
  const stages = new Counter({
    name: 'launch_finality_stage_changes_total',
    help: 'Stages that launches and steps of plans moved to',
    labelNames: ['stage'],
    registers: [registry],
  });
  const regressions = new Counter({
    name: 'launch_finality_stage_regressions_total',
    help: 'Stages of launches and steps of plans that moved back, by the stage that they left',
    labelNames: ['stage'],
    registers: [registry],
  });
  const lag = new Histogram({
    name: 'launch_finality_added_lag_seconds',
    help: 'Time between the last statement of the observers that a launch was not final and the one that it was',
    buckets: LAG_SECONDS,
    registers: [registry],
  });
  const count = (before: ObservationMemory | null, { memory, observation }: JudgedTarget): void => {
    polls.inc({ status: observation.status });
    if (memory.stage === before?.stage) return;
    stages.inc({ stage: memory.stage });
    if (before === null) return;
    if (isMovedBack(before, memory)) regressions.inc({ stage: before.stage });
    if (memory.stage === 'finalized' && before.statedAt !== undefined && memory.statedAt !== undefined)
      lag.observe(Math.max(0, (Date.parse(memory.statedAt) - Date.parse(before.statedAt)) / 1_000));
  };
  return {
    ...work,
    async observe(input, call) {
      const result = await work.observe(input, call);
      count(input.before?.memory ?? null, result);
      return result;
    },
    async observeStep(input, call) {
      const result = await work.observeStep(input, call);
      count(input.before?.memory ?? null, result);
      return result;
    },
  };
}

/** Returns whether a chain took back a stage that an observation had reached. */
const isMovedBack = (before: ObservationMemory, after: ObservationMemory): boolean =>
  OBSERVED_STAGES.indexOf(after.stage) < OBSERVED_STAGES.indexOf(before.stage);

/** Reports whether an operator paused the recovery. */
export function reportPaused(registry: Registry, isPaused: () => boolean): void {
  new Gauge({
    name: 'launch_recovery_paused',
    help: 'Whether an operator paused the recovery.',
    registers: [registry],
    collect() {
      this.set(Number(isPaused()));
    },
  });
}
