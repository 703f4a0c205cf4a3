import { performance } from 'node:perf_hooks';
import type { JsonRpcClient } from './json-rpc.client.js';

export interface BlockProducerOptions {
  readonly rpc: JsonRpcClient;
  /** Milliseconds between two checks whether a block is due; a transaction waits no longer for its block. */
  readonly tickMs: number;
  /** Returns whether a block is due, so many milliseconds after the last one. */
  readonly isDue: (sinceLastMs: number) => Promise<boolean>;
  /** Reads the chain's new blocks: at every check, because another caller may have made some, and after a block. */
  readonly catchUp: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Makes the blocks of a chain that mines only on request, and can pause. */
export class BlockProducer {
  readonly #options: BlockProducerOptions;
  #timer: NodeJS.Timeout | null = null;
  #mining: Promise<void> = Promise.resolve();
  #holds = 0;
  #held = false;
  #stopped = false;
  #nextAt = 0;
  #lastBlockAt = 0;

  constructor(options: BlockProducerOptions) {
    this.#options = options;
  }

  start(): void {
    // Kept chains rested until now: the first check makes a block, so that their time matches the clock again.
    this.#lastBlockAt = Number.NEGATIVE_INFINITY;
    this.#nextAt = performance.now() + this.#options.tickMs;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#mining;
  }

  /** Returns whether `hold` is in effect. */
  get held(): boolean {
    return this.#held;
  }

  /** Makes no more blocks until `resume`. Waits for a block in progress. */
  async hold(): Promise<void> {
    if (!this.#held) this.#holds += 1;
    this.#held = true;
    await this.#mining;
  }

  resume(): void {
    if (this.#held) this.#holds -= 1;
    this.#held = false;
  }

  /** Runs `action` while no block is made. */
  async whilePaused<T>(action: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      await this.#mining;
      return await action();
    } finally {
      this.#holds -= 1;
    }
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(
      () => {
        if (!this.#stopped) this.#mining = this.#tick();
        void this.#mining.then(() => this.#schedule());
      },
      Math.max(0, this.#nextAt - performance.now()),
    );
    // A late producer does not catch up with a burst: real chains skip the slot too.
    this.#nextAt = Math.max(this.#nextAt + this.#options.tickMs, performance.now());
  }

  async #tick(): Promise<void> {
    const { rpc, isDue, catchUp, onFailure } = this.#options;
    try {
      const sinceLastMs = performance.now() - this.#lastBlockAt;
      // Both calls go in one exchange, because most checks find nothing.
      const [due] = await Promise.all([this.#holds === 0 && isDue(sinceLastMs), catchUp()]);
      if (!due || this.#paused()) return;
      this.#lastBlockAt = performance.now();
      await rpc.call('evm_mine');
      await catchUp();
    } catch (error) {
      if (!this.#stopped) onFailure(error);
    }
  }

  /** A pause waits for the tick in progress, which makes no further block. */
  #paused(): boolean {
    return this.#holds > 0;
  }
}
