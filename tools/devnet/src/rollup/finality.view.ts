import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { ChainId } from '../chain-id.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { BatchPoster } from './batch.poster.js';
import { GENESIS_L2_BLOCK } from './rollup.abi.js';

/** The meaning of the block tags on one chain now; block numbers. */
export interface ChainView {
  readonly latest: number;
  readonly safe: number;
  readonly finalized: number;
}

/** The genesis block of each chain. */
export const GENESIS_NUMBER: Readonly<Record<ChainId, number>> = { '1': 0, '4663': GENESIS_L2_BLOCK };

export interface FinalityViewOptions {
  readonly clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly recorders: Readonly<Record<ChainId, ChainRecorder>>;
  readonly poster: BatchPoster;
  readonly l1FinalityDepth: number;
}

/**
 * The tags that anvil cannot answer. On L1 `finalized` is the head minus a depth, `safe` half of that depth. On L2 they are the
 * last block whose batch is in an L1 block that is finalized (safe), as a Nitro node reports them. Neither chain's `finalized`
 * exceeds the newest block on disk: a kill must not revoke finality.
 */
export class FinalityView {
  readonly #options: FinalityViewOptions;

  constructor(options: FinalityViewOptions) {
    this.#options = options;
  }

  /** Returns the tags for a node whose head is `head`, at most the chain's own. Defaults to the chain's own. */
  async of(chain: ChainId, headLimit: (latest: number) => number = (latest) => latest): Promise<ChainView> {
    const { clients } = this.#options;
    const latest = Math.max(GENESIS_NUMBER[chain], headLimit(await clients[chain].head()));
    return chain === '1' ? this.#l1At(latest) : this.#l2At(latest, await clients['1'].head());
  }

  /** Returns the final blocks by the blocks that were read so far. */
  finalizedNow(): Readonly<Record<ChainId, number>> {
    const { recorders } = this.#options;
    const l1Head = recorders['1'].recorded;
    return { '1': this.#l1At(l1Head).finalized, '4663': this.#l2At(recorders['4663'].recorded, l1Head).finalized };
  }

  /** Returns the lowest block number that a reorg may still replace. */
  async lowestReorgable(chain: ChainId): Promise<number> {
    return (await this.of(chain)).finalized + 1;
  }

  #l1At(latest: number): ChainView {
    const { l1FinalityDepth, recorders } = this.#options;
    return {
      latest,
      safe: Math.max(0, latest - Math.ceil(l1FinalityDepth / 2)),
      finalized: Math.max(0, Math.min(latest - l1FinalityDepth, recorders['1'].durable)),
    };
  }

  #l2At(latest: number, l1Head: number): ChainView {
    const { poster, recorders } = this.#options;
    const l1 = this.#l1At(l1Head);
    return {
      latest,
      safe: Math.min(latest, poster.lastL2BlockPostedBy(l1.safe)),
      finalized: Math.min(latest, poster.lastL2BlockPostedBy(l1.finalized), recorders['4663'].durable),
    };
  }
}
