import { condition, defineUpdate, setHandler } from '@temporalio/workflow';
import { OPERATOR_UPDATES, type RetryNowAnswer } from '@launch/contracts/orchestration';
import type { StepTrouble } from '../steps/bounded-steps.js';
import type { OperatorConsole } from './operator-console.js';
import { rejection } from './operator-rejection.js';

const retryNow = defineUpdate<RetryNowAnswer, []>(OPERATOR_UPDATES.retryNow);

/** Pauses between a workflow's attempts at a step; `retryNow` ends all of them. */
export class StepPauses {
  private readonly pausing = new Set<StepTrouble>();

  constructor(private readonly shown: OperatorConsole) {
    setHandler(retryNow, () => this.end(), {
      description: 'Ends the pause before the next attempt at a step. Takes no input. Rejected while no step pauses.',
      validator: () => {
        if (this.pausing.size === 0) throw rejection('notPausing', 'no step pauses; the details show the current step');
      },
    });
    shown.offer(() =>
      this.pausing.size === 0
        ? null
        : { update: OPERATOR_UPDATES.retryNow, effect: 'end the pause, the next attempt begins at once' },
    );
  }

  get isPausing(): boolean {
    return this.pausing.size > 0;
  }

  /** Ends after the time, or when an operator ends it. */
  readonly pause = async (milliseconds: number, trouble: StepTrouble): Promise<void> => {
    const { step, code, attempts } = trouble;
    this.pausing.add(trouble);
    const next = new Date(Date.now() + milliseconds).toISOString();
    this.shown.waiting(`the next attempt at \`${step}\` at ${next}, after \`${code}\``);
    try {
      // The server accepts no timer of zero length.
      await condition(() => !this.pausing.has(trouble), Math.max(milliseconds, 1), {
        summary: `Pause after attempt ${attempts} at ${step}: ${code}`,
      });
    } finally {
      this.pausing.delete(trouble);
      this.shown.waiting(null);
    }
  };

  private end(): RetryNowAnswer {
    const steps = [...this.pausing].map(({ step }) => step);
    this.pausing.clear();
    return { steps };
  }
}
