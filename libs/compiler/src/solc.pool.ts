import { CompilerError, type CompilerErrorData } from './compiler.errors.js';
import type { ChildAnswer, CompileLimit } from './compiler.output.js';
import type { PinnedCompiler } from './compiler.versions.js';
import { SolcProcess, type ProcessLimits } from './solc.process.js';

export type PoolOptions = ProcessLimits & {
  /** Jobs after which a process is replaced: solc frees little. */
  readonly jobsPerProcess: number;
  /** Compilations at once, over all versions. */
  readonly concurrency: number;
  /** Compilations that may wait; one more is refused with `COMPILER_BUSY`. */
  readonly maxQueued: number;
  /** A warm process nobody used for so long is ended, ms. */
  readonly idleMs: number;
};

/** A deterministic end of a job: what was compiled or named, what was wrong with the source, or the bound it hit. */
export type PoolOutcome =
  | Exclude<ChildAnswer, { kind: 'ready' | 'limit' | 'unreadable' }>
  | { readonly kind: 'limit'; readonly limit: CompileLimit };

/**
 * A job without an outcome. `engine`: V8 ended the process. `defect`: the process ended by itself or gave an answer that
 * nobody foresaw. `host`: it was killed from outside, or could not be started.
 */
type Failure = {
  readonly kind: 'failure';
  readonly by: 'engine' | 'defect' | 'host';
  readonly data: CompilerErrorData;
};

type Warm = { process: SolcProcess; jobs: number; idle: NodeJS.Timeout | undefined };

// How V8 ends a process whose heap or stack it cannot grow. The same input does it again; the kernel's own
// out-of-memory killer and an operator use SIGKILL, which says nothing about the input.
const ENGINE_DEATHS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);
// Twice the processor time, and a minute at least: what a job may lose to its neighbours before the machine is to blame.
const wallMsOf = (cpuMs: number): number => Math.max(2 * cpuMs, 60_000);

/** One warm process a version, serial within a version, bounded in all. */
export class SolcPool {
  readonly #options: PoolOptions;
  readonly #warm = new Map<string, Warm>();
  readonly #busy = new Set<string>();
  readonly #running = new Set<SolcProcess>();
  #queue: { version: string; start: () => void; refuse: (error: CompilerError) => void }[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs one prepared input. Throws CompilerError where there is no verdict. */
  async run(compiler: PinnedCompiler, input: Uint8Array, signal: AbortSignal | undefined): Promise<PoolOutcome> {
    await this.#enter(compiler.version, signal);
    try {
      const first = await this.#attempt(compiler, input, signal, await this.#obtain(compiler));
      if (first.kind !== 'failure') return first;
      // In a process that no earlier job can have harmed.
      const second = await this.#attempt(compiler, input, signal, await this.#start(compiler));
      if (second.kind !== 'failure') return second;
      if (second.by === 'engine') return { kind: 'limit', limit: 'memory' };
      throw new CompilerError(
        first.by === 'defect' && second.by === 'defect' ? 'COMPILER_DEFECT' : 'COMPILER_CRASHED',
        second.data,
      );
    } finally {
      this.#leave(compiler.version);
    }
  }

  /** Ends every process and refuses what waits. Resolves when the processes are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    const waiting = this.#queue;
    this.#queue = [];
    for (const job of waiting) job.refuse(new CompilerError('COMPILER_CLOSED'));
    const processes = new Set([...this.#running, ...[...this.#warm.values()].map((warm) => warm.process)]);
    for (const { idle } of this.#warm.values()) clearTimeout(idle);
    this.#warm.clear();
    for (const process of processes) process.kill();
    await Promise.all([...processes].map((process) => process.ended()));
  }

  async #attempt(
    compiler: PinnedCompiler,
    input: Uint8Array,
    signal: AbortSignal | undefined,
    warm: Warm,
  ): Promise<PoolOutcome | Failure> {
    const { version } = compiler;
    this.#running.add(warm.process);
    let keep = false;
    try {
      const end = await warm.process.run(input, wallMsOf(this.#options.timeoutMs), signal);
      switch (end.kind) {
        case 'answer':
          keep = end.answer.reusable;
          if (end.answer.kind === 'unreadable') return { kind: 'failure', by: 'defect', data: { version } };
          return end.answer.kind === 'limit' ? { kind: 'limit', limit: end.answer.limit } : end.answer;
        case 'unexpected':
          keep = end.reusable;
          return { kind: 'failure', by: 'defect', data: { version } };
        case 'limit':
          return end;
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
      this.#running.delete(warm.process);
      this.#release(version, warm, keep);
    }
  }

  async #obtain(compiler: PinnedCompiler): Promise<Warm> {
    const warm = this.#warm.get(compiler.version);
    this.#warm.delete(compiler.version);
    if (warm !== undefined) {
      clearTimeout(warm.idle);
      if (warm.process.alive) return warm;
    }
    return this.#start(compiler);
  }

  async #start(compiler: PinnedCompiler): Promise<Warm> {
    const process = await SolcProcess.start(compiler, this.#options);
    if (this.#closed) {
      process.kill();
      throw new CompilerError('COMPILER_CLOSED', { version: compiler.version });
    }
    return { process, jobs: 0, idle: undefined };
  }

  #release(version: string, warm: Warm, keep: boolean): void {
    warm.jobs += 1;
    const surplus = this.#warm.has(version);
    if (!keep || surplus || this.#closed || warm.jobs >= this.#options.jobsPerProcess) return warm.process.kill();
    warm.idle = setTimeout(() => {
      this.#warm.delete(version);
      warm.process.kill();
    }, this.#options.idleMs);
    warm.idle.unref();
    this.#warm.set(version, warm);
  }

  #enter(version: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#closed) return Promise.reject(new CompilerError('COMPILER_CLOSED', { version }));
    if (signal?.aborted === true) return Promise.reject(new CompilerError('COMPILER_ABORTED', { version }));
    if (this.#mayStart(version)) {
      this.#busy.add(version);
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
        version,
        start: (): void => (forget(), resolve()),
        refuse: (error: CompilerError): void => (forget(), reject(error)),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(job);
    });
  }

  #mayStart(version: string): boolean {
    return !this.#busy.has(version) && this.#busy.size < this.#options.concurrency;
  }

  #leave(version: string): void {
    this.#busy.delete(version);
    const next = this.#queue.find((job) => this.#mayStart(job.version));
    if (next === undefined) return;
    this.#queue = this.#queue.filter((job) => job !== next);
    this.#busy.add(next.version);
    next.start();
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
