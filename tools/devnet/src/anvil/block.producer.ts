import type { JsonRpcClient } from './json-rpc.client.js';

/** Makes one block every interval on a chain that mines only when told to, and can be held still meanwhile. */
export class BlockProducer {
  readonly #rpc: JsonRpcClient;
  readonly #intervalMs: number;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #mining: Promise<void> = Promise.resolve();
  #holds = 0;
  #held = false;
  #stopped = false;
  #nextAt = 0;

  constructor(rpc: JsonRpcClient, intervalMs: number, onFailure: (error: unknown) => void) {
    this.#rpc = rpc;
    this.#intervalMs = intervalMs;
    this.#onFailure = onFailure;
  }

  start(): void {
    this.#nextAt = performance.now() + this.#intervalMs;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#mining;
  }

  /** No more blocks until `resume`; a block that is being made is waited for. */
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
    this.#timer = setTimeout(() => {
      if (this.#holds === 0 && !this.#stopped) this.#mining = this.#mine();
      void this.#mining.then(() => this.#schedule());
    }, Math.max(0, this.#nextAt - performance.now()));
    // A producer that was late does not catch up with a burst: real chains skip the slot too.
    this.#nextAt = Math.max(this.#nextAt + this.#intervalMs, performance.now());
  }

  async #mine(): Promise<void> {
    try {
      await this.#rpc.call('evm_mine');
    } catch (error) {
      if (!this.#stopped) this.#onFailure(error);
    }
  }
}
