import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { CHART, type Bar, type TradeChart } from './chart-size.js';
import type { CoinTrade } from './coin-facts.js';

const BARS = 40;
/** Free space above and below the price line, as a part of its height. */
const MARGIN = 0.08;
/** The shortest time that a chart spans. */
const SHORTEST_MS = 60_000;

type Priced = CoinTrade & { readonly priceNative: string };
const isPriced = (trade: CoinTrade): trade is Priced => trade.priceNative !== null;

/**
 * Returns the chart of some trades; null without a trade that has a price.
 * @param newestFirst as the service lists them
 * @param until the time of the index, to which the last price extends
 */
export function chartOf(newestFirst: readonly CoinTrade[], until: string | null): TradeChart | null {
  const trades = newestFirst.filter(isPriced).toReversed();
  const [first, last] = [trades[0], trades.at(-1)];
  if (first === undefined || last === undefined) return null;
  const from = Date.parse(first.at);
  const to = Math.max(Date.parse(last.at), until === null ? 0 : Date.parse(until), from + SHORTEST_MS);
  const x = scaleLinear([from, to], [0, CHART.width]);
  const byPrice = trades.toSorted((one, other) => Number(one.priceNative) - Number(other.priceNative));
  const [lowest, highest] = [byPrice[0]!.priceNative, byPrice.at(-1)!.priceNative];
  const y = priceScale(Number(lowest), Number(highest));
  const steps = [
    ...trades.map(({ at, priceNative }) => [Date.parse(at), priceNative] as const),
    [to, last.priceNative] as const,
  ];
  const path = line<(typeof steps)[number]>(
    ([at]) => x(at),
    ([, price]) => y(Number(price)),
  ).curve(curveStepAfter);
  return {
    price: path.digits(1)(steps) ?? '',
    bars: barsOf(trades, from, to),
    lowest,
    highest,
    last: last.priceNative,
    from: first.at,
    to: new Date(to).toISOString(),
    trades: trades.length,
    volumeWei: trades.reduce((sum, { nativeWei }) => sum + BigInt(nativeWei), 0n).toString(),
  };
}

/** Maps prices to heights from the top. One price is a line in the middle. */
function priceScale(lowest: number, highest: number): (price: number) => number {
  if (lowest === highest) return () => CHART.price / 2;
  return scaleLinear([lowest, highest], [CHART.price * (1 - MARGIN), CHART.price * MARGIN]);
}

const tenth = (number: number): number => Math.round(number * 10) / 10;

/** Returns one bar for each slice of time in which something was traded. */
function barsOf(trades: readonly Priced[], from: number, to: number): readonly Bar[] {
  const sums = new Map<number, bigint>();
  for (const { at, nativeWei } of trades) {
    const slice = Math.min(BARS - 1, Math.floor(((Date.parse(at) - from) / (to - from)) * BARS));
    sums.set(slice, (sums.get(slice) ?? 0n) + BigInt(nativeWei));
  }
  const most = Number([...sums.values()].reduce((one, other) => (one > other ? one : other), 1n));
  const height = scaleLinear([0, most], [0, CHART.volume]);
  const width = CHART.width / BARS;
  return [...sums].map(([slice, wei]) => {
    // A bar that is lower than a line would not be seen.
    const tall = Math.max(1, height(Number(wei)));
    return { x: tenth(slice * width + 1), y: tenth(CHART.volume - tall), width: width - 2, height: tenth(tall) };
  });
}
