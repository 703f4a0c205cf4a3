import { Counter, type Registry } from '@launch/platform';
import type { StepTrouble } from './activity-step.js';

/** Registers the count of failed steps. Returns the function that counts one. */
export function countTrouble(registry: Registry): (trouble: Pick<StepTrouble, 'step' | 'code'>) => void {
  const failures = new Counter({
    name: 'launch_step_failures_total',
    help: 'Failed attempts of steps, by the code that the workflow received.',
    labelNames: ['step', 'code'],
    registers: [registry],
  });
  return ({ step, code }) => failures.inc({ step, code });
}

/** Logs and counts each step's trouble; the error itself stays out of every history. */
export function reportTrouble(
  logger: { warn(fields: object, message: string): void },
  registry: Registry,
): (trouble: StepTrouble) => void {
  const count = countTrouble(registry);
  return (trouble) => {
    count(trouble);
    logger.warn(trouble, trouble.isOutage ? 'a step waits for a part that does not answer' : 'a step failed');
  };
}
