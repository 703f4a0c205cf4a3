import { Inject, Injectable } from '@nestjs/common';
import { publishedTradesSchema, type IndexedChain, type PublishedTrades } from '@launch/contracts/index';
import type { Address } from '@launch/contracts/primitives';
import { Gathering, type Logger } from '@launch/platform';
import { z } from 'zod';
import { LOGGER } from '../../../platform/tokens.js';
import { CostlyReads } from './costly-reads.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';

/** A coin by its chain and address. */
export interface TradedCoin {
  readonly chainId: IndexedChain;
  readonly tokenAddress: Address;
}

const LAST = `SELECT coin.chain_id, coin.token_address, last.caller, last.transaction_hash, last.block_number, last.block_hash, last.log_index,
    last.block_time, last.is_final, last.sqrt_price_x96, last.tick, last.liquidity
  FROM unnest($1::int[], $2::text[]) AS coin(chain_id, token_address)
 CROSS JOIN LATERAL (SELECT * FROM published.swap w WHERE w.chain_id = coin.chain_id AND w.token_address = coin.token_address
        ORDER BY w.block_number DESC, w.log_index DESC LIMIT 1) last`;
const OF_THE_DAY = `SELECT coin.n::int, counted.count, counted.volume FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS coin(chain_id, token_address, n)
 CROSS JOIN LATERAL (SELECT count(*)::int AS count, COALESCE(sum(w.quote_wei), 0) AS volume FROM published.swap w
        WHERE w.chain_id = coin.chain_id AND w.token_address = coin.token_address AND w.block_time > now() - interval '24 hours') counted`;

const lastSchema = z.array(publishedTradesSchema.omit({ count: true, volume: true }));
const daySchema = z.array(publishedTradesSchema.pick({ count: true, volume: true }).extend({ n: z.number().int() }));
type DayOfTrades = z.infer<typeof daySchema>[number];

/** The last trade of a coin, and the sums of its day; null when they could not be read in time. */
export type CoinTrades = z.infer<typeof lastSchema>[number] & {
  readonly day: Pick<PublishedTrades, 'count' | 'volume'> | null;
};
/** Coins whose sums are read in one statement, which bounds the coins that one heavily traded coin delays. */
const SUMMED_AT_ONCE = 10;

const columns = (coins: readonly TradedCoin[]): readonly unknown[] => [
  coins.map(({ chainId }) => chainId),
  coins.map(({ tokenAddress }) => tokenAddress),
];

/** Reads trades of coins, including the provisional layer. Anyone can trade, so strangers determine the cost of a day's sum. */
@Injectable()
export class TradesRepository {
  private readonly days = new CostlyReads<DayOfTrades | null>();
  private readonly summing = new Gathering<TradedCoin, DayOfTrades>(
    async (coins) => {
      const rows = daySchema.parse(await this.database.query(OF_THE_DAY, columns(coins)));
      return coins.map((_, index) => {
        const row = rows.find(({ n }) => n === index + 1);
        if (row === undefined) throw new TypeError('a sum over trades answers a row a coin');
        return row;
      });
    },
    { atMost: SUMMED_AT_ONCE },
  );

  constructor(
    @Inject(INDEX_DATABASE) private readonly database: IndexDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Reads the trades of each coin that was ever traded. The last trade is current; the sums are as old as `CostlyReads` caches them. */
  async of(coins: readonly TradedCoin[]): Promise<readonly CoinTrades[]> {
    if (coins.length === 0) return [];
    const last = lastSchema.parse(await this.database.query(LAST, columns(coins)));
    const byName = new Map(coins.map((coin) => [`${coin.chainId} ${coin.tokenAddress}`, coin]));
    return Promise.all(
      last.map(async (trade) => {
        const name = `${trade.chain_id} ${trade.token_address}`;
        const coin = byName.get(name);
        if (coin === undefined) throw new TypeError('trades are of coins that were asked for');
        return { ...trade, day: await this.days.recall(name, () => this.dayOf(coin)) };
      }),
    );
  }

  /** Sums the trades of a day. A sum that times out is as costly as one that ends, and is repeated as rarely. */
  private async dayOf(coin: TradedCoin): Promise<DayOfTrades | null> {
    try {
      return await this.summing.ask(coin);
    } catch (error) {
      this.logger.warn({ err: error, ...coin }, 'the trades of a day could not be summed');
      return null;
    }
  }
}
