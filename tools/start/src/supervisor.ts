import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs until it ends by itself or is stopped. */
export interface Running {
  pid: number;
  exited: Promise<void>;
  stop(): Promise<void>;
}

export interface SupervisorEvents {
  /** A component ended without being asked and is started again after `delayMs`. */
  onCrash(name: string, attempt: number, delayMs: number): void;
  onRestarted(name: string): void;
  /** It does not come up any more. */
  onGivenUp(name: string, error: unknown): void;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
const MAX_ATTEMPTS = 12;
/** After so long a life a crash counts as the first again. */
const STABLE_MS = 30_000;

/**
 * Keeps one component running: started once by `start`, and again, with growing pauses, whenever it ends without
 * having been asked to. The first start's failure is the caller's. Stopping gives up a start that is under way.
 */
export class Supervised<T extends Running> {
  #current: T | undefined;
  readonly #stopping = new AbortController();
  #starting: Promise<T> | undefined;
  #restarting: Promise<void> | undefined;
  #wanted = true;
  #upSince = 0;
  #attempts = 0;
  #waiters: (() => void)[] = [];

  constructor(
    readonly name: string,
    /** Gives a start up when the signal is aborted, and leaves nothing of it. */
    private readonly begin: (signal: AbortSignal) => Promise<T>,
    private readonly events: SupervisorEvents,
  ) {}

  async start(): Promise<T> {
    this.#stopping.signal.throwIfAborted();
    this.#starting = this.begin(this.#stopping.signal).then((running) => {
      this.#up(running);
      return running;
    });
    return this.#starting;
  }

  /** The running component; undefined between a crash and its restart. */
  get current(): T | undefined {
    return this.#current;
  }

  /** Resolves with the component once it runs (again). */
  async up(): Promise<T> {
    for (;;) {
      if (this.#current !== undefined) return this.#current;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  /**
   * Sends a signal and resolves when the process has ended. Unless `hold`, it is started again. A restart that is
   * under way is given up, or waited for when it has gone too far: else there would be two after `resume`.
   */
  async kill(signal: NodeJS.Signals, hold = false): Promise<void> {
    if (hold) this.#wanted = false;
    if (this.#current === undefined) await this.#restarting;
    const running = this.#current;
    if (running === undefined) return;
    this.#wanted = !hold;
    try {
      process.kill(running.pid, signal);
    } catch (error) {
      // It ended by itself a moment ago.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await running.exited;
  }

  /** Starts what `kill(…, true)` held back. */
  async resume(): Promise<T> {
    this.#wanted = true;
    return this.#current ?? this.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // The caller of `start` receives its errors.
    await Promise.allSettled([this.#starting, this.#restarting]);
    await this.#current?.stop();
  }

  #up(running: T): void {
    this.#current = running;
    this.#upSince = Date.now();
    for (const waiter of this.#waiters.splice(0)) waiter();
    void running.exited.then(() => (this.#restarting = this.#ended()));
  }

  async #ended(): Promise<void> {
    this.#current = undefined;
    if (Date.now() - this.#upSince > STABLE_MS) this.#attempts = 0;
    while (!this.#stopping.signal.aborted && this.#wanted) {
      this.#attempts += 1;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (this.#attempts - 1), MAX_DELAY_MS);
      this.events.onCrash(this.name, this.#attempts, delayMs);
      await sleep(delayMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted || !this.#wanted) return;
      try {
        this.#up(await this.begin(this.#stopping.signal));
        this.events.onRestarted(this.name);
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted || this.#attempts < MAX_ATTEMPTS) continue;
        this.events.onGivenUp(this.name, error);
        return;
      }
    }
  }
}
