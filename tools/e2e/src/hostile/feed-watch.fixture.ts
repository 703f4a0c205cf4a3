import { setTimeout as sleep } from 'node:timers/promises';
import { CUSTOM_LAUNCH_FEED_PATH } from '@launch/contracts/custom-launch';

const ETHEREUM_FEED_PATH = '/v3/finalized-custom-launches';
const EXPLORE_PATH = '/api/explore/chain?pageSize=10';
const EVERY_MS = 1_000;

interface FeedPage {
  readonly status?: string;
  readonly quality?: { readonly status: string; readonly reasons?: readonly string[] };
}

/** Reads every public feed once a second and keeps each answer that is not ready. */
export class FeedWatch {
  readonly #faults: string[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #reads = 0;

  constructor(private readonly gateway: string) {
    this.#done = this.#watch();
  }

  /**
   * Ends the watch.
   * @returns the answers that were not ready, with the second of the watch.
   * @throws Error when nothing was read.
   */
  async faults(): Promise<readonly string[]> {
    this.#stop.abort();
    await this.#done;
    if (this.#reads === 0) throw new Error('no feed was read');
    return this.#faults;
  }

  async #watch(): Promise<void> {
    const begun = Date.now();
    while (!this.#stop.signal.aborted) {
      for (const path of [CUSTOM_LAUNCH_FEED_PATH, ETHEREUM_FEED_PATH, EXPLORE_PATH]) {
        const problem = await this.#problemOf(path);
        if (problem !== null) this.#faults.push(`${Math.round((Date.now() - begun) / 1_000)} s: ${path}: ${problem}`);
        this.#reads += 1;
      }
      await sleep(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #problemOf(path: string): Promise<string | null> {
    try {
      const response = await fetch(`${this.gateway}${path}`, { signal: AbortSignal.timeout(10_000) });
      const body = (await response.json()) as FeedPage;
      if (response.status !== 200) return `${response.status} ${JSON.stringify(body).slice(0, 200)}`;
      const said = body.quality?.status ?? body.status;
      return said === 'ready' || said === 'ok' ? null : `${said} ${JSON.stringify(body.quality?.reasons ?? '')}`;
    } catch (error) {
      return String(error);
    }
  }
}
