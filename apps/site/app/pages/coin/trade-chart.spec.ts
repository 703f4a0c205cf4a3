import { describe, expect, it } from '@jest/globals';
import { CHART } from './chart-size.js';
import type { CoinTrade } from './coin-facts.js';
import { chartOf } from './trade-chart.js';

const tradeAt = (minute: number, priceNative: string | null, nativeWei = '1000'): CoinTrade => ({
  transactionHash: `0x${'5'.repeat(64)}`,
  blockNumber: String(minute),
  blockHash: `0x${'6'.repeat(64)}`,
  logIndex: 1,
  at: new Date(Date.UTC(2026, 10, 28, 11, minute)).toISOString(),
  isFinal: true,
  router: '0x1111111111111111111111111111111111111111',
  side: 'buy',
  nativeWei,
  tokenAmount: '1',
  priceNative,
  fees: null,
});

describe('The chart of trades', () => {
  it('runs from the oldest to the newest trade, with a step at each.', () => {
    const chart = chartOf([tradeAt(20, '3'), tradeAt(10, '1'), tradeAt(0, '2')], null)!;
    expect(chart.price).toBe('M0,80L300,80L300,147.2L600,147.2L600,12.8L600,12.8L600,12.8');
    expect(chart).toMatchObject({ lowest: '1', highest: '3', last: '3', trades: 3, volumeWei: '3000' });
  });
  it('extends the last price to the time of the index.', () => {
    const until = new Date(Date.UTC(2026, 10, 28, 11, 40)).toISOString();
    const chart = chartOf([tradeAt(20, '3'), tradeAt(0, '1')], until)!;
    expect(chart.to).toBe(until);
    expect(chart.price.endsWith(`L${CHART.width},12.8`)).toBe(true);
  });
  it('draws one trade as a line in the middle.', () => {
    expect(chartOf([tradeAt(0, '0.000000010016857928454160345052850092')], null)!.price).toBe('M0,80L600,80L600,80');
  });
  it('sums the volume of each slice exactly and scales the bars to the largest.', () => {
    const wei = '123456789012345678901234567890';
    const { bars, volumeWei } = chartOf([tradeAt(20, '1', '1'), tradeAt(0, '1', wei)], null)!;
    expect(volumeWei).toBe('123456789012345678901234567891');
    expect(bars.map(({ height }) => height)).toEqual([CHART.volume, 1]);
  });
  it('is absent without a price.', () => {
    expect(chartOf([], null)).toBeNull();
    expect(chartOf([tradeAt(0, null)], null)).toBeNull();
  });
});
