import { decodeFunctionData, encodeFunctionData, keccak256, pad, toHex, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import { sendTransaction, waitForReceipt } from '../anvil/transaction.sender.js';
import { DevnetError } from '../devnet.errors.js';
import type { KeyFile } from '../key.files.js';
import { GENESIS_L2_BLOCK, NODE_INTERFACE_ADDRESS, sequencerInboxAbi } from './rollup.abi.js';

/** One batch that stands on the canonical L1 chain. It holds the L2 blocks `firstL2Block` to `lastL2Block`, both included. */
export interface PostedBatch {
  readonly batchNumber: number;
  readonly firstL2Block: number;
  readonly lastL2Block: number;
  readonly l1BlockNumber: number;
  readonly l1BlockHash: string;
  readonly transactionHash: string;
  readonly afterAcc: string;
}

const hexNumber = z.string().regex(/^0x[0-9a-f]+$/).transform(Number);
const hexBytes = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/)]);
const logsSchema = z.array(
  z.object({ blockNumber: hexNumber, blockHash: z.string(), transactionHash: z.string(), topics: z.array(hexBytes).length(4) }),
);
const blockSchema = z.object({ hash: z.string() }).nullable();
const transactionSchema = z.object({ input: hexBytes });

const POLL_MS = 200;
const RECEIPT_TIMEOUT_MS = 120_000;
const POST_GAS = 500_000n;
/** The initialization message is all that the delayed inbox ever holds. */
const DELAYED_MESSAGES_READ = 1n;

export interface BatchPosterOptions {
  readonly l1: JsonRpcClient;
  readonly l2: JsonRpcClient;
  readonly inbox: Address;
  readonly key: KeyFile;
  readonly postEveryMs: number;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Posts what the L2 chain has made since the last batch, follows the inbox as a Nitro node does, and writes that reading
 * into the node interface. What it believes comes from L1 only, so a batch lost to a reorg is simply posted again.
 */
export class BatchPoster {
  readonly #options: BatchPosterOptions;
  #batches: PostedBatch[] = [];
  /** What the node interface holds; null when that is not known. */
  #installed: readonly PostedBatch[] | null = null;
  #installedHead = -1;
  #nextScan = 0;
  #nextPostAt = 0;
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
    this.#nextPostAt = 0;
  }

  /** The last L2 block in a batch posted at or below `l1Block`; the genesis block when there is none. */
  lastL2BlockPostedBy(l1Block: number): number {
    return this.#batches.findLast((batch) => batch.l1BlockNumber <= l1Block)?.lastL2Block ?? GENESIS_L2_BLOCK;
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

  /** Runs `action` between two rounds, so that no batch is on its way meanwhile. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(action);
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Reads the inbox again and brings the node interface up to it, e.g. after a reorg put older state back. */
  async reread(): Promise<void> {
    this.#installed = null;
    this.#installedHead = -1;
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
    if (this.#held || this.#stopped || performance.now() < this.#nextPostAt) return;
    if (await this.#post()) await this.#follow();
  }

  async #follow(): Promise<void> {
    const { l1 } = this.#options;
    const head = await l1.head();
    await this.#dropReplaced(head);
    await this.#readNew(head);
    await this.#install(head);
  }

  /** A batch whose L1 block is no longer the canonical one at its height is gone. */
  async #dropReplaced(head: number): Promise<void> {
    for (let last = this.#batches.at(-1); last !== undefined; last = this.#batches.at(-1)) {
      const block = blockSchema.parse(await this.#options.l1.call('eth_getBlockByNumber', toHex(last.l1BlockNumber), false));
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
    // The newest block is read once more: a reorg may put another one in its place before the next round.
    this.#nextScan = head;
  }

  async #install(l1Head: number): Promise<void> {
    const { l2 } = this.#options;
    for (const [index, batch] of this.#batches.entries()) {
      if (this.#installed?.[index] === batch) continue;
      const slot = toHex(BATCHES_DATA_SLOT + BigInt(index), { size: 32 });
      const word = toHex((BigInt(batch.l1BlockNumber) << 64n) | BigInt(batch.lastL2Block), { size: 32 });
      await l2.call('anvil_setStorageAt', NODE_INTERFACE_ADDRESS, slot, word);
    }
    if (this.#installed?.length !== this.#batches.length) {
      await l2.call('anvil_setStorageAt', NODE_INTERFACE_ADDRESS, pad('0x00'), toHex(this.#batches.length, { size: 32 }));
    }
    if (this.#installedHead !== l1Head) {
      await l2.call('anvil_setStorageAt', NODE_INTERFACE_ADDRESS, pad('0x01'), toHex(l1Head, { size: 32 }));
    }
    this.#installed = [...this.#batches];
    this.#installedHead = l1Head;
  }

  async #post(): Promise<boolean> {
    const { l1, l2, inbox, key, postEveryMs } = this.#options;
    const last = this.#batches.at(-1);
    const prevMessageCount = last === undefined ? 0 : last.lastL2Block - GENESIS_L2_BLOCK + 1;
    // Batch 0 of a rollup is its initialization alone: the genesis block.
    const newMessageCount = last === undefined ? 1 : (await l2.head()) - GENESIS_L2_BLOCK + 1;
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
    this.#nextPostAt = performance.now() + (last === undefined ? 0 : postEveryMs);
    const hash = await sendTransaction(l1, 1, key.account, { to: inbox, data, gas: POST_GAS });
    const receipt = await waitForReceipt(l1, hash, RECEIPT_TIMEOUT_MS);
    if (receipt.status !== '0x1') throw new DevnetError('RPC_FAILED', 'a batch was refused', { transactionHash: hash });
    return true;
  }
}

/** Storage of `Batch[]` in slot 0. */
const BATCHES_DATA_SLOT = BigInt(keccak256(pad('0x00' satisfies Hex)));
