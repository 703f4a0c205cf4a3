import type { Stack } from './stack.schema.js';

/** Returns the addresses at which a user follows the first launch: the website first, if the stack has one. */
export function readyAddresses({ gateway, site, temporal }: Stack): string {
  const named = [
    site === gateway ? null : `website ${site}`,
    `API ${gateway}/docs`,
    temporal.ui === null ? null : `workflows ${temporal.ui}`,
  ];
  return named.filter((address) => address !== null).join(', ');
}

/** Returns the lines with which a start that stays up ends: every address that a user opens. */
export function addressLines({ gateway, site, reviewer, temporal, rpc, faults }: Stack): string[] {
  const rows: readonly (readonly [what: string, address: string | null])[] = [
    ['website', site === gateway ? null : site],
    ['API and its reference', `${gateway}/docs`],
    ['review console', reviewer],
    ['workflows', temporal.ui],
    ['chain 4663', rpc['4663'].join(' and ')],
    ['chain 1', rpc['1'].join(' and ')],
    ['faults', faults === null ? null : 'npm run dev:fault -- --help'],
  ];
  return rows.flatMap(([what, address]) => (address === null ? [] : [`  ${what.padEnd(22)}${address}`]));
}
