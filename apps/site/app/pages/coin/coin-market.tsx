import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy.js';
import { Ether } from '../../ui/market.js';
import { Card } from '../../ui/page.js';
import { Notice } from '../../ui/status.js';
import { Hex, Moment } from '../../ui/values.js';
import type { CoinView } from './coin-view.js';

/** Price, volume and trades of the last day. */
export function CoinMarket({ market, chainId }: Pick<CoinView, 'market' | 'chainId'>) {
  if (market === null)
    return (
      <Notice title="The market of this coin is unknown.">
        <p>The index does not read the trades of this coin now, or could not sum them in time.</p>
      </Notice>
    );
  const { priceNative, volume24hNative, swaps24h, lastSwap, isComplete, asOf } = market;
  return (
    <>
      <div className="grid grid-cols-2 gap-3 *:first:col-span-2 sm:grid-cols-3 sm:gap-4 sm:*:first:col-span-1">
        <Figure term="Price of one coin">
          {priceNative === null ? (
            <Unknown>{lastSwap === null ? 'No trade yet' : 'Unknown: the coin names no decimals'}</Unknown>
          ) : (
            <Exact value={priceNative} label="price" />
          )}
        </Figure>
        <Figure term="Volume, 24 h">
          {volume24hNative === null ? <Unknown>Unknown</Unknown> : <Exact value={volume24hNative} label="volume" />}
        </Figure>
        <Figure term="Trades, 24 h">
          {isComplete ? swaps24h.toLocaleString('en-US') : `At least ${swaps24h.toLocaleString('en-US')}`}
        </Figure>
      </div>
      <p className="mt-2 text-sm text-muted">
        As of <Moment at={asOf} />. A price is no promise that a market exists.{' '}
        {!isComplete && 'Trades of a block cannot be read now, so volume and count are lower bounds. '}
        {lastSwap !== null && (
          <>
            Last trade <Moment at={lastSwap.at} />, {lastSwap.isFinal ? 'final' : 'not final yet'}, in transaction{' '}
            <Hex value={lastSwap.transactionHash} kind="tx" chainId={chainId} label="Transaction" />
          </>
        )}
      </p>
    </>
  );
}

const Figure = ({ term, children }: { term: string; children: ReactNode }) => (
  <Card>
    <p className="text-sm text-muted">{term}</p>
    <p className="mt-1 font-semibold sm:text-lg">{children}</p>
  </Card>
);

const Unknown = ({ children }: { children: ReactNode }) => (
  <span className="text-base font-normal text-muted">{children}</span>
);

/** Ether with a button that copies its exact value. */
const Exact = ({ value, label }: { value: string; label: string }) => (
  <span className="inline-flex items-center gap-0.5">
    <Ether value={value} />
    <CopyButton value={value} label={`the exact ${label}`} />
  </span>
);
