import type { ListedMarket } from '../site/listed-coin.js';
import { parseUnits } from 'viem/utils';
import { humanAmount } from '../site/units.js';

/** Decimals of prices and volumes of the index. */
const MARKET_DECIMALS = 36;

/** A price or volume in ether, as the index writes it. The exact value is its title. */
export const Ether = ({ value }: { value: string }) => (
  <data value={value} title={`${value} ETH`} className="tabular-nums">
    {humanAmount(parseUnits(value, MARKET_DECIMALS), MARKET_DECIMALS)} ETH
  </data>
);

/** The price of a coin, or why there is none. */
export function Price({ market }: { market: ListedMarket }) {
  if (market === null) return <span className="text-muted">Trades not read</span>;
  if (market.priceNative === null)
    return <span className="text-muted">{market.lastSwap === null ? 'No trade yet' : 'Unknown'}</span>;
  return <Ether value={market.priceNative} />;
}

/** The volume of the last 24 hours; a lower bound while trades are missing. */
export function Volume({ market }: { market: ListedMarket }) {
  if (market === null || market.volume24hNative === null) return <span className="text-muted">Unknown</span>;
  return (
    <span title={market.isComplete ? undefined : 'Some trades of the last 24 hours could not be read.'}>
      {!market.isComplete && 'at least '}
      <Ether value={market.volume24hNative} />
    </span>
  );
}
