import { randomBytes } from 'node:crypto';
import { toHex } from 'viem';
import { z } from 'zod';
import type { BlockProducer } from '../anvil/block.producer.js';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import { DevnetError } from '../devnet.errors.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { BatchPoster } from './batch.poster.js';
import type { ChainId } from '../chain-id.js';
import type { FinalityView } from './finality.view.js';

const blockSchema = z.object({ transactions: z.array(z.string()) });
const replacedSchema = z.object({ baseFeePerGas: z.string(), timestamp: z.string().transform(Number) });
const blockNumberSchema = z.object({ blockNumber: z.string().transform(Number) }).nullable();

export interface ReorgParts {
  readonly clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly producers: Readonly<Record<ChainId, BlockProducer>>;
  readonly recorders: Readonly<Record<ChainId, ChainRecorder>>;
  readonly poster: BatchPoster;
  readonly view: FinalityView;
}

/** The blocks to replace: a number of them, all from a transaction's block on, or (L1 only) all from the last batch on. */
export type ReorgRequest =
  | { readonly depth: number }
  | { readonly dropTransaction: string }
  | { readonly dropLastBatch: true };

export interface ReorgOutcome {
  readonly chainId: ChainId;
  /** The first block that was replaced. */
  readonly fromBlock: number;
  readonly depth: number;
  /** Transactions of the replaced blocks, in order; the new blocks have none of them. */
  readonly droppedTransactions: readonly string[];
  /** Batches with the replaced blocks, which an L2 reorg removed from L1 first. */
  readonly droppedBatches: readonly number[];
}

/** Replaces the newest blocks of a chain by empty ones, never below the finalized block. */
export class ReorgActions {
  readonly #parts: ReorgParts;
  readonly #dropped: Record<ChainId, string[]> = { '1': [], '4663': [] };

  constructor(parts: ReorgParts) {
    this.#parts = parts;
  }

  /** @throws DevnetError `REORG_TOO_DEEP`, `TRANSACTION_UNKNOWN`. */
  reorg(chain: ChainId, request: ReorgRequest): Promise<ReorgOutcome> {
    const { poster, producers } = this.#parts;
    return poster.exclusively(() =>
      producers['1'].whilePaused(() => producers['4663'].whilePaused(() => this.#reorg(chain, request))),
    );
  }

  /** Returns the number of transactions of a chain that `restore` sends again. */
  dropped(chain: ChainId): number {
    return this.#dropped[chain].length;
  }

  /** Sends dropped transactions of this chain again, except batches, which the poster posts anew. Returns the hashes. */
  async restore(chain: ChainId): Promise<readonly string[]> {
    const rpc = this.#parts.clients[chain];
    const restored: string[] = [];
    for (const raw of this.#dropped[chain].splice(0)) {
      restored.push(z.string().parse(await rpc.call('eth_sendRawTransaction', raw)));
    }
    return restored;
  }

  async #reorg(chain: ChainId, request: ReorgRequest): Promise<ReorgOutcome> {
    const { poster, view, clients } = this.#parts;
    const head = await clients[chain].head();
    const fromBlock = await this.#firstBlock(chain, request, head);
    const lowest = await view.lowestReorgable(chain);
    if (fromBlock < lowest || fromBlock > head) {
      throw new DevnetError('REORG_TOO_DEEP', 'only blocks that are not finalized can be replaced', {
        chainId: chain,
        fromBlock,
        lowest,
        head,
      });
    }
    const droppedBatches = chain === '4663' ? await this.#dropBatchesHolding(fromBlock) : this.#batchesFrom(fromBlock);
    const droppedTransactions = await this.#replace(chain, fromBlock, head);
    await poster.reread();
    return { chainId: chain, fromBlock, depth: head - fromBlock + 1, droppedTransactions, droppedBatches };
  }

  async #firstBlock(chain: ChainId, request: ReorgRequest, head: number): Promise<number> {
    if ('depth' in request) return head - request.depth + 1;
    if ('dropTransaction' in request) {
      const rpc = this.#parts.clients[chain];
      const found = blockNumberSchema.parse(await rpc.call('eth_getTransactionReceipt', request.dropTransaction));
      if (found === null) {
        throw new DevnetError('TRANSACTION_UNKNOWN', 'no block holds this transaction', { chainId: chain });
      }
      return found.blockNumber;
    }
    const last = this.#parts.poster.batches.at(-1);
    if (chain !== '1' || last === undefined) {
      throw new DevnetError('REORG_TOO_DEEP', 'there is no batch to drop', { chainId: chain });
    }
    return last.l1BlockNumber;
  }

  #batchesFrom(l1Block: number): number[] {
    const { batches } = this.#parts.poster;
    return batches.filter((batch) => batch.l1BlockNumber >= l1Block).map((batch) => batch.batchNumber);
  }

  /** Posted L2 blocks can change only if L1 drops their batches. */
  async #dropBatchesHolding(l2Block: number): Promise<number[]> {
    const batch = this.#parts.poster.batchContaining(l2Block);
    if (batch === null) return [];
    const dropped = this.#batchesFrom(batch.l1BlockNumber);
    await this.#replace('1', batch.l1BlockNumber, await this.#parts.clients['1'].head());
    return dropped;
  }

  async #replace(chain: ChainId, fromBlock: number, head: number): Promise<string[]> {
    const rpc = this.#parts.clients[chain];
    const batchTransactions = new Set(this.#parts.poster.batches.map((batch) => batch.transactionHash));
    const hashes: string[] = [];
    for (let number = fromBlock; number <= head; number++) {
      hashes.push(...blockSchema.parse(await rpc.call('eth_getBlockByNumber', toHex(number), false)).transactions);
    }
    for (const hash of hashes) {
      if (batchTransactions.has(hash)) continue;
      const raw: unknown = await rpc.call('eth_getRawTransactionByHash', hash);
      if (typeof raw === 'string') this.#dropped[chain].push(raw);
    }
    // The base fee follows from the parent; anvil would continue from the old head's.
    const { baseFeePerGas, timestamp } = replacedSchema.parse(
      await rpc.call('eth_getBlockByNumber', toHex(fromBlock), false),
    );
    await rpc.call('anvil_rollback', head - fromBlock + 1);
    // Before the new blocks exist: a caller finds none of the old ones.
    await this.#parts.recorders[chain].catchUp();
    // Empty blocks with the old timestamps would equal the old blocks; another fee recipient makes them differ.
    await rpc.call('anvil_setCoinbase', toHex(randomBytes(20)));
    // A rollback sets anvil's clock back to the common ancestor's time.
    await rpc.call('evm_setTime', Math.max(timestamp, Math.floor(Date.now() / 1000)));
    await rpc.call('anvil_setNextBlockBaseFeePerGas', baseFeePerGas);
    for (let number = fromBlock; number <= head; number++) await rpc.call('evm_mine');
    await this.#parts.recorders[chain].catchUp();
    return hashes;
  }
}
