import type { CustodyActivities, SignPermitInput, SignPermitResult } from '@launch/contracts/orchestration';
import { MAX_FAULTS, MAX_LOSSES } from '../steps/bounded-steps.js';
import { StepAbandoned, stepEndOf } from '../steps/step-end.js';

export interface SignSteps {
  readonly custody: Pick<CustodyActivities, 'signPermit'>;
  /** Waits before the next attempt at an irreversible step; virtual time in tests. */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly isWindowOver: () => boolean;
  /** False where a run that asked for ever goes through what it did before. */
  readonly mayGiveUp: () => boolean;
}

const SIGN_PAUSE_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 15_000] as const;

/**
 * Signing is one attempt of the activity at a time; custody is idempotent by digest,
 * so asking again after a crash yields the same permit or the refusal. While custody is away
 * only the permit's window ends the asking; what custody cannot do at all is asked a few times.
 * @throws StepAbandoned
 */
export async function signUntilAnswered(steps: SignSteps, input: SignPermitInput): Promise<SignPermitResult> {
  const count = { fault: 0, lost: 0, outage: 0, over: 0 };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await steps.custody.signPermit(input);
    } catch (error) {
      const end = stepEndOf(error);
      if (end === null) throw error;
      count[end.kind] += 1;
      const isFault = count.fault >= MAX_FAULTS || count.lost >= MAX_LOSSES;
      if ((isFault || end.kind === 'over' || steps.isWindowOver()) && steps.mayGiveUp())
        throw new StepAbandoned('signPermit', isFault ? 'fault' : 'outage', end.code);
      await steps.pause(SIGN_PAUSE_MS[Math.min(attempt, SIGN_PAUSE_MS.length - 1)] ?? 15_000);
    }
  }
}
