import { Worker, type Transferable } from 'node:worker_threads';

/**
 * The reason why a question has no answer.
 * - `busy`: too many questions wait for a thread.
 * - `timeout`, `memory`: the question exceeded a thread's limits; a retry would too.
 * - `ended`: the thread failed.
 * - `closed`: the pool is closed.
 */
export type ThreadFailure = 'busy' | 'timeout' | 'memory' | 'ended' | 'closed';

export class ThreadError extends Error {
  override readonly name = 'ThreadError';
  /** Whether a retry of the same question may succeed. */
  readonly retryable: boolean;

  constructor(readonly reason: ThreadFailure) {
    super(`no thread answered: ${reason}`);
    this.retryable = reason !== 'timeout' && reason !== 'memory';
  }
}

export interface ThreadPoolOptions {
  /** The module that each thread runs: it answers every message with one message. */
  readonly script: URL;
  readonly threads: number;
  /** The most questions that wait for a thread; further ones are refused. */
  readonly maxWaiting: number;
  /** The time limit of one question, after which its thread is terminated. */
  readonly timeoutMs: number;
  /** Heap of a thread, in MiB. */
  readonly memoryMb: number;
  /** Called with each error that ends a thread. */
  readonly onFailure: (error: unknown) => void;
}

interface Job<Question, Answer> {
  readonly question: Question;
  readonly transfer: readonly Transferable[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: ThreadError) => void;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Runs work that would block the event loop on a few threads, one question per thread at a time, bounded in time,
 * memory and number. Replaces a thread that fails or exceeds its time.
 */
export class ThreadPool<Question, Answer> {
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly waiting: Job<Question, Answer>[] = [];
  private closed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  /**
   * Sends a question to the next free thread.
   * @param transfer memory that the thread takes over instead of a copy.
   * @throws ThreadError
   */
  ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    if (this.closed) return Promise.reject(new ThreadError('closed'));
    if (this.waiting.length >= this.options.maxWaiting) return Promise.reject(new ThreadError('busy'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, transfer, resolve, reject });
      this.next();
    });
  }

  /** Terminates every thread and refuses the waiting questions. */
  async close(): Promise<void> {
    this.closed = true;
    for (const job of this.waiting.splice(0)) job.reject(new ThreadError('closed'));
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private next(): void {
    if (this.waiting.length === 0) return;
    const worker = this.idle.pop() ?? (this.all.size < this.options.threads ? this.start() : undefined);
    const job = worker === undefined ? undefined : this.waiting.shift();
    if (worker !== undefined && job !== undefined) this.run(worker, job);
  }

  private start(): Worker {
    const { script, memoryMb, onFailure } = this.options;
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb }, env: {}, execArgv: [] });
    this.all.add(worker);
    worker.unref();
    // Listens for as long as the thread lives: an unhandled error would end the service. The thread's exit event
    // follows.
    worker.on('error', onFailure);
    worker.once('exit', () => {
      this.all.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
      if (!this.closed) this.next();
    });
    return worker;
  }

  private run(worker: Worker, job: Job<Question, Answer>): void {
    let failure: ThreadFailure = 'ended';
    const settle = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const onMessage = (answer: Answer): void => {
      settle();
      job.resolve(answer);
      this.idle.push(worker);
      this.next();
    };
    const onError = (error: unknown): void => {
      if ((error as { readonly code?: unknown }).code === OUT_OF_MEMORY) failure = 'memory';
    };
    const onExit = (): void => {
      settle();
      job.reject(new ThreadError(this.closed ? 'closed' : failure));
    };
    const timer = setTimeout(() => {
      settle();
      job.reject(new ThreadError('timeout'));
      void worker.terminate();
    }, this.options.timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job.question, job.transfer);
  }
}
