import type { Logger } from 'pino';

/** Resolves if the dependency responds, and rejects otherwise. */
export type ReadinessCheck = () => Promise<unknown>;

export interface ReadinessReport {
  status: 'ready' | 'unavailable';
  checks: Record<string, 'ok' | 'failed' | 'timeout'>;
  /**
   * Parts that an operator switched off, with their state; absent if there are none. The process can work without them.
   */
  degraded?: Record<string, string>;
}

export interface ReadinessOptions {
  /** The deadline of each check in milliseconds; default 2,000. */
  readonly timeoutMs?: number;
  /** Returns the state of a switched-off part in a word, or null while it is on. Does not affect readiness. */
  readonly degradations?: Readonly<Record<string, () => string | null>>;
}

const DEFAULT_TIMEOUT_MS = 2_000;
const KEEP_MS = 500;

/**
 * Reports whether a process can work, by checks that run concurrently, each with a deadline. One run answers a burst of
 * requests. Reasons go to the log; the report only names the checks.
 */
export class Readiness {
  #draining = false;
  #latest: { at: number; report: Promise<ReadinessReport> } | undefined;
  #logged = '';

  constructor(
    private readonly checks: Readonly<Record<string, ReadinessCheck>>,
    private readonly logger?: Logger,
    private readonly options: ReadinessOptions = {},
  ) {}

  /** Marks the process as not ready from now on, because it is stopping. */
  drain(): void {
    this.#draining = true;
    this.#latest = undefined;
  }

  async report(): Promise<ReadinessReport> {
    if (this.#draining) return { status: 'unavailable', checks: { draining: 'failed' } };
    const now = Date.now();
    if (this.#latest === undefined || now - this.#latest.at > KEEP_MS) this.#latest = { at: now, report: this.#run() };
    return this.#latest.report;
  }

  async #run(): Promise<ReadinessReport> {
    const entries = await Promise.all(
      Object.entries(this.checks).map(async ([name, check]) => [name, await this.#outcome(name, check)] as const),
    );
    const status = entries.every(([, outcome]) => outcome === 'ok') ? 'ready' : 'unavailable';
    const summary = entries.map(([name, outcome]) => `${name}=${outcome}`).join(' ');
    if (summary !== this.#logged && (status !== 'ready' || this.#logged !== ''))
      this.logger?.warn({ checks: summary }, `readiness: ${status}`);
    this.#logged = summary;
    const degraded = Object.entries(this.options.degradations ?? {}).flatMap(([name, state]) => {
      const word = state();
      return word === null ? [] : [[name, word] as const];
    });
    return {
      status,
      checks: Object.fromEntries(entries),
      ...(degraded.length === 0 ? {} : { degraded: Object.fromEntries(degraded) }),
    };
  }

  async #outcome(name: string, check: ReadinessCheck): Promise<'ok' | 'failed' | 'timeout'> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(() => resolve('timeout'), this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
      timer.unref();
    });
    try {
      return await Promise.race([check().then(() => 'ok' as const), timeout]);
    } catch (error) {
      this.logger?.debug({ check: name, err: error }, 'readiness check failed');
      return 'failed';
    } finally {
      clearTimeout(timer);
    }
  }
}
