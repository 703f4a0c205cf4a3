import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { DevnetTiming } from '../devnet.options.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { BatchPoster } from './batch.poster.js';
import type { ChainId } from '../chain-id.js';
import type { FinalityView } from './finality.view.js';

const poolSchema = z.object({ pending: z.string().transform(Number) });

/** The longest validity of a permit. After a rest of this length, no earlier permit is still valid. */
const LONG_REST_MS = 3_600_000;
const LONG_REST_FACTOR = 6;
/** Idle L2 blocks in one batch. */
const IDLE_BLOCKS_PER_BATCH = 6;
const POOL_EMPTY = 0;

export interface BlockPaceOptions {
  readonly timing: DevnetTiming;
  readonly clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly recorders: Readonly<Record<ChainId, ChainRecorder>>;
  readonly poster: BatchPoster;
  readonly view: FinalityView;
}

/**
 * The pace of blocks and batches. While a transaction is on its way to finality the chains keep their normal pace. Otherwise a
 * block is made every `idleBlockMs`, so that time goes on and deadlines pass, and six times as rarely after an hour.
 */
export class BlockPace {
  readonly #options: BlockPaceOptions;
  #busyAt = performance.now();

  constructor(options: BlockPaceOptions) {
    this.#options = options;
  }

  /** Returns whether a block is due: for a transaction at the next check, for an empty block after its interval. */
  async isBlockDue(chain: ChainId, sinceLastMs: number): Promise<boolean> {
    const { timing, clients } = this.#options;
    const tickMs = chain === '1' ? timing.l1BlockMs : timing.l2BlockMs;
    if (timing.idleBlockMs === 0) return true;
    const { pending } = poolSchema.parse(await clients[chain].call('txpool_status'));
    if (pending > POOL_EMPTY) return true;
    // Checks occur at the ticks: one that is early by less than half a tick is on time.
    return sinceLastMs + tickMs / 2 >= (this.isBusy() ? timing.l1BlockMs : this.#idleBlockMs());
  }

  /** Returns the current number of milliseconds between two batches. */
  postEveryMs(): number {
    const { timing, recorders, poster } = this.#options;
    if (timing.idleBlockMs === 0) return timing.postEveryMs;
    const waits = recorders['4663'].hasTransactionAbove(poster.lastPostedL2Block);
    return waits ? timing.postEveryMs : Math.max(timing.postEveryMs, IDLE_BLOCKS_PER_BATCH * this.#idleBlockMs());
  }

  /** Returns whether a transaction, other than a batch, is in a block that is not final yet. */
  isBusy(): boolean {
    const { recorders, poster, view } = this.#options;
    const finalized = view.finalizedNow();
    const isForeign = (transactionHash: string): boolean => !poster.isBatch(transactionHash);
    const busy =
      recorders['4663'].hasTransactionAbove(finalized['4663']) ||
      recorders['1'].hasTransactionAbove(finalized['1'], isForeign);
    if (busy) this.#busyAt = performance.now();
    return busy;
  }

  #idleBlockMs(): number {
    const { idleBlockMs } = this.#options.timing;
    return performance.now() - this.#busyAt > LONG_REST_MS ? LONG_REST_FACTOR * idleBlockMs : idleBlockMs;
  }
}
