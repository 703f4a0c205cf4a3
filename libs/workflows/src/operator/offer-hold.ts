import { defineUpdate, setHandler } from '@temporalio/workflow';
import { OPERATOR_UPDATES, type HoldAnswer } from '@launch/contracts/orchestration';
import type { OperatorConsole } from './operator-console.js';
import { checkHoldReason, rejection } from './operator-rejection.js';

const hold = defineUpdate<HoldAnswer, [reason: string | null | undefined]>(OPERATOR_UPDATES.hold);
const release = defineUpdate<HoldAnswer, []>(OPERATOR_UPDATES.release);

interface HoldOptions {
  readonly shown: OperatorConsole;
  /** When the permit's window ends, ISO 8601. */
  readonly until: string;
  readonly onChange: () => void;
}

/**
 * Lets an operator hold a plan: no further step is offered. What is offered stays, since its controller has its bytes; it
 * is looked at as before. A hold does not stop the clock.
 */
export class OfferHold {
  private wasReleased = false;

  /** @param held whether an earlier run of the plan was held. */
  constructor(
    private held: boolean,
    { shown, until, onChange }: HoldOptions,
  ) {
    const change = (to: boolean): HoldAnswer => {
      this.held = to;
      this.wasReleased = !to;
      onChange();
      return { held: to, until };
    };
    setHandler(hold, () => change(true), {
      description:
        'Offers no further step of this plan until it is released. Input: a reason, a JSON string, or nothing. ' +
        'A step that is offered can be sent all the same. The end of the permit window ends the plan.',
      validator: (reason) => {
        checkHoldReason(reason);
        if (this.held) throw rejection('alreadyHeld', 'the plan is held; release goes on with it');
      },
    });
    setHandler(release, () => change(false), {
      description: 'Goes on with a held plan. Takes no input. Rejected while the plan is not held.',
      validator: () => {
        if (!this.held) throw rejection('notHeld', 'the plan is not held');
      },
    });
    shown.offer(() =>
      this.held
        ? { update: OPERATOR_UPDATES.release, effect: 'go on with the plan' }
        : { update: OPERATOR_UPDATES.hold, effect: 'offer no further step until it is released' },
    );
  }

  get isHeld(): boolean {
    return this.held;
  }

  /** Whether the plan was released since the last looks began. */
  hasNews(): boolean {
    return this.wasReleased;
  }

  take(): void {
    this.wasReleased = false;
  }
}
