import type { Patience, StepTrouble, StepWatch } from './bounded-steps.js';

/** Milliseconds; the last one before every further attempt. */
const PAUSES = [1_000, 15_000, 60_000, 300_000, 900_000, 3_600_000] as const;

/**
 * For steps that cannot be given up, since the chain goes on by itself. A step that its service cannot do is tried
 * again at ever longer intervals, at last once an hour. An operator is told until it answers.
 */
export function endlessPatience(hooks: {
  readonly pause: Patience['pause'];
  readonly watch: StepWatch;
  readonly onTrouble: (trouble: StepTrouble) => void;
  readonly onRecovery: () => void;
}): Patience {
  return { ...hooks, faults: Number.POSITIVE_INFINITY, losses: Number.POSITIVE_INFINITY, pauses: PAUSES };
}

/** How a workflow's memo names a trouble; empty when there is none. */
export const troubleText = ({ step, code, attempts }: StepTrouble): string => `${step}: ${code}, ${attempts} times`;
