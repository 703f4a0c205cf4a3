import { availableParallelism } from 'node:os';
import type { ServedCode, ServedFinding } from '@launch/contracts/errors';
import { ThreadError, ThreadPool, type Logger, type ThreadFailure } from '@launch/platform';
import { ApiError } from '@launch/http/requests';
import { inlineFormReader, type FormReader, type ReadRequest } from './form-reader.js';
import type { RequestForm } from './request-form.js';

/** What a worker thread is asked. */
export interface FormQuestion {
  /** The form by its name. */
  readonly form: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly beside: unknown;
}

/** What a worker thread answers; whatever else it throws ends it. */
export type FormAnswer =
  | ({ readonly kind: 'read' } & ReadRequest<unknown>)
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
  /** What a thread runs: a module that calls `serveForms`. */
  readonly script: URL;
}

const WHY: Readonly<Record<ThreadFailure, string>> = {
  busy: 'no thread is free to read a request',
  timeout: 'a request took too long to read',
  memory: 'a request took too much memory to read',
  ended: 'a thread ended',
  closed: 'the service is stopping',
};

/**
 * Parsing and hashing 16 MiB takes seconds of processor time, which must not stop every other answer. So large requests
 * are read by a few worker threads, one each at a time, bounded in time, memory and number.
 */
export class FormReaderPool implements FormReader {
  private readonly pool: ThreadPool<FormQuestion, FormAnswer>;
  private readonly inlineBytes: number;

  constructor({ logger, threads, inlineBytes, maxWaiting, timeoutMs, script }: FormPoolOptions) {
    this.inlineBytes = inlineBytes ?? 64 * 1024;
    this.pool = new ThreadPool({
      script,
      threads: threads ?? Math.max(1, Math.min(4, availableParallelism() - 1)),
      maxWaiting: maxWaiting ?? 64,
      timeoutMs: timeoutMs ?? 30_000,
      memoryMb: 1_024,
      onFailure: (error) => logger.error({ err: error }, 'a thread that reads requests failed'),
    });
  }

  async read<Beside, Form>(
    form: RequestForm<Beside, Form>,
    bytes: Uint8Array<ArrayBuffer>,
    beside: Beside,
  ): Promise<ReadRequest<Form>> {
    if (bytes.length <= this.inlineBytes) return inlineFormReader.read(form, bytes, beside);
    const answer = await this.ask({ form: form.name, bytes, beside });
    if (answer.kind === 'refused')
      throw new ApiError(answer.code, { findings: answer.findings, wholeFindings: answer.wholeFindings });
    // A thread answers with the form that it was asked for.
    return { form: answer.form as Form, bytes: answer.bytes };
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async ask(question: FormQuestion): Promise<FormAnswer> {
    try {
      return await this.pool.ask(question, [question.bytes.buffer]);
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: new Error(WHY[error.reason]) });
    }
  }
}
