import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { BatchPoster, PostedBatch } from '../rollup/batch.poster.js';
import type { ChainView, FinalityView } from '../rollup/finality.view.js';

const receiptSchema = z
  .object({
    status: z.enum(['0x0', '0x1']),
    blockNumber: z.string().transform(Number),
    blockHash: z.string(),
    transactionIndex: z.string().transform(Number),
  })
  .nullable();

/** The actual state of an L2 transaction, past every proxy and fault. Block numbers are plain numbers. */
export interface Truth {
  readonly transactionHash: string;
  readonly state: 'unknown' | 'pending' | 'included' | 'posted' | 'finalized';
  readonly inclusion: {
    readonly status: 'success' | 'reverted';
    readonly blockNumber: number;
    readonly blockHash: string;
    readonly transactionIndex: number;
  } | null;
  readonly batch: PostedBatch | null;
  readonly l1: ChainView;
  readonly l2: ChainView;
}

export class TruthReader {
  readonly #l2: JsonRpcClient;
  readonly #poster: BatchPoster;
  readonly #view: FinalityView;

  constructor(l2: JsonRpcClient, poster: BatchPoster, view: FinalityView) {
    this.#l2 = l2;
    this.#poster = poster;
    this.#view = view;
  }

  async read(transactionHash: string): Promise<Truth> {
    const [receipt, transaction, l1, l2] = await Promise.all([
      this.#l2.call('eth_getTransactionReceipt', transactionHash).then((raw) => receiptSchema.parse(raw)),
      this.#l2.call('eth_getTransactionByHash', transactionHash),
      this.#view.of('1'),
      this.#view.of('4663'),
    ]);
    if (receipt === null) {
      const state = transaction === null ? 'unknown' : 'pending';
      return { transactionHash, state, inclusion: null, batch: null, l1, l2 };
    }
    const { blockNumber, blockHash, transactionIndex } = receipt;
    const status = receipt.status === '0x1' ? 'success' : 'reverted';
    const batch = this.#poster.batchContaining(blockNumber);
    const state = batch === null ? 'included' : batch.l1BlockNumber <= l1.finalized ? 'finalized' : 'posted';
    return { transactionHash, state, inclusion: { status, blockNumber, blockHash, transactionIndex }, batch, l1, l2 };
  }
}
