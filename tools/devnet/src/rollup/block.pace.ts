import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { DevnetTiming } from '../devnet.options.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { BatchPoster } from './batch.poster.js';
import type { ChainId } from '../chain-id.js';
import type { FinalityView } from './finality.view.js';

const poolSchema = z.object({ pending: z.string().transform(Number) });

/** No permit is valid for longer: after so long a rest none that was given out before is still waiting for its end. */
const LONG_REST_MS = 3_600_000;
const LONG_REST_FACTOR = 6;
/** Idle L2 blocks that one batch takes together. */
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
 * When blocks and batches are made. While a transaction is on its way to finality the chains keep their normal pace.
 * When none is, a block comes every `idleBlockMs`, so that time goes on and deadlines pass, and six times as rarely
 * after an hour.
 */
export class BlockPace {
  readonly #options: BlockPaceOptions;
  #busyAt = performance.now();

  constructor(options: BlockPaceOptions) {
    this.#options = options;
  }

  /** A transaction is put into a block at the next look; an empty block comes when its interval has passed. */
  async isBlockDue(chain: ChainId, sinceLastMs: number): Promise<boolean> {
    const { timing, clients } = this.#options;
    const tickMs = chain === '1' ? timing.l1BlockMs : timing.l2BlockMs;
    if (timing.idleBlockMs === 0) return true;
    const { pending } = poolSchema.parse(await clients[chain].call('txpool_status'));
    if (pending > POOL_EMPTY) return true;
    // Looks come at the ticks: one that is early by less than half a tick is on time.
    return sinceLastMs + tickMs / 2 >= (this.isBusy() ? timing.l1BlockMs : this.#idleBlockMs());
  }

  /** Milliseconds from one batch to the next, as things are. */
  postEveryMs(): number {
    const { timing, recorders, poster } = this.#options;
    if (timing.idleBlockMs === 0) return timing.postEveryMs;
    const waits = recorders['4663'].hasTransactionAbove(poster.lastPostedL2Block);
    return waits ? timing.postEveryMs : Math.max(timing.postEveryMs, IDLE_BLOCKS_PER_BATCH * this.#idleBlockMs());
  }

  /** Is a transaction, other than a batch, in a block that is not final yet? */
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
