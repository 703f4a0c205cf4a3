import { log } from '@temporalio/workflow';
import type { Patience } from '../steps/bounded-steps.js';
import { troubleText } from '../steps/patient-steps.js';
import type { OperatorConsole } from './operator-console.js';

/**
 * Returns the hooks that log a step's trouble, show it to operators, and end it when the step succeeds.
 * @param note records the trouble as a text of one line, which is empty after a recovery.
 */
export const troubleHooks = (
  shown: OperatorConsole,
  note: (trouble: string) => void,
): Required<Pick<Patience, 'onTrouble' | 'onRecovery'>> => ({
  onTrouble(trouble) {
    log.warn('a step is in trouble', { ...trouble });
    shown.troubled(trouble);
    note(troubleText(trouble));
  },
  onRecovery() {
    shown.troubled(null);
    note('');
  },
});
