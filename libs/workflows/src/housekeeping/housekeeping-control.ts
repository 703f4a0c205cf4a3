import { condition, defineUpdate, log, setHandler, upsertMemo } from '@temporalio/workflow';
import {
  OPERATOR_UPDATES,
  PAUSE_MEMO,
  type HousekeepingAnswer,
  type HousekeepingInput,
  type HousekeepingPause,
} from '@launch/contracts/orchestration';
import { asCode } from '../operator/details.markdown.js';
import type { OperatorConsole } from '../operator/operator-console.js';
import { checkReason, rejection } from '../operator/operator-rejection.js';

const pause = defineUpdate<HousekeepingAnswer, [reason: string]>(OPERATOR_UPDATES.pause);
const resume = defineUpdate<HousekeepingAnswer, [reason: string]>(OPERATOR_UPDATES.resume);
const trigger = defineUpdate<HousekeepingAnswer, [reason: string]>(OPERATOR_UPDATES.trigger);

/**
 * Lets an operator pause a task of housekeeping, resume it, and begin a round immediately. A running round continues.
 */
export class HousekeepingControl {
  private paused: HousekeepingPause | null;
  private isTriggered: boolean;

  constructor(
    private readonly shown: OperatorConsole,
    { pause: paused, isTriggered = false }: HousekeepingInput,
  ) {
    this.paused = paused;
    this.isTriggered = isTriggered;
    // Must precede the handlers: an update that was sent to the previous run is handled as soon as its handler is set.
    if (paused !== null) this.change(paused);
    setHandler(pause, (reason) => this.change({ reason, since: new Date().toISOString() }), {
      description:
        'Begins no further round until it is resumed; a running round continues. Input: a reason, a JSON string. Rejected while it is paused.',
      validator: (reason) => {
        checkReason(reason);
        if (this.paused !== null) throw rejection('alreadyPaused', 'it is paused; resume continues it');
      },
    });
    setHandler(
      resume,
      (reason) => {
        log.info('resumed by an operator', { reason });
        return this.change(null);
      },
      {
        description: 'Continues a paused task. Input: a reason, a JSON string. Rejected while it is not paused.',
        validator: (reason) => {
          checkReason(reason);
          if (this.paused === null) throw rejection('notPaused', 'it is not paused');
        },
      },
    );
    setHandler(
      trigger,
      (reason) => {
        log.info('triggered by an operator', { reason });
        this.isTriggered = true;
        return this.answer();
      },
      {
        description:
          'Begins a round immediately, even while paused; during a round, one after it. Input: a reason, a JSON string. Rejected while such a round is pending.',
        validator: (reason) => {
          checkReason(reason);
          if (this.isTriggered) throw rejection('alreadyTriggered', 'a requested round begins next');
        },
      },
    );
    shown.offer(() =>
      this.paused === null
        ? { update: OPERATOR_UPDATES.pause, effect: 'begin no further round until it is resumed' }
        : { update: OPERATOR_UPDATES.resume, effect: 'go on' },
    );
    shown.offer(() => ({ update: OPERATOR_UPDATES.trigger, effect: 'begin a round at once' }));
  }

  /** Waits until the next round may begin. @param waitMs milliseconds since the previous round; 0 for immediately. */
  async due(waitMs: number): Promise<void> {
    for (let rest = waitMs; !this.isTriggered;) {
      if (this.paused !== null) {
        await condition(() => this.paused === null || this.isTriggered);
        rest = 0;
      } else if (rest <= 0) break;
      else if (!(await condition(() => this.paused !== null || this.isTriggered, rest, PAUSE_BETWEEN))) break;
    }
  }

  /** Begins a round; a later request asks for another one. */
  begin(): void {
    this.isTriggered = false;
  }

  /** State that the next run begins with. */
  input(): HousekeepingInput {
    return { pause: this.paused, isTriggered: this.isTriggered };
  }

  private change(to: HousekeepingPause | null): HousekeepingAnswer {
    this.paused = to;
    upsertMemo({ [PAUSE_MEMO]: to });
    this.shown.waiting(
      to === null ? null : `an operator to resume it; paused since ${to.since}, because: ${asCode(to.reason)}`,
    );
    return this.answer();
  }

  private answer(): HousekeepingAnswer {
    return { paused: this.paused !== null };
  }
}

const PAUSE_BETWEEN = { summary: 'Pause until the next round' };
