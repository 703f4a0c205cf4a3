import { Inject, Injectable } from '@nestjs/common';
import type { Market, PublishedLaunch, PublishedSource } from '@launch/contracts/index';
import { checksummed } from '@launch/contracts/primitives';
import { etherOf, priceNative } from './native-price.js';
import { TradesRepository } from '../data/trades.repository.js';

/** Computes markets of coins from the indexer's trades (docs/reference/index-sources.md#trades, ADR 0075). */
@Injectable()
export class MarketService {
  constructor(@Inject(TradesRepository) private readonly trades: Pick<TradesRepository, 'of'>) {}

  /** Returns a market for each row in order; null when its trading is unknown: its source is no longer read, or its day could not be summed. */
  async of(launches: readonly PublishedLaunch[], sources: readonly PublishedSource[]): Promise<readonly Market[]> {
    const reading = new Map(
      sources.filter(({ state }) => state !== 'ended').map((source) => [source.release_digest, source]),
    );
    const traded = launches.filter(({ record }) => reading.has(record.sourceReleaseDigest));
    const trades = new Map(
      (await this.trades.of(traded.map(({ record }) => record))).map((one) => [
        `${one.chain_id} ${one.token_address}`,
        one,
      ]),
    );
    return launches.map(({ record }): Market => {
      const source = reading.get(record.sourceReleaseDigest);
      if (source === undefined) return null;
      const found = trades.get(`${record.chainId} ${record.tokenAddress}`);
      const asOf = source.updated_at.toISOString();
      const isComplete = !source.lacks_trades;
      if (found === undefined)
        return { priceNative: null, volume24hNative: '0', swaps24h: 0, lastSwap: null, isComplete, asOf };
      if (found.day === null) return null;
      return {
        priceNative: priceNative(BigInt(found.sqrt_price_x96), record.decimals),
        volume24hNative: etherOf(BigInt(found.day.volume)),
        swaps24h: found.day.count,
        lastSwap: {
          router: checksummed(found.caller),
          transactionHash: found.transaction_hash,
          blockNumber: found.block_number,
          blockHash: found.block_hash,
          logIndex: found.log_index,
          at: found.block_time.toISOString(),
          isFinal: found.is_final,
          sqrtPriceX96: found.sqrt_price_x96,
          tick: found.tick,
          liquidity: found.liquidity,
        },
        isComplete,
        asOf,
      };
    });
  }
}
