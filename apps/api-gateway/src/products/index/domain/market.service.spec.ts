import { describe, expect, it } from '@jest/globals';
import type { PublishedLaunch, PublishedSource } from '@launch/contracts/index';
import { checksummed } from '@launch/contracts/primitives';
import { account, publishedLaunch, publishedSource, sourceDocument, word } from '../../../fixtures/published-rows.js';
import type { CoinTrades } from '../data/trades.repository.js';
import { MarketService } from './market.service.js';

const ROUTER = sourceDocument();
const SOURCE = publishedSource(ROUTER);
const AT = new Date('2026-11-20T10:00:00.000Z');
const COIN = publishedLaunch(ROUTER, 1);

const tradesOf = ({ record }: PublishedLaunch, more: Partial<CoinTrades> = {}): CoinTrades => ({
  chain_id: record.chainId,
  token_address: record.tokenAddress,
  caller: account(0xca13),
  transaction_hash: word(5),
  block_number: '50470001',
  block_hash: word(6),
  log_index: 12,
  block_time: AT,
  is_final: false,
  sqrt_price_x96: String(2n ** 96n),
  tick: -12,
  liquidity: '7',
  day: { count: 2, volume: '2040000000000000000' },
  ...more,
});
const markets = (
  coins: readonly PublishedLaunch[],
  trades: readonly CoinTrades[],
  sources: readonly PublishedSource[] = [SOURCE],
) => {
  const asked: string[] = [];
  const service = new MarketService({
    async of(some) {
      asked.push(...some.map(({ tokenAddress }) => tokenAddress));
      return trades;
    },
  });
  return service.of(coins, sources).then((found) => ({ found, asked }));
};

describe('The market of a coin', () => {
  it('has the last trade with its caller, an exact price and the volume of a day, and names no trader', async () => {
    const { found } = await markets([COIN], [tradesOf(COIN)]);
    expect(found).toEqual([
      {
        priceNative: '1',
        volume24hNative: '2.04',
        swaps24h: 2,
        lastSwap: {
          router: checksummed(account(0xca13)),
          transactionHash: word(5),
          blockNumber: '50470001',
          blockHash: word(6),
          logIndex: 12,
          at: AT.toISOString(),
          isFinal: false,
          sqrtPriceX96: String(2n ** 96n),
          tick: -12,
          liquidity: '7',
        },
        isComplete: true,
        asOf: SOURCE.updated_at.toISOString(),
      },
    ]);
  });

  it('has no price for a token without decimals', async () => {
    const coin = publishedLaunch(ROUTER, 2, { decimals: null });
    const { found } = await markets([coin], [tradesOf(coin, { is_final: true })]);
    expect(found[0]).toMatchObject({ priceNative: null, volume24hNative: '2.04', lastSwap: { isFinal: true } });
  });

  it('is empty for a coin that was never traded', async () => {
    const { found } = await markets([COIN], []);
    expect(found).toMatchObject([{ priceNative: null, volume24hNative: '0', swaps24h: 0, lastSwap: null }]);
  });

  it('is marked incomplete while trades of its source could not be read', async () => {
    const source = { ...SOURCE, lacks_trades: true };
    for (const trades of [[], [tradesOf(COIN)]])
      expect((await markets([COIN], trades, [source])).found[0]?.isComplete).toBe(false);
  });

  it('is unknown where its day could not be summed', async () => {
    expect((await markets([COIN], [tradesOf(COIN, { day: null })])).found).toEqual([null]);
  });

  it('is absent for a source that is no longer read, whose trades are not asked for', async () => {
    const ended = sourceDocument({ sourceVersion: 'custom-multi-role-v2', address: account(0x7701) });
    const coin = publishedLaunch(ended, 3);
    const sources = [SOURCE, publishedSource(ended, { status: 'retained', state: 'ended' })];
    const { found, asked } = await markets([coin, COIN], [tradesOf(COIN)], sources);
    expect([found[0], found[1]?.swaps24h, asked]).toEqual([null, 2, [COIN.record.tokenAddress]]);
  });
});
