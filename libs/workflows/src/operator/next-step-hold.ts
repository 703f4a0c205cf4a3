import { defineUpdate, setHandler } from '@temporalio/workflow';
import { OPERATOR_UPDATES, type HoldAnswer } from '@launch/contracts/orchestration';
import type { OperatorConsole } from './operator-console.js';
import { checkHoldReason, rejection } from './operator-rejection.js';

const hold = defineUpdate<HoldAnswer, [reason: string | null | undefined]>(OPERATOR_UPDATES.hold);
const release = defineUpdate<HoldAnswer, []>(OPERATOR_UPDATES.release);

interface HoldOptions {
  readonly shown: OperatorConsole;
  /** The held object, in one word. */
  readonly what: string;
  /** The effect of a hold, as an operator reads it beside the update. */
  readonly effect: string;
  /** The update's description: the effect of a hold and its limits, in sentences. */
  readonly description: string;
  /** Time when the held object ends by itself, ISO 8601; null for never. */
  readonly until: string | null;
  readonly onChange: () => void;
}

/**
 * Lets an operator hold the next step of a workflow: a plan's next offer, a review's next build. Steps that already
 * began continue, and are observed as before. A hold does not extend any deadline.
 */
export class NextStepHold {
  private wasReleased = false;

  /** @param held whether an earlier run was held. */
  constructor(
    private held: boolean,
    { shown, what, effect, description, until, onChange }: HoldOptions,
  ) {
    const change = (to: boolean): HoldAnswer => {
      this.held = to;
      this.wasReleased = !to;
      onChange();
      return { held: to, until };
    };
    setHandler(hold, () => change(true), {
      description,
      validator: (reason) => {
        checkHoldReason(reason);
        if (this.held) throw rejection('alreadyHeld', `the ${what} is held; release continues it`);
      },
    });
    setHandler(release, () => change(false), {
      description: `Continues a held ${what}. Takes no input. Rejected while the ${what} is not held.`,
      validator: () => {
        if (!this.held) throw rejection('notHeld', `the ${what} is not held`);
      },
    });
    shown.offer(() =>
      this.held
        ? { update: OPERATOR_UPDATES.release, effect: `continue the ${what}` }
        : { update: OPERATOR_UPDATES.hold, effect },
    );
  }

  get isHeld(): boolean {
    return this.held;
  }

  /** Returns whether it was released since the last call of `take`. */
  hasNews(): boolean {
    return this.wasReleased;
  }

  take(): void {
    this.wasReleased = false;
  }
}
