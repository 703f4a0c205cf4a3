import { toHex, zeroAddress } from 'viem';
import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { ChainId } from '../chain-id.js';
import type { HistoryEntry } from './chain.history.js';
import type { JournalFile } from './journal.file.js';
import type { BlockRecord, CommandRecord } from './journal.records.js';

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const bytes = z.templateLiteral(['0x', z.string().regex(/^([0-9a-f]{2})*$/)]);
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)]);
const blockSchema = z.object({
  hash,
  parentHash: hash,
  miner: address,
  timestamp: z.string().transform(Number),
  transactions: z.array(hash),
});

export interface RecorderOptions {
  readonly chain: ChainId;
  readonly rpc: JsonRpcClient;
  /** Null if nothing is kept. */
  readonly journal: JournalFile | null;
  readonly genesis: { readonly number: number; readonly hash: string };
  /** Blocks that the journal has already. */
  readonly history: readonly HistoryEntry[];
}

interface FilledBlock {
  readonly number: number;
  readonly hash: string;
  /** Null if another run recorded them, so their hashes are unknown. */
  readonly transactions: readonly string[] | null;
}

/**
 * Records one chain by reading its new blocks, including those that other callers made. `durable` is the last block that
 * survives a kill; `finalized` never goes beyond it.
 */
export class ChainRecorder {
  readonly #options: RecorderOptions;
  readonly #hashes = new Map<number, string>();
  /** Blocks with transactions, oldest first. */
  #filled: FilledBlock[] = [];
  #recorded: number;
  #durable: number;
  /** Counts rollbacks: a write in progress during one does not cover the new blocks. */
  #generation = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#recorded = this.#durable = options.genesis.number;
    this.#hashes.set(options.genesis.number, options.genesis.hash);
    for (const entry of options.history) {
      if (entry.kind !== 'block') continue;
      this.#hashes.set(entry.number, entry.hash);
      if (entry.transactions !== undefined)
        this.#filled.push({ number: entry.number, hash: entry.hash, transactions: null });
      this.#recorded = this.#durable = entry.number;
    }
  }

  /** The newest block that was read. */
  get recorded(): number {
    return this.#recorded;
  }

  /** The newest block that was read, with its hash. */
  get head(): { readonly number: number; readonly hash: string } {
    return { number: this.#recorded, hash: this.#hashes.get(this.#recorded) ?? '' };
  }

  /** The newest block that is safely on disk. */
  get durable(): number {
    return this.#options.journal === null ? this.#recorded : this.#durable;
  }

  get keeps(): boolean {
    return this.#options.journal !== null;
  }

  /** Returns hashes of the blocks with transactions, each after the block that its transactions changed, oldest first. */
  filledBlocks(): readonly string[] {
    // A proof that a launch made an account also reads the state before the launch.
    return this.#filled.flatMap(({ number, hash: each }) => [this.#hashes.get(number - 1) ?? '', each]);
  }

  /** Returns hashes of the block with this number and of those above it. */
  blocksFrom(number: number): readonly string[] {
    const hashes: string[] = [];
    for (let at = number; at <= this.#recorded; at++) hashes.push(this.#hashes.get(at) ?? '');
    return hashes;
  }

  /** Returns whether a block above `number` has a transaction for which `counts` is true. */
  hasTransactionAbove(number: number, counts: (transactionHash: string) => boolean = () => true): boolean {
    const above = this.#filled.slice(this.#filled.findLastIndex((block) => block.number <= number) + 1);
    return above.some(({ transactions }) => transactions === null || transactions.some(counts));
  }

  /** Reads the chain's new blocks. Calls run one after the other. */
  catchUp(): Promise<void> {
    return this.#exclusively(() => this.#catchUp());
  }

  /** Changes the state outside a transaction, after recording the change. The caller pauses block production meanwhile. */
  command(method: CommandRecord['method'], params: CommandRecord['params']): Promise<void> {
    return this.#exclusively(async () => {
      const { chain, rpc, journal } = this.#options;
      await this.#catchUp();
      await journal?.append({ kind: 'command', chain, after: this.#recorded, method, params });
      await rpc.call(method, ...params);
    });
  }

  async #catchUp(): Promise<void> {
    const { rpc } = this.#options;
    const head = await rpc.head();
    if (head < this.#recorded) await this.#rollBack(head);
    for (let number = this.#recorded + 1; number <= head; number++) {
      const block = blockSchema.parse(await rpc.call('eth_getBlockByNumber', toHex(number), false));
      if (block.parentHash !== this.#hashes.get(number - 1)) {
        await this.#rollBack(number - 1);
        number = this.#recorded;
        continue;
      }
      await this.#record(number, block);
    }
  }

  async #record(number: number, block: z.output<typeof blockSchema>): Promise<void> {
    const { chain, rpc, journal } = this.#options;
    const transactions: BlockRecord['transactions'] = [];
    for (const each of block.transactions)
      transactions.push(bytes.parse(await rpc.call('eth_getRawTransactionByHash', each)));
    this.#hashes.set(number, block.hash);
    if (transactions.length > 0) this.#filled.push({ number, hash: block.hash, transactions: block.transactions });
    this.#recorded = number;
    if (journal === null) return;
    const generation = this.#generation;
    void journal
      .append({
        kind: 'block',
        chain,
        number,
        hash: block.hash,
        timestamp: block.timestamp,
        ...(block.miner === zeroAddress ? {} : { coinbase: block.miner }),
        ...(transactions.length > 0 ? { transactions } : {}),
      })
      // The journal reports a failed write on close and on request; `durable` keeps its value.
      .then(
        () => (generation === this.#generation ? (this.#durable = Math.max(this.#durable, number)) : undefined),
        () => undefined,
      );
  }

  /** Goes back to the last block at or below `limit` that the chain still has. */
  async #rollBack(limit: number): Promise<void> {
    const { chain, rpc, journal, genesis } = this.#options;
    let to = limit;
    for (; to > genesis.number; to--) {
      const block = blockSchema.parse(await rpc.call('eth_getBlockByNumber', toHex(to), false));
      if (block.hash === this.#hashes.get(to)) break;
    }
    for (let number = to + 1; number <= this.#recorded; number++) this.#hashes.delete(number);
    this.#filled = this.#filled.filter(({ number }) => number <= to);
    this.#generation += 1;
    this.#recorded = to;
    this.#durable = Math.min(this.#durable, to);
    await journal?.append({ kind: 'rollback', chain, to });
  }

  #exclusively<T>(action: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(action);
    this.#queue = run.catch(() => undefined);
    return run;
  }
}
