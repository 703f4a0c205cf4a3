import type { Logger } from 'pino';

const DEFAULT_TIMEOUT_MS = 25_000;

/**
 * Stops the parts of a process before it exits, in the reverse order of their registration. The last part to start (it
 * accepts work) stops first; the parts that all others depend on (pools, connections) stop last.
 */
export class Shutdown {
  readonly #steps: { name: string; run: () => unknown }[] = [];
  #running: Promise<void> | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
    private readonly exit: (code: number) => void = (code) => process.exit(code),
  ) {}

  add(name: string, run: () => unknown): void {
    this.#steps.push({ name, run });
  }

  /** True once the shutdown has begun; parts should then accept no more work. */
  get started(): boolean {
    return this.#running !== undefined;
  }

  /** Handles SIGTERM and SIGINT: the first drains and exits with 0, the second exits at once with 1. */
  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (this.started) this.exit(1);
        else void this.finish(signal, 0);
      });
    }
  }

  /** Runs every step once, logs each failure, then exits with the code (1 if a step failed or time ran out). */
  finish(reason: string, code: number): Promise<void> {
    this.#running ??= this.#run(reason, code);
    return this.#running;
  }

  async #run(reason: string, code: number): Promise<void> {
    this.logger.info({ reason }, 'stopping');
    const timer = setTimeout(() => {
      this.logger.fatal({ timeoutMs: this.timeoutMs }, 'did not stop in time');
      this.exit(1);
    }, this.timeoutMs);
    let exitCode = code;
    for (const step of [...this.#steps].reverse()) {
      try {
        await step.run();
      } catch (error) {
        exitCode = 1;
        this.logger.error({ step: step.name, err: error }, 'a step of stopping failed');
      }
    }
    clearTimeout(timer);
    this.logger.info({ exitCode }, 'stopped');
    this.exit(exitCode);
  }
}
