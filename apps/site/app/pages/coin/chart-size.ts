/** The coordinates of the chart. The page stretches them to its width. */
export const CHART = { width: 600, price: 160, volume: 60 } as const;

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A price and volume chart as geometry, so that the browser needs no code to draw it. */
export interface TradeChart {
  /** The path of the price, a step at each trade. */
  readonly price: string;
  readonly bars: readonly Bar[];
  /** Exact prices of the lowest and the highest trade, and of the last one, in ether. */
  readonly lowest: string;
  readonly highest: string;
  readonly last: string;
  readonly from: string;
  readonly to: string;
  readonly trades: number;
  /** Wei of all trades in the chart. */
  readonly volumeWei: string;
}
