import type { CustodyOperations, SignPermitInput, SignPermitResult } from '@launch/contracts/orchestration';
import { MAX_FAULTS, MAX_LOSSES, watched, type StepTrouble, type StepWatch } from '../steps/bounded-steps.js';
import { StepAbandoned, stepEndOf } from '../steps/step-end.js';

export interface SignSteps {
  readonly custody: Pick<CustodyOperations, 'signPermit'>;
  /** Waits before the next attempt at an irreversible step. */
  readonly pause: (milliseconds: number, trouble: StepTrouble) => Promise<void>;
  readonly watch?: StepWatch;
  /** Called and awaited once, before the first call to custody. */
  readonly beforeCustody?: () => Promise<void> | undefined;
  readonly isWindowOver: () => boolean;
}

const SIGN_PAUSE_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 15_000] as const;

/**
 * Requests a signature with one call at a time. Custody is idempotent by digest, so a repeated call after a
 * crash returns the same permit or refusal. During an outage of custody only the end of the permit's window ends the
 * attempts; after faults the workflow stops after a few.
 * @throws StepAbandoned
 */
export async function signUntilAnswered(steps: SignSteps, input: SignPermitInput): Promise<SignPermitResult> {
  const count = { fault: 0, lost: 0, outage: 0, over: 0 };
  const before = steps.beforeCustody?.();
  if (before !== undefined) await before;
  return watched(steps.watch, 'signPermit', input, async (onFailure) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await steps.custody.signPermit(input);
      } catch (error) {
        const end = stepEndOf(error);
        if (end === null) throw error;
        const { kind, code } = end;
        onFailure(code);
        count[kind] += 1;
        const isFault = count.fault >= MAX_FAULTS || count.lost >= MAX_LOSSES;
        if (isFault || kind === 'over' || steps.isWindowOver())
          throw new StepAbandoned('signPermit', isFault ? 'fault' : 'outage', code);
        await steps.pause(SIGN_PAUSE_MS[Math.min(attempts, SIGN_PAUSE_MS.length) - 1] ?? 15_000, {
          step: 'signPermit',
          code,
          attempts,
        });
      }
    }
  });
}
