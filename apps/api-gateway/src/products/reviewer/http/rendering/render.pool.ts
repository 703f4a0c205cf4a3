import { ApiError } from '@launch/http';
import { ThreadError, ThreadPool, type Logger } from '@launch/platform';
import { RenderingTooLarge, type RenderQuestion, type ReviewRenderer } from '../../domain/review-rendering.js';

export interface RenderPoolOptions {
  readonly logger: Logger;
  /** Default 2. */
  readonly threads?: number;
  /** Default 10,000. */
  readonly timeoutMs?: number;
  /** The requests of one reviewer that may wait for the reviewer's others. Default 8. */
  readonly maxWaitingOfOne?: number;
  /** The module that a thread runs. Default: the renderer beside this module. */
  readonly script?: URL;
}

const MAX_WAITING = 32;
const MEMORY_MB = 512;

const unavailable = (cause: unknown): ApiError => new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause });

/**
 * Renders in threads of their own. A package's text costs its reviewer at most the time and memory of one rendering,
 * and never blocks the event loop. One rendering of each reviewer runs at a time, so a large one does not delay other
 * reviewers.
 */
export class RenderPool implements ReviewRenderer {
  private readonly pool: ThreadPool<RenderQuestion, Uint8Array>;
  private readonly maxWaitingOfOne: number;
  /** The last rendering of each reviewer, and the number of the reviewer's open ones. */
  private readonly turns = new Map<string, { last: Promise<unknown>; waiting: number }>();

  constructor({ logger, threads, timeoutMs, maxWaitingOfOne, script }: RenderPoolOptions) {
    this.maxWaitingOfOne = maxWaitingOfOne ?? 8;
    this.pool = new ThreadPool({
      script: script ?? new URL('./render.worker.js', import.meta.url),
      threads: threads ?? 2,
      maxWaiting: MAX_WAITING,
      timeoutMs: timeoutMs ?? 10_000,
      memoryMb: MEMORY_MB,
      onFailure: (error) => logger.error({ err: error }, 'a thread that renders reviews failed'),
    });
  }

  async render(reviewer: string, question: RenderQuestion): Promise<Uint8Array> {
    const turn = this.turns.get(reviewer) ?? { last: Promise.resolve(), waiting: 0 };
    if (turn.waiting >= this.maxWaitingOfOne) throw unavailable('a reviewer has too many pages rendered');
    turn.waiting += 1;
    this.turns.set(reviewer, turn);
    const rendered = turn.last.then(() => this.ask(question));
    turn.last = rendered.catch(() => undefined);
    try {
      return await rendered;
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.turns.delete(reviewer);
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async ask(question: RenderQuestion): Promise<Uint8Array> {
    try {
      return await this.pool.ask(question, memoryOf(question));
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      if (error.reason === 'timeout' || error.reason === 'memory')
        throw new RenderingTooLarge(`a rendering ended by its ${error.reason}`);
      throw unavailable(error);
    }
  }
}

/** The memory that is transferred to the thread without a copy. */
function memoryOf(question: RenderQuestion): ArrayBuffer[] {
  const bytes =
    'files' in question
      ? question.files.flatMap(({ old, now }) => [old, now])
      : [
          'request' in question ? question.request : null,
          'bytes' in question ? question.bytes : null,
          'findings' in question ? question.findings : null,
        ];
  return bytes.flatMap((one) => (one === null ? [] : [one.buffer]));
}
