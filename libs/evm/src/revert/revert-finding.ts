import { finding, type Finding } from '@launch/contracts/errors';
import type { Hex } from '../encoding/hex.js';
import { decodeRevert, revertText, rootCause, type DecodedRevert } from './decode-revert.js';

/** The launcher's remedy for a revert. */
export interface RevertAdvice {
  /** RFC 6901 pointer into the request. */
  readonly path: string;
  readonly expected: string | null;
  /** The remedy in one or two sentences. */
  readonly detail: string;
}

/**
 * The member of a request that declares its first buy: `fundingPlan` of a multi-role launch, `funding` of a custom
 * launch or plan.
 */
export type FundingMember = 'fundingPlan' | 'funding';

const NEW_REQUEST = 'submit a new request';
const ACTUAL_LENGTH = 512;

type Advise = (args: DecodedRevert['args']) => RevertAdvice;
const at =
  (path: string, expected: string | null, detail: string): Advise =>
  () => ({ path, expected, detail });

const WINDOW = at(
  '/permitWindow',
  'a block whose time lies in the permit window',
  `Take a window that is open when you send, and ${NEW_REQUEST}.`,
);
const AUTHORITY = at(
  '',
  'a permit authority that the router accepts',
  'The router does not accept this service’s permit authority now. Nothing in the request is wrong: ask the operator.',
);
const POOL = at(
  '/graphBundle/officialPool',
  'a pool that the router and Uniswap V4 initialise',
  `Correct the pool's key or price, seal the request again and ${NEW_REQUEST}.`,
);
const LIQUIDITY = at(
  '/liquidityModel',
  'liquidity and ticks that the pool and the seeding contract take',
  `Correct ticks, liquidity or supply, build the contracts again and ${NEW_REQUEST}.`,
);
const ACCOUNTS = at(
  '/graphBundle',
  'accounts that stand exactly where and as they are declared',
  `Correct what the graph declares of this account and ${NEW_REQUEST}.`,
);
const FUNDING = at(
  '/fundingPlan',
  'a value that is the first buy and nothing else',
  `Correct the funding plan and ${NEW_REQUEST}.`,
);
const STEP = at(
  '',
  'the transaction exactly as its step of the plan hands it off, with the next step’s place',
  'Send the steps of one plan in their order, each unchanged. What was deployed under another permit does not count.',
);
const DEFAULT = at(
  '/graphBundle',
  'a launch that runs to its end',
  `Correct what the reason names and ${NEW_REQUEST}.`,
);

const ADVICE: Readonly<Record<string, Advise>> = {
  TooFewTokens: ({ minimumTokensOut, tokenDelta }) => ({
    path: '/fundingPlan/minimumTokensOut',
    expected: `at least ${String(minimumTokensOut)} base units of the token from the first buy`,
    detail: `The first buy gives ${String(tokenDelta)} base units. Declare a minimumTokensOut of at most that, less what you allow for slippage, or another price or buy, and ${NEW_REQUEST}.`,
  }),
  BuyPartiallyFilled: ({ initialBuyWei, nativeDelta }) => ({
    path: '/fundingPlan/initialBuyWei',
    expected: `a pool that takes the whole first buy of ${String(initialBuyWei)} wei`,
    detail: `The pool's range takes ${String(-BigInt(nativeDelta as bigint))} wei. Buy less or offer more tokens, and ${NEW_REQUEST}.`,
  }),
  NonceUsed: ({ nonce }) => ({
    path: '/nonce',
    expected: 'a nonce that the controller has not used at the router',
    detail: `Nonce ${String(nonce)} is spent on chain. Take another nonce and ${NEW_REQUEST}.`,
  }),
  BuyMissing: at(
    '/fundingPlan/initialBuyWei',
    'a first buy above zero: profile 4.0 alone launches without one',
    `Declare an initialBuyWei and a minimumTokensOut above zero and ${NEW_REQUEST}.`,
  ),
  TokenIsHook: ({ componentIndex }) => ({
    path: `/graphBundle/components/${String(componentIndex)}/roleMask`,
    expected: 'a token and a hook that are two components',
    detail: `Make token and hook two contracts and ${NEW_REQUEST}. A token that is its own hook is a multi-role launch.`,
  }),
  PlanIncomplete: ({ required, deployed }) => ({
    path: '',
    expected: `all ${String(required)} components deployed under this very permit`,
    detail: `${String(deployed)} of them stand. Send the deploy steps that are left, in their order, before the registration.`,
  }),
  StepOutOfOrder: ({ expected, ordinal }) => ({
    path: '',
    expected: `the deploy step of component ${String(expected)}`,
    detail: `The step of component ${String(ordinal)} was sent. Each component is deployed once, in graph order.`,
  }),
  AtomicStepsApart: at(
    '',
    'all calls of the plan in one transaction',
    'Send the calls of an atomic plan as one batch, by a wallet that supports it, never one by one.',
  ),
  StepNotOfPlan: STEP,
  StepsHashMismatch: STEP,
  WrongMode: STEP,
  PermitNotYetValid: WINDOW,
  PermitExpired: WINDOW,
  AuthorityExpired: AUTHORITY,
  AuthorityNotYetValid: AUTHORITY,
  AuthorityRevoked: AUTHORITY,
  SignerNotAuthority: AUTHORITY,
  SignatureMalformed: AUTHORITY,
  ...Object.fromEntries(
    [
      'CurrenciesOutOfOrderOrEqual',
      'HookAddressNotValid',
      'InvalidSqrtPrice',
      'LPFeeTooLarge',
      'PoolAlreadyInitialized',
      'PoolCurrency0NotNative',
      'PoolCurrency1NotToken',
      'PoolFeeNotZero',
      'PoolHooksNotHook',
      'TickSpacingTooLarge',
      'TickSpacingTooSmall',
      'WrongPool',
      'WrongPrice',
    ].map((name) => [name, POOL]),
  ),
  ...Object.fromEntries(
    [
      'InvalidTick',
      'InventoryOutOfRange',
      'SeedNotTokenOnly',
      'SupplyOutOfRange',
      'TickLiquidityOverflow',
      'TickLowerOutOfBounds',
      'TickMisaligned',
      'TickRangeInvalid',
      'TickUpperOutOfBounds',
      'TicksMisordered',
      'WrongLiquidity',
    ].map((name) => [name, LIQUIDITY]),
  ),
  ...Object.fromEntries(
    [
      'AccountListedTwice',
      'AccountWithoutCode',
      'ChildAlreadyDeployed',
      'ComponentDeployFailed',
      'RuntimeCodeHashMismatch',
    ].map((name) => [name, ACCOUNTS]),
  ),
  ...Object.fromEntries(
    ['BuyTermsIncomplete', 'NativeLiquidityNotZero', 'ValueNotFunding', 'WrongValue'].map((name) => [name, FUNDING]),
  ),
};

/**
 * Explains revert data completely in one line, with a remedy.
 * @param funding the member that declares the request's first buy.
 */
export function explainRevert(
  data: Hex,
  funding: FundingMember = 'fundingPlan',
): RevertAdvice & { readonly actual: string } {
  const revert = decodeRevert(data);
  const cause = rootCause(revert);
  // If the cause is unknown, the wrapping error decides the advice.
  const known = cause.name ?? revert.name;
  const advise = (known === null ? undefined : ADVICE[known]) ?? DEFAULT;
  const advice = advise(cause.args);
  const path = advice.path.replace(/^\/fundingPlan(?=\/|$)/, `/${funding}`);
  return { ...advice, path, actual: revertText(revert, ACTUAL_LENGTH) };
}

/**
 * Builds the finding of a simulation that reverts.
 * @param message The simulated subject, unless it is the exact transaction.
 * @param funding the member that declares the request's first buy.
 */
export function revertFinding(data: Hex, message?: string, funding?: FundingMember): Finding {
  const { path, expected, actual, detail } = explainRevert(data, funding);
  return finding('SIMULATION_REVERTED', path, {
    ...(message === undefined ? {} : { message }),
    expected,
    actual,
    detail,
  });
}
