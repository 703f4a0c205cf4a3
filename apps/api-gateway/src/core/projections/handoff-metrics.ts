import { Histogram, type Registry } from '@launch/platform';
import type { Clock } from '../../platform/tokens.js';
import type { FamilyRepository } from './family.repository.js';
import type { ProjectionActivities } from './projection.activities.js';

/** From the fastest admission to the longest permit window. */
const SECONDS = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600];

/**
 * Measures the time from the reservation of a launch to its recorded hand-off. An activity that Temporal repeats is
 * measured again; its launch waited that much longer.
 */
export function measureHandoffs(
  work: ProjectionActivities,
  {
    launches,
    clock,
    metrics,
  }: {
    readonly launches: Pick<FamilyRepository, 'familyOf' | 'reservedAt'>;
    readonly clock: Clock;
    readonly metrics: Registry;
  },
): ProjectionActivities {
  const seconds = new Histogram({
    name: 'launch_handoff_duration_seconds',
    help: 'Time from the reservation of a launch to its hand-off.',
    labelNames: ['family'],
    buckets: SECONDS,
    registers: [metrics],
  });
  return {
    ...work,
    async recordHandoff(input) {
      await work.recordHandoff(input);
      const [family, reservedAt] = await Promise.all([
        launches.familyOf(input.launchId),
        launches.reservedAt(input.launchId),
      ]);
      if (reservedAt !== null) seconds.observe({ family }, Math.max(0, (clock.now() - reservedAt.getTime()) / 1_000));
    },
  };
}
