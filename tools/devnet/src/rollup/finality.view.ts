import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { BatchPoster } from './batch.poster.js';

export type ChainId = '1' | '4663';

/** What a block tag means on one chain now; block numbers. */
export interface ChainView {
  readonly latest: number;
  readonly safe: number;
  readonly finalized: number;
}

/**
 * The tags anvil cannot answer. On L1 `finalized` is the head minus a depth, `safe` half of that depth. On L2 they are the
 * last block whose batch stands in an L1 block that is finalized (safe), as a Nitro node reports them.
 */
export class FinalityView {
  readonly #clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly #poster: BatchPoster;
  readonly #depth: number;

  constructor(clients: Readonly<Record<ChainId, JsonRpcClient>>, poster: BatchPoster, depth: number) {
    this.#clients = clients;
    this.#poster = poster;
    this.#depth = depth;
  }

  /** The tags for a node whose head is `head`, at most the chain's own; absent means the chain's own. */
  async of(chain: ChainId, headLimit: (latest: number) => number = (latest) => latest): Promise<ChainView> {
    const latest = headLimit(await this.#clients[chain].head());
    if (chain === '1') return this.#l1At(latest);
    const l1 = this.#l1At(await this.#clients['1'].head());
    return {
      latest,
      safe: Math.min(latest, this.#poster.lastL2BlockPostedBy(l1.safe)),
      finalized: Math.min(latest, this.#poster.lastL2BlockPostedBy(l1.finalized)),
    };
  }

  /** The lowest block number that a reorg may still replace. */
  async lowestReorgable(chain: ChainId): Promise<number> {
    return (await this.of(chain)).finalized + 1;
  }

  #l1At(latest: number): ChainView {
    return {
      latest,
      safe: Math.max(0, latest - Math.ceil(this.#depth / 2)),
      finalized: Math.max(0, latest - this.#depth),
    };
  }
}
