import { formatUnits } from 'viem/utils';

const ETHER_DECIMALS = 18;
const SIGNIFICANT = 6;
const GROUP = /\B(?=(\d{3})+(?!\d))/g;

/** Returns an amount in human units with about six significant digits: `1,234.5`, `0.0001234`. */
export function humanAmount(raw: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(raw < 0n ? -raw : raw, decimals).split('.');
  const sign = raw < 0n ? '-' : '';
  const grouped = whole.replace(GROUP, ',');
  const leading = /^0*/.exec(fraction)![0].length;
  const kept = whole === '0' ? leading + Math.min(SIGNIFICANT, 4) : Math.max(0, SIGNIFICANT - whole.length);
  const shown = fraction.slice(0, kept).replace(/0+$/, '');
  return shown === '' ? `${sign}${grouped}` : `${sign}${grouped}.${shown}`;
}

/** Returns wei as ether in human units, without the unit. */
export const humanEther = (wei: bigint): string => humanAmount(wei, ETHER_DECIMALS);

/** Returns basis points as a percentage: `30` is `0.3%`. */
export const humanBasisPoints = (basisPoints: number): string => `${(basisPoints / 100).toLocaleString('en-US')}%`;

/** Returns an address or hash with its middle left out: `0x1234…abcd`. */
export const shortened = (hex: string): string => (hex.length <= 14 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`);

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns the time between two moments in the largest whole unit: `3 hours ago`, `in 2 days`, `just now`. */
export function relativeTime(atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1_000);
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (unit === undefined) return Math.abs(seconds) < 10 ? 'just now' : phrase(seconds, 'second');
  return phrase(Math.trunc(seconds / unit[1]), unit[0]);
}

const phrase = (count: number, unit: string): string => {
  const named = `${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
  return count < 0 ? `${named} ago` : `in ${named}`;
};
