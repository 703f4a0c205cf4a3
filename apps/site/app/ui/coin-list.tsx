import { FOUNDATION_PLATFORM_FEE_BPS } from '@launch/contracts/index';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CHAIN_NAMES } from '../site/chains.js';
import type { ListedCoin } from '../site/listed-coin.js';
import { humanBasisPoints, shortened } from '../site/units.js';
import { CoinMark } from './coin-mark.js';
import { CopyButton } from './copy.js';
import { Stage } from './finality-stage.js';
import { Price, Volume } from './market.js';
import { Badge } from './status.js';
import { Untrusted } from './untrusted.js';
import { Moment } from './values.js';

type Column = 'creator' | 'price' | 'volume' | 'fee' | 'launched' | 'finality';
const TITLES: Readonly<Record<Column, string>> = {
  creator: 'Creator',
  price: 'Price',
  volume: 'Volume, 24 h',
  fee: 'Platform fee',
  launched: 'Launched',
  finality: 'Finality',
};
const COLUMNS = Object.keys(TITLES) as Column[];

/**
 * Coins as a table that becomes a list of cards on a narrow screen. The roles keep the table's meaning where the styles change its
 * display.
 * @param omits columns that have one value on this page
 */
export function CoinList({
  coins,
  caption,
  omits = [],
}: {
  coins: readonly ListedCoin[];
  caption: string;
  omits?: readonly Column[];
}) {
  const columns = COLUMNS.filter((column) => !omits.includes(column));
  return (
    <table role="table" className="w-full border-separate border-spacing-0 max-lg:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-lg:sr-only">
        <tr role="row">
          <Head>Coin</Head>
          {columns.map((column) => (
            <Head key={column}>{TITLES[column]}</Head>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-lg:grid max-lg:gap-3 max-lg:sm:grid-cols-2">
        {coins.map((coin) => (
          <CoinRow key={`${coin.chainId}:${coin.tokenAddress}`} coin={coin} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

const Head = ({ children }: { children: ReactNode }) => (
  <th
    role="columnheader"
    scope="col"
    className="border-b border-line px-3 py-2 text-left text-xs font-semibold text-muted"
  >
    {children}
  </th>
);

const CoinRow = ({ coin, columns }: { coin: ListedCoin; columns: readonly Column[] }) => (
  <tr
    role="row"
    className="max-lg:grid max-lg:grid-cols-2 max-lg:gap-x-4 max-lg:gap-y-2.5 max-lg:rounded-xl max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 lg:hover:bg-sunken"
  >
    <th
      role="rowheader"
      scope="row"
      className="text-left font-normal max-lg:col-span-2 lg:border-b lg:border-line lg:px-3 lg:py-3"
    >
      <CoinName coin={coin} />
    </th>
    {columns.map((column) => (
      <td key={column} role="cell" className="min-w-0 text-sm lg:border-b lg:border-line lg:px-3 lg:py-3">
        <span aria-hidden className="block text-xs text-muted lg:hidden">
          {TITLES[column]}
        </span>
        <Cell coin={coin} column={column} />
      </td>
    ))}
  </tr>
);

const CoinName = ({ coin }: { coin: ListedCoin }) => (
  <div className="flex items-start gap-3">
    <CoinMark imageUrl={coin.imageUrl} symbol={coin.symbol} />
    <div className="min-w-0">
      <p>
        <Link to={`/coins/${coin.chainId}/${coin.tokenAddress}`} className="font-semibold">
          <Untrusted text={coin.name} absent="No name" short />
        </Link>{' '}
        <span className="text-sm text-muted">
          <Untrusted text={coin.symbol} absent="no symbol" short />
        </span>
      </p>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <span>{CHAIN_NAMES[coin.chainId]}</span>
        <span>{coin.mode === 'module' ? 'Modules' : 'Custom'}</span>
        <span className="inline-flex items-center">
          <code title={coin.tokenAddress}>{shortened(coin.tokenAddress)}</code>
          <CopyButton value={coin.tokenAddress} label={`the token address ${shortened(coin.tokenAddress)}`} />
        </span>
        {coin.label !== null && <Badge tone="accent">{coin.label}</Badge>}
      </p>
    </div>
  </div>
);

function Cell({ coin, column }: { coin: ListedCoin; column: Column }) {
  switch (column) {
    case 'creator':
      return (
        <Link
          to={`/creators/${coin.creator}`}
          title={coin.creator}
          className="inline-flex min-h-6 items-center underline"
        >
          <code className="whitespace-nowrap">{shortened(coin.creator)}</code>
        </Link>
      );
    case 'price':
      return <Price market={coin.market} />;
    case 'volume':
      return <Volume market={coin.market} />;
    case 'fee':
      return <PlatformFee coin={coin} />;
    case 'launched':
      return <Moment at={coin.launchedAt} />;
    case 'finality':
      return <Stage stage={coin.finalityStage} />;
  }
}

/** A release of the Foundation fixes its fee in its contract; the list has no fee of other coins. */
const PlatformFee = ({ coin: { factoryVersion } }: { coin: ListedCoin }) =>
  factoryVersion === null ? (
    <span className="text-muted">Not listed</span>
  ) : (
    <span title={`Fixed by the contract of Foundation ${factoryVersion}. The coin's page has its other fees.`}>
      {humanBasisPoints(FOUNDATION_PLATFORM_FEE_BPS[factoryVersion])}
    </span>
  );
