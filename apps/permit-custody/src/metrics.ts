import { Counter, type Registry } from '@launch/platform';

/** Counts the calls of custody and their outcomes. */
export function custodyMetrics(registry: Registry): { called(activity: string, outcome: string): void } {
  const outcomes = new Counter({
    name: 'custody_activities_total',
    help: 'Calls of custody by activity and outcome',
    labelNames: ['activity', 'outcome'],
    registers: [registry],
  });
  return { called: (activity, outcome) => outcomes.inc({ activity, outcome }) };
}
