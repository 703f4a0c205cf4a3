import { decodeFunctionData, encodeFunctionData, toHex, zeroAddress } from 'viem';
import type { Address } from 'viem';
import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import { sendTransaction, waitForReceipt } from '../anvil/transaction.sender.js';
import { DevnetError } from '../devnet.errors.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { KeyFile } from '../key.files.js';
import { GENESIS_L2_BLOCK, sequencerInboxAbi } from './rollup.abi.js';

/** One batch on the canonical L1 chain, with the L2 blocks `firstL2Block` to `lastL2Block`, both inclusive. */
export interface PostedBatch {
  readonly batchNumber: number;
  readonly firstL2Block: number;
  readonly lastL2Block: number;
  readonly l1BlockNumber: number;
  readonly l1BlockHash: string;
  readonly transactionHash: string;
  readonly afterAcc: string;
}

const hexNumber = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform(Number);
const hexBytes = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/)]);
const logsSchema = z.array(
  z.object({
    blockNumber: hexNumber,
    blockHash: z.string(),
    transactionHash: z.string(),
    topics: z.array(hexBytes).length(4),
  }),
);
const blockSchema = z.object({ hash: z.string() }).nullable();
const transactionSchema = z.object({ input: hexBytes });

const POLL_MS = 200;
const RECEIPT_TIMEOUT_MS = 120_000;
const POST_GAS = 500_000n;
/** The delayed inbox only ever has the initialization message. */
const DELAYED_MESSAGES_READ = 1n;

export interface BatchPosterOptions {
  readonly l1: JsonRpcClient;
  /** The reader of L1's blocks. Its head is the last one that it read, so a round without new blocks sends no request. */
  readonly l1Blocks: Pick<ChainRecorder, 'head' | 'catchUp'>;
  /**
   * Returns the newest L2 block that may be posted: one that survives a kill, so that no batch has a block that never existed.
   */
  readonly postableL2Block: () => number;
  readonly inbox: Address;
  readonly key: KeyFile;
  /** Milliseconds between two batches, read at every check. */
  readonly postEveryMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Posts the L2 blocks since the last batch, and follows the inbox as a Nitro node does. It trusts only L1, so it posts a batch
 * again after a reorg removed it.
 */
export class BatchPoster {
  readonly #options: BatchPosterOptions;
  #batches: PostedBatch[] = [];
  /** Transactions of every batch that was read, including those that a reorg removed. */
  readonly #transactions = new Set<string>();
  #nextScan = 0;
  /** The head up to which the batches were read. */
  #readUpTo = '';
  #lastPostAt = -Infinity;
  #held = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: BatchPosterOptions) {
    this.#options = options;
  }

  /** The canonical batches, oldest first. */
  get batches(): readonly PostedBatch[] {
    return this.#batches;
  }

  get held(): boolean {
    return this.#held;
  }

  hold(): void {
    this.#held = true;
  }

  resume(): void {
    this.#held = false;
    this.#lastPostAt = -Infinity;
  }

  /** Returns the last L2 block in a batch posted at or below `l1Block`; without one, the genesis block. */
  lastL2BlockPostedBy(l1Block: number): number {
    return this.#batches.findLast((batch) => batch.l1BlockNumber <= l1Block)?.lastL2Block ?? GENESIS_L2_BLOCK;
  }

  /** The last L2 block in a batch; without one, the genesis block. */
  get lastPostedL2Block(): number {
    return this.#batches.at(-1)?.lastL2Block ?? GENESIS_L2_BLOCK;
  }

  isBatch(transactionHash: string): boolean {
    return this.#transactions.has(transactionHash);
  }

  batchContaining(l2Block: number): PostedBatch | null {
    return this.#batches.find((batch) => batch.lastL2Block >= l2Block) ?? null;
  }

  start(): void {
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#queue;
  }

  /** Runs `action` between two rounds, so that no batch is in flight. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(action);
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Reads the inbox up to the current L1 head, for example after a reorg. */
  async reread(): Promise<void> {
    await this.#options.l1Blocks.catchUp();
    await this.#follow();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      void this.exclusively(() => this.#round())
        .catch((error: unknown) => {
          if (!this.#stopped) this.#options.onFailure(error);
        })
        .then(() => this.#schedule());
    }, POLL_MS);
  }

  async #round(): Promise<void> {
    if (this.#stopped) return;
    await this.#follow();
    if (this.#held || this.#stopped || performance.now() - this.#lastPostAt < this.#options.postEveryMs()) return;
    if (await this.#post()) await this.reread();
  }

  async #follow(): Promise<void> {
    const { number, hash } = this.#options.l1Blocks.head;
    // The blocks below a head are the same as long as it is.
    if (hash === this.#readUpTo) return;
    await this.#dropReplaced(number);
    await this.#readNew(number);
    this.#readUpTo = hash;
  }

  /** Drops batches whose L1 block is no longer canonical at its height. */
  async #dropReplaced(head: number): Promise<void> {
    for (let last = this.#batches.at(-1); last !== undefined; last = this.#batches.at(-1)) {
      const block = blockSchema.parse(
        await this.#options.l1.call('eth_getBlockByNumber', toHex(last.l1BlockNumber), false),
      );
      if (last.l1BlockNumber <= head && block?.hash === last.l1BlockHash) return;
      this.#batches.pop();
      this.#nextScan = this.#batches.at(-1)?.l1BlockNumber ?? 0;
    }
  }

  async #readNew(head: number): Promise<void> {
    const { l1, inbox } = this.#options;
    if (this.#nextScan > head) return;
    const filter = { address: inbox, fromBlock: toHex(this.#nextScan), toBlock: toHex(head) };
    for (const log of logsSchema.parse(await l1.call('eth_getLogs', filter))) {
      const batchNumber = Number(log.topics[1]);
      if (batchNumber < this.#batches.length) continue;
      const { input } = transactionSchema.parse(await l1.call('eth_getTransactionByHash', log.transactionHash));
      const { args } = decodeFunctionData({ abi: sequencerInboxAbi, data: input });
      if (args?.length !== 5) throw new DevnetError('RPC_FAILED', 'a batch came from another call', { batchNumber });
      this.#transactions.add(log.transactionHash);
      this.#batches.push({
        batchNumber,
        firstL2Block: GENESIS_L2_BLOCK + Number(args[3]),
        lastL2Block: GENESIS_L2_BLOCK + Number(args[4]) - 1,
        l1BlockNumber: log.blockNumber,
        l1BlockHash: log.blockHash,
        transactionHash: log.transactionHash,
        afterAcc: log.topics[3] ?? '0x',
      });
    }
    // Reads the newest block once more: a reorg may replace it before the next round.
    this.#nextScan = head;
  }

  async #post(): Promise<boolean> {
    const { l1, inbox, key, postableL2Block } = this.#options;
    const last = this.#batches.at(-1);
    const prevMessageCount = last === undefined ? 0 : last.lastL2Block - GENESIS_L2_BLOCK + 1;
    // Batch 0 of a rollup contains only its initialization: the genesis block.
    const newMessageCount = last === undefined ? 1 : postableL2Block() - GENESIS_L2_BLOCK + 1;
    if (newMessageCount <= prevMessageCount) return false;
    const data = encodeFunctionData({
      abi: sequencerInboxAbi,
      functionName: 'addSequencerL2BatchFromBlobs',
      args: [
        BigInt(this.#batches.length),
        DELAYED_MESSAGES_READ,
        zeroAddress,
        BigInt(prevMessageCount),
        BigInt(newMessageCount),
      ],
    });
    if (last !== undefined) this.#lastPostAt = performance.now();
    const hash = await sendTransaction(l1, 1, key.account, { to: inbox, data, gas: POST_GAS });
    const receipt = await waitForReceipt(l1, hash, RECEIPT_TIMEOUT_MS);
    if (receipt.status !== '0x1') throw new DevnetError('RPC_FAILED', 'a batch was refused', { transactionHash: hash });
    return true;
  }
}
