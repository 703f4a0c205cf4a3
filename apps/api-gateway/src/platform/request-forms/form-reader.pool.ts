import { availableParallelism } from 'node:os';
import type { ServedCode, ServedFinding } from '@launch/contracts/errors';
import { ThreadError, ThreadPool, type Logger, type ThreadFailure } from '@launch/platform';
import { ApiError } from '@launch/http/requests';
import { inlineFormReader, type FormReader, type ReadRequest } from './form-reader.js';
import type { RequestForm } from './request-form.js';

/** A request to a worker thread. */
export interface FormQuestion {
  /** The name of the form. */
  readonly form: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly beside: unknown;
}

/** The answer of a worker thread; any other error that it throws ends it. */
export type FormAnswer =
  | ({ readonly kind: 'read' } & ReadRequest<unknown>)
  | {
      readonly kind: 'refused';
      readonly code: ServedCode;
      readonly findings: readonly ServedFinding[];
      readonly detailedFindings: readonly ServedFinding[];
    };

export interface FormPoolOptions {
  readonly logger: Logger;
  /** Number of threads; defaults to one less than the cores, within 1 to 4. */
  readonly threads?: number;
  /** Largest request, in bytes, that the caller's own thread reads. */
  readonly inlineBytes?: number;
  /** Requests that wait for a thread, at most; clients of further requests are asked to retry. */
  readonly maxWaiting?: number;
  readonly timeoutMs?: number;
  /** The module that a thread runs; it calls `serveForms`. */
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
 * Reads large requests in a few worker threads, one request each at a time, bounded in time, memory and number. Parsing and
 * hashing 16 MiB takes seconds of processor time, which must not block all other answers.
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
      onFailure: (error) => logger.error({ err: error }, 'a reader thread failed'),
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
      throw new ApiError(answer.code, { findings: answer.findings, detailedFindings: answer.detailedFindings });
    // A thread answers with the requested form.
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
