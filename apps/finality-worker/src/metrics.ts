import type { FinalityActivities } from '@launch/contracts/orchestration';
import { Counter, type Registry } from '@launch/platform';
import type { ActivityWork } from '@launch/worker';

/** The same work, counted: looks by outcome, and stages reached. */
export function measured(work: ActivityWork<FinalityActivities>, registry: Registry): ActivityWork<FinalityActivities> {
  const looks = new Counter({
    name: 'launch_finality_looks_total',
    help: 'Looks at launches, by whether the observers agreed',
    labelNames: ['status'],
    registers: [registry],
  });
  const stages = new Counter({
    name: 'launch_finality_stage_changes_total',
    help: 'Stages that launches moved to',
    labelNames: ['stage'],
    registers: [registry],
  });
  return {
    ...work,
    async observe(input, call) {
      const result = await work.observe(input, call);
      looks.inc({ status: result.observation.status });
      if (result.memory.stage !== input.memory?.stage) stages.inc({ stage: result.memory.stage });
      return result;
    },
  };
}
