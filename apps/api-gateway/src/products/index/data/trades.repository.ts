import { Inject, Injectable } from '@nestjs/common';
import type { IndexedChain, PublishedSwap, PublishedTrades } from '@launch/contracts/index';
import type { Address } from '@launch/contracts/primitives';
import { Gathering, type Logger } from '@launch/platform';
import { LOGGER } from '../../../platform/tokens.js';
import { CostlyReads } from './costly-reads.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';
import { BEFORE, LAST, OF_THE_DAY, type DayOfTrades, type LastTrade } from './trades.sql.js';

/** A coin by its chain and address. */
export interface TradedCoin {
  readonly chainId: IndexedChain;
  readonly tokenAddress: Address;
}

/** The last trade of a coin, and the sums of its day; null when they could not be read in time. */
export type CoinTrades = LastTrade & {
  readonly day: Pick<PublishedTrades, 'count' | 'volume'> | null;
};
/** A position in a coin's trades: the block and the index of a log. */
export interface TradePlace {
  readonly blockNumber: string;
  readonly logIndex: number;
}

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
      const rows = await this.database.query(OF_THE_DAY, columns(coins));
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
    const last = await this.database.query(LAST, columns(coins));
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

  /** Reads the newest trades of a coin before a position, the newest first. */
  before(
    { chainId, tokenAddress }: TradedCoin,
    { blockNumber, logIndex }: TradePlace,
    count: number,
  ): Promise<readonly PublishedSwap[]> {
    return this.database.query(BEFORE, [chainId, tokenAddress, blockNumber, logIndex, count]);
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
