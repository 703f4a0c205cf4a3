import type { CompileAllowance, Spent } from '@launch/compiler';

/** Processor time of a request's compilation, in ms. */
export interface CompileLane {
  /** Processor time of all units together, over all attempts. */
  readonly budgetMs: number;
  /** Processor time of this attempt. */
  readonly attemptMs: number;
  /** Processor time of earlier attempts: the compiler of a request that has used much yields to others. */
  readonly spentMs: number;
}

/** Counts the time that an attempt has spent of its lane, unit by unit. */
export class CompileSpending {
  private costMs = 0;
  private usedMs = 0;

  constructor(private readonly lane: CompileLane) {}

  /** Returns the time left for the next unit. */
  get left(): CompileAllowance {
    const { budgetMs, attemptMs, spentMs } = this.lane;
    return {
      budgetMs: budgetMs - this.costMs,
      attemptMs: attemptMs - this.usedMs,
      spentMs: spentMs + this.usedMs,
    };
  }

  add({ costMs, usedMs }: Spent): void {
    this.costMs += costMs;
    this.usedMs += usedMs;
  }
}
