import { condition, defineUpdate, setHandler } from '@temporalio/workflow';
import { OPERATOR_UPDATES, type HoldAnswer } from '@launch/contracts/orchestration';
import { StepAbandoned } from '../steps/step-end.js';
import type { OperatorConsole } from './operator-console.js';
import { checkHoldReason, rejection } from './operator-rejection.js';

const hold = defineUpdate<HoldAnswer, [reason: string | null | undefined]>(OPERATOR_UPDATES.hold);
const release = defineUpdate<HoldAnswer, []>(OPERATOR_UPDATES.release);

/** The stage of a launch that an operator holds. */
const HELD = 'held';
/** Steps by which a launch is refused. */
const REFUSING = ['issueRefusal', 'refuseLaunch'];

interface HoldOptions {
  readonly shown: OperatorConsole;
  /** Milliseconds since 1970: the end of the permit's window, which ends a held launch. */
  readonly windowEnd: number;
  /** Sets the stage that operators filter by; called with `held`, and with the previous stage after the hold. */
  readonly onStage: (stage: string) => void;
}

/**
 * Lets an operator hold a launch between two steps, until the call to custody for a permit. After that call a permit
 * may exist, which a hold could not prevent. A hold does not extend the window.
 */
export class LaunchHold {
  private reason: string | null = null;
  private end: 'custodyAsked' | 'decided' | null = null;
  private waiters = 0;
  /** The stage of the launch when the first step had to wait. */
  private stageBefore = '';

  constructor(private readonly options: HoldOptions) {
    const { shown } = options;
    setHandler(hold, (reason) => this.begin(reason), {
      description:
        'Begins no further step of this admission until it is released. Input: a reason, a JSON string, or nothing. ' +
        'Rejected after the call to custody for a permit. The end of the permit window ends a held launch.',
      validator: (reason) => this.checkHold(reason),
    });
    setHandler(release, () => this.release(), {
      description: 'Continues a held launch. Takes no input. Rejected while the launch is not held.',
      validator: () => {
        if (this.reason === null) throw rejection('notHeld', 'the launch is not held');
      },
    });
    shown.offer(() => {
      if (this.reason !== null) return { update: OPERATOR_UPDATES.release, effect: 'continue the launch' };
      return this.end === null
        ? { update: OPERATOR_UPDATES.hold, effect: 'begin no further step before custody until it is released' }
        : null;
    });
  }

  /** Waits for the release of a held launch before a step begins. A refusal ends every hold. */
  readonly before = (step: string): Promise<void> | undefined => {
    if (REFUSING.includes(step)) this.endsFor('decided');
    return this.reason === null ? undefined : this.released();
  };

  /** Waits likewise before the call to custody for a permit, after which no operator can hold the launch. */
  readonly beforeCustody = (): Promise<void> | undefined => {
    if (this.reason !== null) return this.released().then(() => this.beforeCustody());
    this.endsFor('custodyAsked');
    return undefined;
  };

  private endsFor(why: 'custodyAsked' | 'decided'): void {
    this.end ??= why;
    this.reason = null;
    this.options.shown.refresh();
  }

  /** @throws StepAbandoned when the window is over first. */
  private async released(): Promise<void> {
    const { shown, windowEnd, onStage } = this.options;
    if (this.waiters++ === 0) {
      this.stageBefore = shown.stage;
      onStage(HELD);
    }
    const record = shown.begin('hold');
    const inTime = await condition(() => this.reason === null, Math.max(windowEnd - Date.now(), 1), {
      summary: 'Held by an operator, at most until the permit window ends',
    });
    record.end(inTime ? 'answered' : 'abandoned');
    if (--this.waiters === 0) onStage(this.stageBefore);
    if (inTime) return;
    this.endsFor('decided');
    throw new StepAbandoned('hold', 'hold', 'OPERATOR_HOLD');
  }

  private checkHold(reason: unknown): void {
    checkHoldReason(reason);
    if (this.end === 'custodyAsked')
      throw rejection(
        'custodyAsked',
        'custody was asked for a permit and may have committed to one, so it is too late to hold',
      );
    if (this.end === 'decided') throw rejection('decided', 'the launch is being refused, so there is nothing to hold');
    if (this.reason !== null) throw rejection('alreadyHeld', 'the launch is held; release continues it');
  }

  private begin(reason: string | null | undefined): HoldAnswer {
    this.reason = reason ?? '';
    this.options.shown.waiting(`an operator to release the launch; the window ends it at ${this.until()}`);
    return { held: true, until: this.until() };
  }

  private release(): HoldAnswer {
    this.reason = null;
    this.options.shown.waiting(null);
    return { held: false, until: this.until() };
  }

  private until(): string {
    return new Date(this.options.windowEnd).toISOString();
  }
}
