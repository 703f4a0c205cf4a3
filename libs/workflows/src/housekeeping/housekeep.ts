import { log, makeContinueAsNewFunc, upsertMemo, workflowInfo } from '@temporalio/workflow';
import { PAUSE_MEMO, type HousekeepingInput } from '@launch/contracts/orchestration';
import { OperatorConsole } from '../operator/operator-console.js';
import type { StepTrouble } from '../steps/bounded-steps.js';
import { StepAbandoned, stepEndOf } from '../steps/step-end.js';
import { troubleText } from '../steps/patient-steps.js';
import { HousekeepingControl } from './housekeeping-control.js';

export interface HousekeepingTask {
  /** Milliseconds until the next round after one that failed. */
  readonly everyMs: number;
  /** The most rounds of one run. */
  readonly maxRounds: number;
  /** Does the work once, in steps of bounded time. @returns milliseconds until the next round; 0 for immediately. */
  readonly round: (shown: OperatorConsole) => Promise<number>;
}

type Housekeeping = (input?: HousekeepingInput) => Promise<void>;

/**
 * Repeats a task, one round at a time, and continues in a new run when the history is long. A failed round is shown,
 * and the next one does its work, because every round starts from the state of the databases.
 */
export async function housekeep(
  input: HousekeepingInput | undefined,
  { everyMs, maxRounds, round }: HousekeepingTask,
): Promise<never> {
  const shown = new OperatorConsole('waiting');
  const control = new HousekeepingControl(shown, input ?? { pause: null });
  let waitMs = 0;
  let failures = 0;
  for (let rounds = 0; rounds < maxRounds && !workflowInfo().continueAsNewSuggested; rounds += 1) {
    await control.due(waitMs);
    control.begin();
    shown.reached('working');
    try {
      waitMs = await round(shown);
      if (failures > 0) tell(shown, null);
      failures = 0;
    } catch (error) {
      const end = error instanceof StepAbandoned ? error : stepEndOf(error);
      if (end === null) throw error;
      failures += 1;
      tell(shown, { step: end.step ?? 'round', code: end.code, attempts: failures });
      waitMs = everyMs;
    }
    shown.reached('waiting');
  }
  await control.due(waitMs);
  const next = control.input();
  // Without it the next run would have the memo of the first one.
  return makeContinueAsNewFunc<Housekeeping>({ memo: { [PAUSE_MEMO]: next.pause } })(next);
}

function tell(shown: OperatorConsole, trouble: StepTrouble | null): void {
  if (trouble !== null) log.warn('a round failed', { ...trouble });
  shown.troubled(trouble);
  upsertMemo({ trouble: trouble === null ? '' : troubleText(trouble) });
}
