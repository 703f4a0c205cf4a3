import { useId } from 'react';
import { explorerLink, type ShownChain } from '../../site/chains.js';
import { useSettings } from '../../site/site-data.js';
import { humanEther, shortened } from '../../site/units.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Ether } from '../../ui/market.js';
import { Card } from '../../ui/page.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Empty, Unread } from '../../ui/status.js';
import { Amount, Moment } from '../../ui/values.js';
import type { CoinTrade } from './coin-facts.js';
import type { CoinView } from './coin-view.js';
import { CHART, type TradeChart } from './chart-size.js';

/** Trades that the page lists before the reader opens the older ones. */
const LISTED = 10;

/** The chart of a coin's trades and the trades themselves, which are the chart's table. */
export function CoinTrades({
  trades,
  chart,
  launch,
  chainId,
}: Pick<CoinView, 'trades' | 'chart' | 'launch' | 'chainId'>) {
  if (trades.is !== 'value') return <Unread read={trades} subject="the trades of this coin" />;
  const { items, hasMore } = trades.value;
  if (items.length === 0) return <Empty title="No trades yet">The index has no trade in the pool of this coin.</Empty>;
  const table = { chainId, decimals: launch?.decimals ?? null };
  const older = items.slice(LISTED);
  return (
    <>
      {chart !== null && <PriceChart chart={chart} />}
      <div className="mt-4">
        <TradeTable caption="Newest trades" trades={items.slice(0, LISTED)} {...table} />
      </div>
      {older.length > 0 && (
        <div className="mt-3">
          <Disclosure summary={`${older.length} older trades of the chart`}>
            <TradeTable caption="Older trades" trades={older} {...table} />
          </Disclosure>
        </div>
      )}
      <p className="mt-2 text-sm text-muted">
        {hasMore && 'The pool has more trades than these. '}A trade names the contract that called the pool, not the
        trader.
      </p>
    </>
  );
}

/** The price as a line and the volume as bars. It is an image; the tables below it have the same trades. */
function PriceChart({ chart }: { chart: TradeChart }) {
  const id = useId();
  const summary = `${chart.trades} trades. The last price is ${chart.last} ETH; the lowest is ${chart.lowest} ETH and the highest ${chart.highest} ETH. Together they moved ${humanEther(BigInt(chart.volumeWei))} ETH.`;
  return (
    <Card>
      <figure>
        <p className="flex flex-wrap justify-between gap-2 text-sm text-muted">
          <span>
            Highest <Ether value={chart.highest} />
          </span>
          <span>
            Lowest <Ether value={chart.lowest} />
          </span>
        </p>
        <svg
          role="img"
          aria-labelledby={`${id}-title ${id}-summary`}
          viewBox={`0 0 ${CHART.width} ${CHART.price}`}
          preserveAspectRatio="none"
          className="mt-2 block h-40 w-full border-b border-line"
        >
          <title id={`${id}-title`}>Price of the coin in ether</title>
          <desc id={`${id}-summary`}>{summary}</desc>
          <path
            d={chart.price}
            fill="none"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
            className="stroke-accent"
          />
        </svg>
        <svg
          aria-hidden
          viewBox={`0 0 ${CHART.width} ${CHART.volume}`}
          preserveAspectRatio="none"
          className="mt-2 block h-14 w-full border-b border-line"
        >
          {chart.bars.map((bar) => (
            <rect key={bar.x} {...bar} className="fill-line-strong" />
          ))}
        </svg>
        <figcaption className="mt-2 flex flex-wrap justify-between gap-2 text-sm text-muted">
          <span>
            From <Moment at={chart.from} />
          </span>
          <span>
            Line: price after each trade. Bars: ether traded, {humanEther(BigInt(chart.volumeWei))} ETH in all.
          </span>
          <span>
            to <Moment at={chart.to} />
          </span>
        </figcaption>
      </figure>
    </Card>
  );
}

interface TableProps {
  readonly trades: readonly CoinTrade[];
  readonly chainId: ShownChain;
  /** Decimals of the token; null if they are unknown, and amounts are then in its smallest unit. */
  readonly decimals: number | null;
}

const COLUMNS = [
  'Time',
  'Trade',
  'Ether',
  'Tokens',
  'Price after',
  'Fees in ether',
  'Called by',
  'Transaction',
  'Final',
];

const TradeTable = ({ caption, trades, chainId, decimals }: TableProps & { readonly caption: string }) => (
  <ScrollTable caption={caption} columns={COLUMNS}>
    {trades.map((trade) => (
      <tr key={`${trade.transactionHash} ${trade.logIndex}`} className="whitespace-nowrap">
        <td>
          <Moment at={trade.at} />
        </td>
        <td>{trade.side === 'buy' ? 'Buy' : 'Sell'}</td>
        <td>
          <Amount raw={trade.nativeWei} decimals={18} unit="ETH" />
        </td>
        <td>
          <Amount raw={trade.tokenAmount} decimals={decimals ?? 0} unit={decimals === null ? 'units' : ''} />
        </td>
        <td>{trade.priceNative === null ? 'Unknown' : <Ether value={trade.priceNative} />}</td>
        <td>
          <Fees fees={trade.fees} />
        </td>
        <td>
          <Reference id={trade.router} kind="address" chainId={chainId} />
        </td>
        <td>
          <Reference id={trade.transactionHash} kind="tx" chainId={chainId} />
        </td>
        <td>{trade.isFinal ? 'Yes' : 'Not yet'}</td>
      </tr>
    ))}
  </ScrollTable>
);

function Fees({ fees }: Pick<CoinTrade, 'fees'>) {
  if (fees === null) return <span className="text-muted">Not reported</span>;
  const { platformWei, creatorWei } = fees;
  return (
    <span title={`Platform ${platformWei} wei, creator ${creatorWei} wei`}>
      {humanEther(BigInt(platformWei))} platform, {humanEther(BigInt(creatorWei))} creator
    </span>
  );
}

/** A shortened address or hash without a button, because a table has many. */
function Reference({ id, kind, chainId }: { id: string; kind: 'address' | 'tx'; chainId: ShownChain }) {
  const href = explorerLink(useSettings(), chainId, kind, id);
  const text = <code title={id}>{shortened(id)}</code>;
  return href === null ? (
    text
  ) : (
    <a href={href} rel="noreferrer">
      {text}
    </a>
  );
}
