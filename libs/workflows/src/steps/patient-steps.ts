import type { Patience, StepTrouble, StepWatch } from './bounded-steps.js';

/** Milliseconds between attempts; the last one repeats. */
const PAUSES = [1_000, 15_000, 60_000, 300_000, 900_000, 3_600_000] as const;

/**
 * For steps that cannot be given up, because the chain continues by itself. A failing step is repeated at growing
 * intervals of up to an hour and shown to operators until it succeeds.
 */
export function endlessPatience(hooks: {
  readonly pause: Patience['pause'];
  readonly watch: StepWatch;
  readonly onTrouble: (trouble: StepTrouble) => void;
  readonly onRecovery: () => void;
}): Patience {
  return { ...hooks, faults: Number.POSITIVE_INFINITY, losses: Number.POSITIVE_INFINITY, pauses: PAUSES };
}

/** Returns the text of a trouble for the workflow's memo; empty without trouble. */
export const troubleText = ({ step, code, attempts }: StepTrouble): string => `${step}: ${code}, ${attempts} times`;
