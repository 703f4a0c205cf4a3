import type { CompileCache } from './compile.cache.js';
import { rememberedOutcomeSchema, type RememberedOutcome } from './compiler.output.js';
import { CompilerError } from './compiler.errors.js';
import type { PoolJob, SolcPool } from './solc.pool.js';

/** Processor time that a compilation may use of a common budget, in ms. */
export type CompileAllowance = {
  /**
   * Remaining budget. A remembered result costs its original time, so that the same inputs always end in the same way.
   */
  readonly budgetMs: number;
  /** Time that this attempt may use. A remembered result uses none. */
  readonly attemptMs: number;
  /** Processor time, in ms, that the request already used. A request with more use yields more to others. */
  readonly spentMs: number;
};

export const UNBOUNDED: CompileAllowance = {
  budgetMs: Number.POSITIVE_INFINITY,
  attemptMs: Number.POSITIVE_INFINITY,
  spentMs: 0,
};

/** The bound that ended a compilation before it had an outcome: the remaining budget, or the time of the attempt. */
export type AllowanceBound = 'budget' | 'attempt';

export type BoundedOutcome = {
  readonly outcome: RememberedOutcome | { readonly kind: 'unfinished'; readonly by: AllowanceBound };
  /** Processor time, ms, that counts against the budget. */
  readonly costMs: number;
  /** Processor time, ms, that this call used. */
  readonly usedMs: number;
};

export type BoundedJob = Pick<PoolJob, 'compiler' | 'input' | 'signal'> & {
  /** Digest of everything that decides the outcome, except the time. */
  readonly key: string;
  /** Processor time of one compilation, ms. */
  readonly limitMs: number;
};

type Options = {
  readonly pool: Pick<SolcPool, 'run'>;
  readonly process: PoolJob['process'];
  readonly cache: CompileCache | undefined;
  readonly onCacheFailure: ((error: unknown) => void) | undefined;
};

/** Runs jobs within their allowance, and reuses remembered outcomes and insufficient times. */
export class BoundedCompilation {
  constructor(private readonly options: Options) {}

  /** @throws CompilerError if there is no outcome. */
  async run(job: BoundedJob, { budgetMs, attemptMs, spentMs }: CompileAllowance): Promise<BoundedOutcome> {
    const { key, limitMs, ...asked } = job;
    const mayCost = Math.min(limitMs, budgetMs);
    const mayUse = Math.min(mayCost, attemptMs);
    const known = await this.remembered(key);
    if (known !== undefined) {
      if (needsMoreThan(mayCost, known)) return outOfTime(mayCost, limitMs, 0);
      if (!isOutOfTime(known)) return { outcome: known, costMs: known.cpuMs, usedMs: 0 };
      if (needsMoreThan(mayUse, known)) return unfinished('attempt', 0);
    }
    if (mayUse <= 0 && mayUse < limitMs) return unfinished(mayUse < mayCost ? 'attempt' : 'budget', 0);

    const outcome = await this.outcomeOf({ ...asked, cpuMs: Math.ceil(mayUse), spentMs });
    await this.remember(key, outcome);
    if (!isOutOfTime(outcome)) return { outcome, costMs: outcome.cpuMs, usedMs: outcome.cpuMs };
    return mayUse < mayCost ? unfinished('attempt', mayUse) : outOfTime(mayCost, limitMs, mayUse);
  }

  private async outcomeOf(job: Omit<PoolJob, 'process'>): Promise<RememberedOutcome> {
    const ended = await this.options.pool.run({ ...job, process: this.options.process });
    // The compiler counts time in steps. A remembered outcome must not exceed the time that it was produced within.
    const cpuMs = Math.min(ended.cpuMs, job.cpuMs);
    switch (ended.kind) {
      case 'compiled':
        return { kind: ended.kind, contracts: ended.contracts, cpuMs };
      case 'named':
        return { kind: ended.kind, immutables: ended.immutables, cpuMs };
      case 'errors':
        return { kind: ended.kind, errors: ended.errors, cpuMs };
      case 'limit':
        return { kind: ended.kind, limit: ended.limit, cpuMs };
      case 'built':
        throw new CompilerError('COMPILER_DEFECT', { version: job.compiler.version });
    }
  }

  private async remembered(key: string): Promise<RememberedOutcome | undefined> {
    const bytes = await this.options.cache?.get(key);
    if (bytes === undefined) return undefined;
    const parsed = rememberedOutcomeSchema.safeParse(parseOrUndefined(bytes));
    return parsed.success ? parsed.data : undefined;
  }

  private async remember(key: string, outcome: RememberedOutcome): Promise<void> {
    try {
      await this.options.cache?.put(key, new TextEncoder().encode(JSON.stringify(outcome)));
    } catch (error) {
      this.options.onCacheFailure?.(error);
    }
  }
}

const isOutOfTime = (outcome: RememberedOutcome): boolean => outcome.kind === 'limit' && outcome.limit === 'time';

/** Returns whether an outcome needed more time. The `cpuMs` of a job that ran out of time is its insufficient time. */
const needsMoreThan = (ms: number, known: RememberedOutcome): boolean =>
  isOutOfTime(known) ? known.cpuMs >= ms : known.cpuMs > ms;

const unfinished = (by: AllowanceBound, usedMs: number): BoundedOutcome => ({
  outcome: { kind: 'unfinished', by },
  costMs: usedMs,
  usedMs,
});

/** Returns the compilation's own limit, or the remaining budget if that is less. */
const outOfTime = (mayCost: number, limitMs: number, usedMs: number): BoundedOutcome =>
  mayCost < limitMs
    ? unfinished('budget', usedMs)
    : { outcome: { kind: 'limit', limit: 'time', cpuMs: limitMs }, costMs: limitMs, usedMs };

function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
