import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import { sendTransaction, waitForReceipt } from '../anvil/transaction.sender.js';
import type { ChainId } from '../chain-id.js';
import { DevnetError } from '../devnet.errors.js';
import type { KeyFile } from '../key.files.js';
import type { BatchPoster } from './batch.poster.js';
import type { DeployedContract } from './deployment.js';

/** The common settings of both feeds. An operator promises a heartbeat; no contract states it. */
export const PRICE_FEED = { description: 'ETH / USD', decimals: 8, heartbeatSeconds: 3600 } as const;

/** USD per ether with 8 decimals; real feeds differ slightly too. */
export const FIRST_PRICE: Readonly<Record<ChainId, bigint>> = { '1': 250_100_000_000n, '4663': 250_000_000_000n };

export const priceFeedAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function setAnswer(int256 answer)',
  'function setAnswerAt(int256 answer, uint256 updatedAt)',
  'function openRound()',
]);

const CALL_GAS = 500_000n;
const RECEIPT_TIMEOUT_MS = 120_000;
const SECONDS_OFF = 10 * 365 * 86_400;

const blockSchema = z.object({ timestamp: z.string().transform(Number) });

/** The next round of a feed. */
export const priceRoundSchema = z.union([
  z.strictObject({
    /** Price with 8 decimals, in decimal; zero and negative values too. */
    answer: z.string().regex(/^-?(0|[1-9][0-9]{0,30})$/),
    /** Age in seconds before the newest block, negative after it. If absent, the price is fresh in every block. */
    ageSeconds: z.int().min(-SECONDS_OFF).max(SECONDS_OFF).optional(),
  }),
  /** A round without its own answer. */
  z.strictObject({ openRound: z.literal(true) }),
]);

export type PriceRound = z.output<typeof priceRoundSchema>;

export interface PriceFeedParts {
  readonly clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly feeds: Readonly<Record<ChainId, DeployedContract>>;
  readonly owners: Readonly<Record<ChainId, KeyFile>>;
  readonly poster: BatchPoster;
}

/** Writes rounds of both feeds, by transactions of their owners. */
export class PriceFeeds {
  readonly #parts: PriceFeedParts;

  constructor(parts: PriceFeedParts) {
    this.#parts = parts;
  }

  /** Writes a round and resolves when it is in a block. @throws DevnetError `TRANSACTION_UNKNOWN` if no block is made. */
  write(chain: ChainId, round: PriceRound): Promise<{ transactionHash: Hex; blockNumber: number }> {
    // The batch poster owns the L1 feed: two transactions of one account at once would use the same nonce.
    return chain === '1' ? this.#parts.poster.exclusively(() => this.#write(chain, round)) : this.#write(chain, round);
  }

  /** Returns the newest round of a chain's feed: its answer, and its age before the newest block. */
  async read(chain: ChainId): Promise<{ answer: string; ageSeconds: number }> {
    const { clients, feeds } = this.#parts;
    const rpc = clients[chain];
    const data = encodeFunctionData({ abi: priceFeedAbi, functionName: 'latestRoundData' });
    const answered = z.string().parse(await rpc.call('eth_call', { to: feeds[chain].address, data }, 'latest'));
    const [, answer, , updatedAt] = decodeFunctionResult({
      abi: priceFeedAbi,
      functionName: 'latestRoundData',
      data: answered as Hex,
    });
    const { timestamp } = blockSchema.parse(await rpc.call('eth_getBlockByNumber', 'latest', false));
    return { answer: answer.toString(), ageSeconds: timestamp - Number(updatedAt) };
  }

  async #write(chain: ChainId, round: PriceRound): Promise<{ transactionHash: Hex; blockNumber: number }> {
    const { clients, feeds, owners } = this.#parts;
    const rpc = clients[chain];
    const data = await callOf(rpc, round);
    const transactionHash = await sendTransaction(rpc, Number(chain), owners[chain].account, {
      to: feeds[chain].address,
      data,
      gas: CALL_GAS,
    });
    const { status, blockNumber } = await waitForReceipt(rpc, transactionHash, RECEIPT_TIMEOUT_MS);
    if (status !== '0x1') throw new DevnetError('RPC_FAILED', 'a price feed refused a round', { transactionHash });
    return { transactionHash, blockNumber };
  }
}

async function callOf(rpc: JsonRpcClient, round: PriceRound): Promise<Hex> {
  if ('openRound' in round) return encodeFunctionData({ abi: priceFeedAbi, functionName: 'openRound' });
  const answer = BigInt(round.answer);
  if (round.ageSeconds === undefined)
    return encodeFunctionData({ abi: priceFeedAbi, functionName: 'setAnswer', args: [answer] });
  const { timestamp } = blockSchema.parse(await rpc.call('eth_getBlockByNumber', 'latest', false));
  const updatedAt = BigInt(Math.max(0, timestamp - round.ageSeconds));
  return encodeFunctionData({ abi: priceFeedAbi, functionName: 'setAnswerAt', args: [answer, updatedAt] });
}
