import type { StepOutcome, StepTimeline, TimelineStep } from '@launch/contracts/orchestration';

/** An observation makes a thousand steps a run; the last ones tell where it stands. */
const MAX_STEPS = 100;

/** One step as it goes; its maker says what becomes of it. */
export interface StepRecord {
  /** An attempt gave no answer; another one may follow. */
  failed(code: string): void;
  /** @param answer what the step answered, where it did. */
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

  /** Open steps, the earliest first. */
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
