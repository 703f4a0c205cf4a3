import type { ObservationMemory, ObservePollResult } from '@launch/contracts/orchestration';
import { Counter, Gauge, type Registry } from '@launch/platform';
import type { ActivityWork } from '@launch/worker';
import type { FinalityWorkerActivities } from './finality.activities.js';

type JudgedTarget = Pick<ObservePollResult, 'memory' | 'observation'>;

/** Counts the work: polls by outcome, and stages reached. */
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
  const count = (before: ObservationMemory | null, { memory, observation }: JudgedTarget): void => {
    polls.inc({ status: observation.status });
    if (memory.stage !== before?.stage) stages.inc({ stage: memory.stage });
  };
  return {
    ...work,
    async observe(input, call) {
      const result = await work.observe(input, call);
      count(input.memory, result);
      return result;
    },
    async observeStep(input, call) {
      const result = await work.observeStep(input, call);
      count(input.memory, result);
      return result;
    },
  };
}

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
