import { formatUnits } from 'viem/utils';
import { ether, percent, rolesOf, utcTime } from './human-values.js';
import type { RecomputedLaunch } from './read-request.js';

/** A value of calldata for readers: its name, and its text in human units beside the exact value. */
export interface CallField {
  readonly subject: string;
  readonly show: (value: unknown) => string;
}

type Launch = Pick<RecomputedLaunch, 'economics' | 'request'>;
type Show = (value: unknown, launch: Launch) => string;
/** The name of a field, in which `%` is the contract that the field belongs to. */
type Named = readonly [subject: string, show?: Show];

/** Returns a wei amount in ether and wei. */
export const shownAmount = (value: unknown): string =>
  typeof value === 'bigint' ? `${ether(value)} (${value} wei)` : exactly(value);
/** Returns unix seconds, also those of a decimal string, as a time and a number. */
export const shownTime = (value: unknown): string => {
  const seconds = exactly(value);
  return /^\d+$/.test(seconds) ? `${utcTime(BigInt(seconds))} (${seconds})` : seconds;
};
const exactly = (value: unknown): string => (value === undefined ? 'nothing' : String(value));
const shownShare: Show = (value) => (typeof value === 'number' ? percent(value) : exactly(value));
const shownRoles: Show = (value) => (typeof value === 'number' ? `${rolesOf(value)} (${value})` : exactly(value));
const TOKEN_DECIMALS = 18;
/** Only recognised economics say how many decimals the token has. */
const shownTokens: Show = (value, { economics, request }) => {
  if (typeof value !== 'bigint') return exactly(value);
  if (economics.kind !== 'recognised') return `${value} raw units`;
  return `${formatUnits(value, TOKEN_DECIMALS)} ${request.projectMetadata.symbol} (${value} raw units)`;
};

const componentFields = (at: string): Record<string, Named> => ({
  [`${at}.roleMask`]: ['the role of the contract %', shownRoles],
  [`${at}.salt`]: ['the salt of the contract %'],
  [`${at}.initCode`]: ['the creation code of the contract %'],
  [`${at}.initCodeHash`]: ['the hash of the creation code of the contract %'],
  [`${at}.runtimeCodeHash`]: ['the hash of the code of the contract %'],
});
const accountFields = (at: string, subject: string): Record<string, Named> => ({
  [`${at}.length`]: [`the number of ${subject}s`],
  [`${at}.*.parentIndex`]: [`the creator of a ${subject}`],
  [`${at}.*.roleMask`]: [`the role of a ${subject}`, shownRoles],
  [`${at}.*.account`]: [`the address of a ${subject}`],
  [`${at}.*.runtimeCodeHash`]: [`the hash of the code of a ${subject}`],
});
const CHILD = 'contract that another one creates';
const EXTERNAL = 'contract that exists already';

const FIELDS: Readonly<Record<string, Named>> = {
  entryPoint: ['the called function'],
  signature: ['the signature of the permit'],
  'permit.controller': ['the wallet that may launch'],
  'permit.requestHash': ['the hash of the request in the permit'],
  'permit.contextHash': ['the hash of the terms in the permit'],
  'permit.economicsHash': ['the hash of the economics in the permit'],
  'permit.instructionPolicyHash': ['the hash of the opcode policy in the permit'],
  'permit.graphHash': ['the hash of the contracts in the permit'],
  'permit.poolHash': ['the hash of the pool in the permit'],
  'permit.callHash': ['the hash of the call in the permit'],
  'permit.value': ['the amount in the permit', shownAmount],
  'permit.nonce': ['the nonce in the permit'],
  'permit.validAfter': ['the start of the permit', shownTime],
  'permit.deadline': ['the end of the permit', shownTime],
  'permit.profile': ['the profile in the permit'],
  'permit.mode': ['the mode in the permit'],
  'permit.stepsHash': ['the hash of the steps in the permit'],
  'call.components.length': ['the number of contracts that are created'],
  ...componentFields('call.components.*'),
  ...accountFields('call.children', CHILD),
  ...accountFields('call.externals', EXTERNAL),
  'call.poolKey.currency0': ['the first asset of the pool'],
  'call.poolKey.currency1': ['the second asset of the pool'],
  'call.poolKey.fee': ['the fee in the key of the pool'],
  'call.poolKey.tickSpacing': ['the tick spacing of the pool'],
  'call.poolKey.hooks': ['the hook of the pool'],
  'call.sqrtPriceX96': ['the first price of the pool'],
  'call.liquidity': ['the liquidity of the pool'],
  'call.nativeLiquidityWei': ['the amount that becomes liquidity', shownAmount],
  'call.initialBuyWei': ['the amount that buys tokens', shownAmount],
  'call.minimumTokensOut': ['the minimum that you receive', shownTokens],
  'step.ordinal': ['the contract that the step creates'],
  ...componentFields('step.component'),
  'step.componentHashes.length': ['the number of contracts of the plan'],
  'step.componentHashes.*': ['the hash of the contract %'],
  ...accountFields('step.children', CHILD),
  'step.externalHashes.length': [`the number of ${EXTERNAL}s`],
  'step.externalHashes.*': [`the hash of a ${EXTERNAL}`],
};

/** The constructor arguments of the reviewed contracts. */
const ARGUMENTS: Readonly<Record<string, Named>> = {
  'config.poolManager': ['the pool manager in the contract %'],
  'config.router': ['the router in the contract %'],
  'config.creatorBuyFeeBps': ['the creator’s fee of each buy in the contract %', shownShare],
  'config.creatorSellFeeBps': ['the creator’s fee of each sale in the contract %', shownShare],
  'config.platformRecipient': ['the recipient of the platform’s fee in the contract %'],
  'config.creatorRecipient': ['the recipient of the creator’s fee in the contract %'],
  poolManager_: ['the pool manager in the contract %'],
  router_: ['the router in the contract %'],
  name: ['the name in the contract %'],
  symbol: ['the symbol in the contract %'],
  supply: ['the supply in the contract %', shownTokens],
  inventoryRaw: ['the supply in the contract %', shownTokens],
  initializer: ['the first owner of the supply in the contract %'],
  token: ['the token in the contract %'],
  tickSpacing: ['the tick spacing in the contract %'],
  initializer_: ['the initializer in the contract %'],
  tickLower_: ['the lowest tick in the contract %'],
  tickUpper_: ['the highest tick in the contract %'],
};

/** The arguments of a constructor are named below its creation code. */
const ARGUMENT = '.initCode.';

/** Returns the name and the human form of the value at a path of decoded calldata. @param contract the component it belongs to */
export function callField(path: string, launch: Launch, contract = ''): CallField {
  const [, argument] = path.split(ARGUMENT);
  const [subject, show = exactly] =
    argument === undefined
      ? (FIELDS[path.replaceAll(/\.\d+(?=\.|$)/g, '.*')] ?? [`the value ${path}`])
      : (ARGUMENTS[argument] ?? [`the argument ${argument} of the contract %`]);
  return { subject: subject.replace('%', () => contract), show: (value) => show(value, launch) };
}
