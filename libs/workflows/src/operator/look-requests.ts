import { defineUpdate, setHandler } from '@temporalio/workflow';
import { OPERATOR_UPDATES, type LookAgainAnswer } from '@launch/contracts/orchestration';
import type { OperatorConsole } from './operator-console.js';
import { rejection } from './operator-rejection.js';
import type { StepPauses } from './step-pauses.js';

const lookAgain = defineUpdate<LookAgainAnswer, []>(OPERATOR_UPDATES.lookAgain);

/** Looks that an operator asked for; one that is asked for during a look is done after it. */
export class LookRequests {
  private asked = false;

  constructor(shown: OperatorConsole, pauses: StepPauses) {
    setHandler(
      lookAgain,
      () => {
        this.asked = true;
        return { stage: shown.stage };
      },
      {
        description:
          'Looks at both chains at once and records what is seen. Takes no input. Rejected while a failed step is tried again.',
        validator: () => {
          if (pauses.isPausing)
            throw rejection('stepInTrouble', 'a step failed and is tried again; retryNow begins its next attempt');
        },
      },
    );
    shown.offer(() =>
      pauses.isPausing ? null : { update: OPERATOR_UPDATES.lookAgain, effect: 'look at once, and record what is seen' },
    );
  }

  hasNews(): boolean {
    return this.asked;
  }

  /** Whether the look that begins was asked for. */
  take(): boolean {
    const { asked } = this;
    this.asked = false;
    return asked;
  }
}
