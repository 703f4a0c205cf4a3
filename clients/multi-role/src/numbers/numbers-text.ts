import type { LaunchNumbers, TokenAmount } from '@launch/contracts/multi-role';
import { decimalOfUnits, grouped } from './amounts.js';

const tokens = (amount: TokenAmount): string => `${grouped(amount.tokens)} tokens`;
const eth = (wei: string): string => `${grouped(decimalOfUnits(BigInt(wei)))} ETH`;
/** Shortens prices and shares for reading; the JSON has the exact values. */
const brief = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  const leading = /^0*/.exec(fraction)![0].length;
  const places = whole === '0' ? leading + 6 : Math.max(2, 6 - whole.length);
  return grouped(fraction === '' ? whole : `${whole}.${fraction.slice(0, places)}`.replace(/\.?0+$/, ''));
};
const price = ({ tokensPerEth, ethPerToken }: LaunchNumbers['price']): string =>
  `${brief(tokensPerEth)} tokens per ETH, ${brief(ethPerToken)} ETH per token`;

/** Formats the numbers of a launch for a terminal. */
export function numbersText({ supply, price: start, purchase, locked, warnings }: LaunchNumbers): string {
  const rows: [string, string][] = [
    ['supply', tokens(supply)],
    ['starting price', price(start)],
  ];
  if (purchase !== null) {
    const fees = `${eth(purchase.platformFeeWei)} to the platform, ${eth(purchase.creatorFeeWei)} to the creator, ${eth(purchase.poolWei)} to the pool`;
    rows.push(
      ['purchase', `${eth(purchase.initialBuyWei)}: ${fees}`],
      ['brings exactly', `${tokens(purchase.tokensOut)}, ${brief(purchase.percentOfSupply)} % of the supply`],
      ['fails below', `${tokens(purchase.minimumTokensOut)} (minimumTokensOut)`],
      ['price afterwards', price(purchase.priceAfterwards)],
    );
  }
  rows.push(
    [
      'locked for ever',
      `${tokens(locked.position)}${locked.nativeWei === '0' ? '' : ` and ${eth(locked.nativeWei)}`}, ${brief(locked.percentOfSupply)} % of the supply`,
    ],
    ['worth', `${eth(locked.valueWei)} at that price`],
  );
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  return [...lines, ...warnings.map(({ path, message }) => `  warning: ${path}: ${message}`), ''].join('\n');
}
