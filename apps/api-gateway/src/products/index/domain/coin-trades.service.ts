import { Inject, Injectable } from '@nestjs/common';
import {
  TRADES_PATH,
  TRADES_SCHEMA,
  type ChainTrade,
  type ChainTrades,
  type LaunchRecord,
  type PublishedSwap,
} from '@launch/contracts/index';
import { checksummed } from '@launch/contracts/primitives';
import { CursorCodec, type CursorScope } from '@launch/http';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import { TradesRepository, type TradePlace } from '../data/trades.repository.js';
import type { TradesQuery } from './coin-queries.js';
import { IndexStateService } from './index-state.service.js';
import { priceNative } from './native-price.js';

/** A position after every trade: the largest block number and log index of the index. */
const AFTER_ALL: TradePlace = { blockNumber: String(2n ** 63n - 1n), logIndex: 2 ** 31 - 1 };

/** Returns the scope of a cursor: it is valid for the trades of its own coin. */
const scopeOf = ({ chainId, token }: TradesQuery): CursorScope => ({
  route: `GET ${TRADES_PATH}?chainId=${chainId}&token=${token}`,
  reader: null,
});

const magnitude = (amount: string): string => amount.replace('-', '');

/** A negative amount was paid by the caller of PoolManager, so a negative native amount is a buy. */
function tradeOf(swap: PublishedSwap, { decimals }: LaunchRecord): ChainTrade {
  const { platform_quote: platformWei, creator_quote: creatorWei } = swap;
  return {
    transactionHash: swap.transaction_hash,
    blockNumber: swap.block_number,
    blockHash: swap.block_hash,
    logIndex: swap.log_index,
    at: swap.block_time.toISOString(),
    isFinal: swap.is_final,
    router: checksummed(swap.caller),
    side: swap.amount0.startsWith('-') ? 'buy' : 'sell',
    nativeWei: swap.quote_wei,
    tokenAmount: magnitude(swap.amount1),
    priceNative: priceNative(BigInt(swap.sqrt_price_x96), decimals),
    fees: platformWei === null || creatorWei === null ? null : { platformWei, creatorWei },
  };
}

/** Lists the trades of a coin, including the provisional layer (docs/reference/index-sources.md#trades). */
@Injectable()
export class CoinTradesService {
  constructor(
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'coin'>,
    private readonly index: IndexStateService,
    @Inject(TradesRepository) private readonly trades: Pick<TradesRepository, 'before'>,
    private readonly cursors: CursorCodec,
  ) {}

  /**
   * Returns a page of trades, the newest first.
   * @throws ApiError `NOT_FOUND` for an absent coin while every source is current; else `INDEX_NOT_CURRENT`.
   */
  async list(query: TradesQuery): Promise<ChainTrades> {
    const { chainId, token, limit } = query;
    const { sources } = await this.index.state();
    const asked = sources.filter(({ document }) => document.chainId === chainId);
    const coin = await this.rows.coin(chainId, token);
    if (coin === null) throw this.index.missing(asked);
    const swaps = await this.trades.before({ chainId, tokenAddress: token }, this.placeOf(query), limit + 1);
    const last = swaps.length > limit ? swaps[limit - 1] : undefined;
    return {
      schemaVersion: TRADES_SCHEMA,
      chainId,
      token: checksummed(token),
      items: swaps.slice(0, limit).map((swap) => tradeOf(swap, coin.record)),
      nextCursor:
        last === undefined ? null : this.cursors.encode(scopeOf(query), [last.block_number, String(last.log_index)]),
      ...this.index.freshness(asked),
    };
  }

  private placeOf(query: TradesQuery): TradePlace {
    if (query.cursor === undefined) return AFTER_ALL;
    const [blockNumber = '0', logIndex = '0'] = this.cursors.decode(scopeOf(query), query.cursor);
    return { blockNumber, logIndex: Number(logIndex) };
  }
}
