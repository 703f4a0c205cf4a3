import { LAUNCH_ROLES } from '@launch/evm';
import { formatUnits } from 'viem/utils';

const ETHER_DECIMALS = 18;
/** The last second that a date can name. */
const LAST_SECOND = 8_640_000_000_000n;

export const ether = (wei: bigint): string => `${formatUnits(wei, ETHER_DECIMALS)} ETH`;
export const percent = (basisPoints: number): string => `${basisPoints / 100}%`;

/** Returns a time in UTC. A time beyond the calendar stays a number of seconds. */
export const utcTime = (seconds: bigint): string =>
  seconds > LAST_SECOND ? `second ${seconds}` : new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', 'Z');

const ROLE_NAMES: Readonly<Record<keyof typeof LAUNCH_ROLES, string>> = {
  token: 'token',
  hook: 'hook',
  initializer: 'initializer',
  liquidityCustody: 'custody of the liquidity',
  feeVault: 'fee vault',
  module: 'module',
};
const ROLES = Object.entries(LAUNCH_ROLES) as readonly (readonly [keyof typeof LAUNCH_ROLES, number])[];

/** Names the roles of a contract. */
export function rolesOf(mask: number): string {
  const names = ROLES.filter(([, bit]) => (mask & bit) !== 0).map(([role]) => ROLE_NAMES[role]);
  return names.length === 0 ? 'auxiliary' : names.join(' and ');
}
