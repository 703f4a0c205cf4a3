import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ServedCode, ServedFinding } from '@launch/contracts';
import type { Logger } from '@launch/platform';
import { ApiError } from '@launch/http/requests';
import { inlineFormReader, type FormReader, type ReadRequest } from './form-reader.js';
import type { BesideOf, FormOf, ReadableFamily } from './forms.js';

/** What a worker thread is asked. */
export interface FormQuestion {
  readonly family: ReadableFamily;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly context: BesideOf<ReadableFamily>;
}

/** What a worker thread answers; whatever else it throws ends it. */
export type FormAnswer =
  | ({ readonly kind: 'read' } & ReadRequest<FormOf<ReadableFamily>>)
  | {
      readonly kind: 'refused';
      readonly code: ServedCode;
      readonly findings: readonly ServedFinding[];
      readonly wholeFindings: readonly ServedFinding[];
    };

export interface FormPoolOptions {
  readonly logger: Logger;
  /** Threads; default one less than the cores, 1 to 4. */
  readonly threads?: number;
  /** Requests up to this many bytes are read by the caller's own thread. */
  readonly inlineBytes?: number;
  /** Requests waiting for a thread beyond which new ones are asked to come back. */
  readonly maxWaiting?: number;
  readonly timeoutMs?: number;
  /** What a thread runs; default the reader beside this module. */
  readonly script?: URL;
}

interface Job {
  readonly question: FormQuestion;
  readonly resolve: (answer: FormAnswer) => void;
  readonly reject: (error: Error) => void;
}

const unavailable = (why: string): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: new Error(why) });

/**
 * Parsing and hashing 16 MiB takes seconds of processor time, which must not stop every other answer. So large requests
 * are read by a few worker threads, one each at a time, bounded in time, memory and number.
 */
export class FormReaderPool implements FormReader {
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly waiting: Job[] = [];
  private readonly logger: Logger;
  private readonly threads: number;
  private readonly inlineBytes: number;
  private readonly maxWaiting: number;
  private readonly timeoutMs: number;
  private readonly script: URL;
  private closed = false;

  constructor(options: FormPoolOptions) {
    this.logger = options.logger;
    this.threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism() - 1));
    this.inlineBytes = options.inlineBytes ?? 64 * 1024;
    this.maxWaiting = options.maxWaiting ?? 64;
    this.timeoutMs = options.timeoutMs ?? 30_000;
    this.script = options.script ?? new URL('./request-form.worker.js', import.meta.url);
  }

  async read<Family extends ReadableFamily>(
    family: Family,
    bytes: Uint8Array<ArrayBuffer>,
    context: BesideOf<Family>,
  ): Promise<ReadRequest<FormOf<Family>>> {
    if (bytes.length <= this.inlineBytes) return inlineFormReader.read(family, bytes, context);
    if (this.closed || this.waiting.length >= this.maxWaiting) throw unavailable('no thread is free to read a request');
    const answer = await new Promise<FormAnswer>((resolve, reject) => {
      this.waiting.push({ question: { family, bytes, context }, resolve, reject });
      this.next();
    });
    if (answer.kind === 'refused')
      throw new ApiError(answer.code, { findings: answer.findings, wholeFindings: answer.wholeFindings });
    // A thread answers what it was asked.
    return { form: answer.form as FormOf<Family>, bytes: answer.bytes };
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const job of this.waiting.splice(0)) job.reject(unavailable('the service is stopping'));
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private next(): void {
    if (this.waiting.length === 0) return;
    const worker = this.idle.pop() ?? (this.all.size < this.threads ? this.start() : undefined);
    const job = worker === undefined ? undefined : this.waiting.shift();
    if (worker !== undefined && job !== undefined) this.run(worker, job);
  }

  private start(): Worker {
    const worker = new Worker(this.script, {
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
      env: {},
      execArgv: [],
    });
    this.all.add(worker);
    worker.unref();
    // Heard for as long as it lives: an error nobody listens to would end the service. Its end follows.
    worker.on('error', (error) => this.logger.error({ err: error }, 'a thread that reads requests failed'));
    worker.once('exit', () => {
      this.all.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
      if (!this.closed) this.next();
    });
    return worker;
  }

  private run(worker: Worker, job: Job): void {
    const settle = (error: Error | null, answer?: FormAnswer): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      if (error !== null || answer === undefined) {
        job.reject(error ?? unavailable('no answer'));
        return;
      }
      job.resolve(answer);
      this.idle.push(worker);
      this.next();
    };
    const onMessage = (answer: FormAnswer): void => settle(null, answer);
    const onExit = (): void => settle(unavailable('a thread ended'));
    const timer = setTimeout(() => {
      settle(unavailable('a request took too long to read'));
      void worker.terminate();
    }, this.timeoutMs);
    worker.on('message', onMessage).on('exit', onExit);
    worker.postMessage(job.question, [job.question.bytes.buffer]);
  }
}
