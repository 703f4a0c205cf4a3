import { CompilerError, type CompilerErrorData } from './compiler.errors.js';
import type { ChildAnswer, CompileLimit } from './compiler.output.js';
import type { PinnedCompiler } from './compiler.versions.js';
import { SolcProcess, type ProcessLimits } from './solc.process.js';

export type PoolOptions = ProcessLimits & {
  /** Jobs after which a process is replaced, because solc frees little memory. */
  readonly jobsPerProcess: number;
  /** Concurrent compilations over all versions. */
  readonly concurrency: number;
  /** The most processes, warm ones included; at least `concurrency`. It bounds the memory. */
  readonly maxProcesses: number;
  /** Compilations that may wait; one more is refused with `COMPILER_BUSY`. */
  readonly maxQueued: number;
  /** A warm process that is idle for so long is ended, ms. */
  readonly idleMs: number;
};

/** A deterministic end of a job: the result, the errors of the source, or the bound that it hit. */
export type PoolOutcome =
  | Exclude<ChildAnswer, { kind: 'ready' | 'limit' | 'unreadable' }>
  | { readonly kind: 'limit'; readonly limit: CompileLimit; readonly cpuMs: number };

export type PoolJob = {
  readonly compiler: PinnedCompiler;
  /** The prepared input. */
  readonly input: Uint8Array;
  /** Processor time, ms. */
  readonly cpuMs: number;
  /**
   * `shared`: in a warm process that may have run other jobs. `own`: in a process that runs only this job.
   * `own-with-spare`: like `own`, and the next process of this version is loaded ahead.
   */
  readonly process: 'shared' | 'own' | 'own-with-spare';
  /**
   * Processor time, in ms, that its request already used. A job of a request with more use yields more to others. A job
   * in a shared process does not yield, because the next job would inherit its priority.
   */
  readonly spentMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * A job without an outcome. `engine`: V8 ended the process. `defect`: the process ended by itself or gave an invalid
 * answer. `host`: it was killed from outside or could not start.
 */
type Failure = {
  readonly kind: 'failure';
  readonly by: 'engine' | 'defect' | 'host';
  readonly data: CompilerErrorData;
};

type Warm = { readonly version: string; process: SolcProcess; jobs: number; idle: NodeJS.Timeout | undefined };

// Signals by which V8 ends a process whose heap or stack it cannot grow; the same input repeats that. The kernel's
// out-of-memory killer and operators use SIGKILL, which says nothing about the input.
const ENGINE_DEATHS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);
/** Time without processor use after which a job counts as stalled by the machine. */
const STALL_MS = 60_000;

/**
 * Warm processes, as many per version as jobs run at once, with one job at a time in each. Their total is bounded: a
 * process of a version without recent jobs is replaced.
 */
export class SolcPool {
  readonly #options: PoolOptions;
  /** Longest idle first. */
  #warm: Warm[] = [];
  #busy = 0;
  /** Spare processes that are being loaded. */
  #loading = 0;
  /** Started processes that are not gone yet, including those that are ending. */
  readonly #living = new Set<SolcProcess>();
  #queue: { start: () => void; refuse: (error: CompilerError) => void }[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs one job. @throws CompilerError if there is no verdict. */
  async run(job: PoolJob): Promise<PoolOutcome> {
    const { compiler, signal } = job;
    await this.#enter(compiler.version, signal);
    try {
      const first = await this.#attempt(job, await this.#obtain(job));
      if (first.kind !== 'failure') return first;
      // A process that no earlier job can have harmed.
      const second = await this.#attempt(job, await this.#start(compiler));
      if (second.kind !== 'failure') return second;
      if (second.by === 'engine') return { kind: 'limit', limit: 'memory', cpuMs: job.cpuMs };
      throw new CompilerError(
        first.by === 'defect' && second.by === 'defect' ? 'COMPILER_DEFECT' : 'COMPILER_CRASHED',
        second.data,
      );
    } finally {
      this.#leave();
      if (job.process === 'own-with-spare') void this.#loadSpare(compiler);
    }
  }

  /** Ends every process and refuses waiting jobs. Resolves when the processes are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    const waiting = this.#queue;
    this.#queue = [];
    for (const job of waiting) job.refuse(new CompilerError('COMPILER_CLOSED'));
    for (const { idle } of this.#warm) clearTimeout(idle);
    this.#warm = [];
    for (const process of this.#living) process.kill();
    await Promise.all([...this.#living].map((process) => process.ended()));
  }

  async #attempt(job: PoolJob, warm: Warm): Promise<PoolOutcome | Failure> {
    const { input, cpuMs, spentMs = 0, signal } = job;
    const { version } = job.compiler;
    const isShared = job.process === 'shared';
    let keep = false;
    try {
      const end = await warm.process.run(input, {
        cpuMs,
        stallMs: STALL_MS,
        spentMs: isShared ? undefined : spentMs,
        signal,
      });
      switch (end.kind) {
        case 'answer':
          keep = end.answer.reusable && isShared;
          if (end.answer.kind === 'unreadable') return { kind: 'failure', by: 'defect', data: { version } };
          return end.answer;
        case 'unexpected':
          keep = end.reusable && isShared;
          return { kind: 'failure', by: 'defect', data: { version } };
        case 'limit':
          return { ...end, cpuMs };
        case 'stalled':
          throw new CompilerError('COMPILER_STALLED', { version });
        case 'aborted':
          throw new CompilerError('COMPILER_ABORTED', { version });
        case 'died':
          if (this.#closed) throw new CompilerError('COMPILER_CLOSED', { version });
          return {
            kind: 'failure',
            by: causeOfDeath(end),
            data: { version, exitCode: end.exitCode, signal: end.signal },
          };
      }
    } finally {
      this.#release(warm, keep);
    }
  }

  async #obtain({ compiler, process }: PoolJob): Promise<Warm> {
    for (;;) {
      // The most recently used one, so that surplus processes become idle.
      const warm = this.#warm.findLast(
        (one) => one.version === compiler.version && (process === 'shared' || one.jobs === 0),
      );
      if (warm === undefined) return this.#start(compiler);
      this.#take(warm);
      if (warm.process.alive) return warm;
    }
  }

  async #start(compiler: PinnedCompiler): Promise<Warm> {
    while (this.#warm.length > 0 && this.#warm.length + this.#busy + this.#loading > this.#options.maxProcesses) {
      const longestIdle = this.#warm[0]!;
      this.#take(longestIdle);
      longestIdle.process.kill();
    }
    const process = await SolcProcess.start(compiler, this.#options);
    this.#living.add(process);
    void process.ended().then(() => this.#living.delete(process));
    if (this.#closed) {
      process.kill();
      throw new CompilerError('COMPILER_CLOSED', { version: compiler.version });
    }
    return { version: compiler.version, process, jobs: 0, idle: undefined };
  }

  /** Loads a process for the next job of this version, if there is none and there is room. */
  async #loadSpare(compiler: PinnedCompiler): Promise<void> {
    const isThere = this.#warm.some((one) => one.version === compiler.version);
    if (isThere || this.#closed || this.#warm.length + this.#busy + this.#loading >= this.#options.maxProcesses) return;
    this.#loading += 1;
    const spare = await this.#start(compiler).catch(() => undefined);
    this.#loading -= 1;
    // The next job starts its own process and reports the failure.
    if (spare === undefined) return;
    if (this.#warm.length + this.#busy < this.#options.maxProcesses) this.#keepWarm(spare);
    else spare.process.kill();
  }

  /** Removes a process from the warm ones, to use or end it. */
  #take(warm: Warm): void {
    clearTimeout(warm.idle);
    this.#warm = this.#warm.filter((one) => one !== warm);
  }

  #release(warm: Warm, keep: boolean): void {
    warm.jobs += 1;
    if (!keep || this.#closed || warm.jobs >= this.#options.jobsPerProcess) return warm.process.kill();
    this.#keepWarm(warm);
  }

  #keepWarm(warm: Warm): void {
    warm.idle = setTimeout(() => {
      this.#take(warm);
      warm.process.kill();
    }, this.#options.idleMs);
    warm.idle.unref();
    this.#warm.push(warm);
  }

  #enter(version: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#closed) return Promise.reject(new CompilerError('COMPILER_CLOSED', { version }));
    if (signal?.aborted === true) return Promise.reject(new CompilerError('COMPILER_ABORTED', { version }));
    if (this.#busy < this.#options.concurrency) {
      this.#busy += 1;
      return Promise.resolve();
    }
    if (this.#queue.length >= this.#options.maxQueued)
      return Promise.reject(new CompilerError('COMPILER_BUSY', { version }));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue = this.#queue.filter((waiting) => waiting !== job);
        reject(new CompilerError('COMPILER_ABORTED', { version }));
      };
      const forget = (): void => signal?.removeEventListener('abort', onAbort);
      const job = {
        start: (): void => (forget(), resolve()),
        refuse: (error: CompilerError): void => (forget(), reject(error)),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(job);
    });
  }

  /** Gives the place to the job that waits longest. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#busy -= 1;
    else next.start();
  }
}

function causeOfDeath({
  exitCode,
  signal,
}: {
  readonly exitCode: number | null;
  readonly signal: string | null;
}): Failure['by'] {
  if (signal !== null) return ENGINE_DEATHS.has(signal) ? 'engine' : 'host';
  return exitCode === null ? 'host' : 'defect';
}
