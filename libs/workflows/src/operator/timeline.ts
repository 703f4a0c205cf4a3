import type { StepOutcome, StepTimeline, TimelineStep } from '@launch/contracts/orchestration';

/** An observation has a thousand steps per run; the last ones show its state. */
const MAX_STEPS = 100;

/** One open step; its creator reports the outcome. */
export interface StepRecord {
  /** Records a failed attempt; another one may follow. */
  failed(code: string): void;
  /** @param answer the result of the step, if it returned. */
  end(outcome: Exclude<StepOutcome, 'open'>, answer?: unknown): void;
}

/** Steps of a run with start, end and outcome; bounded. */
export class Timeline {
  private readonly kept: { -readonly [K in keyof TimelineStep]: TimelineStep[K] }[] = [];
  private dropped = 0;

  /** @param now the workflow's clock, milliseconds. */
  constructor(private readonly now: () => number) {}

  begin(step: string): StepRecord {
    const entry: (typeof this.kept)[number] = {
      step,
      startedAt: this.time(),
      endedAt: null,
      outcome: 'open',
      attempts: 1,
      lastFailure: null,
    };
    this.kept.push(entry);
    if (this.kept.length > MAX_STEPS) {
      this.kept.shift();
      this.dropped += 1;
    }
    let failures = 0;
    return {
      failed: (code) => {
        failures += 1;
        entry.attempts = failures;
        entry.lastFailure = code;
      },
      end: (outcome) => {
        entry.endedAt = this.time();
        entry.outcome = outcome;
        if (outcome === 'answered') entry.attempts = failures + 1;
      },
    };
  }

  /** Returns the open steps, earliest first. */
  open(): readonly TimelineStep[] {
    return this.kept.filter(({ endedAt }) => endedAt === null);
  }

  view(): StepTimeline {
    return { steps: this.kept.map((entry) => ({ ...entry })), dropped: this.dropped };
  }

  private time(): string {
    return new Date(this.now()).toISOString();
  }
}
