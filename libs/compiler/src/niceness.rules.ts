/** Processor time, ms, from which each step holds, the lowest priority first. */
const STEPS = [
  { fromMs: 4_000, niceness: 15 },
  { fromMs: 2_000, niceness: 5 },
] as const;

/**
 * Returns the niceness of a compilation whose request has used so much processor time, ms. What has used least goes
 * first: most compilations end within some seconds, and a slow one must not double the time of each.
 *
 * It ends at 15. Beside five compilations of the usual niceness on two cores that is still the processor time that
 * `StallWatch` counts as progress; at 19 it would not be.
 */
export const nicenessOf = (usedMs: number): number => STEPS.find(({ fromMs }) => usedMs >= fromMs)?.niceness ?? 0;
