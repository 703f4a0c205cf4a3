import { humanAmount, relativeTime, shortened } from '../site/units.js';
import { explorerLink, type ShownChain } from '../site/chains.js';
import { useNow, useSettings } from '../site/site-data.js';
import { CopyButton } from './copy.js';

/** An amount in human units. The exact raw value is its title and what is copied. */
export function Amount({
  raw,
  decimals,
  unit,
  copyLabel,
}: {
  raw: bigint | string;
  decimals: number;
  unit: string;
  copyLabel?: string;
}) {
  const exact = BigInt(raw);
  return (
    <span className="inline-flex flex-wrap items-center gap-0.5">
      <data value={exact.toString()} title={`${exact.toString()} (smallest unit of ${unit}, ${decimals} decimals)`}>
        {humanAmount(exact, decimals)} {unit}
      </data>
      {copyLabel !== undefined && <CopyButton value={exact.toString()} label={`the exact ${copyLabel}`} />}
    </span>
  );
}

/** A moment as the time since or until it, with the exact time as its title. @param at an RFC 3339 timestamp */
export function Moment({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={at}>
      {relativeTime(Date.parse(at), now)}
    </time>
  );
}

/** A shortened address or hash with copy and, where the operator names an explorer, a link. */
export function Hex({
  value,
  kind,
  chainId,
  label,
}: {
  value: string;
  kind?: 'address' | 'tx' | 'block';
  chainId?: ShownChain;
  label: string;
}) {
  const settings = useSettings();
  const href = kind === undefined || chainId === undefined ? null : explorerLink(settings, chainId, kind, value);
  const text = (
    <code title={value} className="break-all">
      {shortened(value)}
    </code>
  );
  return (
    <span className="inline-flex items-center gap-0.5">
      {href === null ? (
        text
      ) : (
        <a href={href} rel="noreferrer" aria-label={`${label} ${value} at the block explorer`}>
          {text}
        </a>
      )}
      <CopyButton value={value} label={label} />
    </span>
  );
}
