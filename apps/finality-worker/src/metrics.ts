import type { FinalityActivities } from '@launch/contracts/orchestration';
import { Counter, type Registry } from '@launch/platform';

/** The same activities, counted: looks by outcome, and stages reached. */
export function measured(activities: FinalityActivities, registry: Registry): FinalityActivities {
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
    ...activities,
    async observe(input) {
      const result = await activities.observe(input);
      looks.inc({ status: result.observation.status });
      if (result.memory.stage !== input.memory?.stage) stages.inc({ stage: result.memory.stage });
      return result;
    },
  };
}
