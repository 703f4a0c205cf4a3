import { defineUpdate, setHandler } from '@temporalio/workflow';
import { OPERATOR_UPDATES, type RecheckAnswer } from '@launch/contracts/orchestration';
import type { OperatorConsole } from './operator-console.js';
import { rejection } from './operator-rejection.js';
import type { StepPauses } from './step-pauses.js';

const recheck = defineUpdate<RecheckAnswer, []>(OPERATOR_UPDATES.recheck);

/**
 * Receives the operator's requests to observe immediately. A request that arrives during an observation causes another
 * one after it.
 */
export class RecheckRequests {
  private asked = false;

  constructor(shown: OperatorConsole, pauses: StepPauses) {
    setHandler(
      recheck,
      () => {
        this.asked = true;
        return { stage: shown.stage };
      },
      {
        description:
          'Observes both chains immediately and records the result. Takes no input. Rejected while a failed step is repeated.',
        validator: () => {
          if (pauses.isPausing)
            throw rejection('stepInTrouble', 'a step failed and is repeated; retryNow begins its next attempt');
        },
      },
    );
    shown.offer(() =>
      pauses.isPausing ? null : { update: OPERATOR_UPDATES.recheck, effect: 'observe at once and record the result' },
    );
  }

  hasNews(): boolean {
    return this.asked;
  }

  /** Returns whether an operator asked for the observation that begins, and forgets the request. */
  take(): boolean {
    const { asked } = this;
    this.asked = false;
    return asked;
  }
}
