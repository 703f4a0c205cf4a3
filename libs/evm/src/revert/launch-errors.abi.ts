import type { Abi } from 'viem';
import { parseAbi, toFunctionSelector } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { ROUTER_V2_ABI } from '../launch-call/router-v2.abi.js';
import { ROUTER_V1_ABI } from '../router-v1/router-v1.abi.js';

export type AbiError = Extract<Abi[number], { readonly type: 'error' }>;

/** Errors of the reviewed projects: fee kernel and vault, the combined contract, the inventory contracts. */
const PROJECT_ERRORS = parseAbi([
  'error AlreadySeeded()',
  'error CreatorFeeTooHigh(uint16 feeBps)',
  'error HookAddressFlagsWrong(address hook)',
  'error InitializerIsZero()',
  'error InventoryOutOfRange(uint256 inventoryRaw)',
  'error LiquidityClosed()',
  'error LiquidityLocked()',
  'error NativeAmountTooLarge()',
  'error NativeSeedNotAllowed()',
  'error NothingOwed(address recipient)',
  'error NotHook(address caller)',
  'error NotRouter(address caller)',
  'error PartialFill()',
  'error PayeeIsZero()',
  'error RecipientIsZero()',
  'error SeedNotTokenOnly(int128 nativeDelta, int128 tokenDelta)',
  'error SupplyOutOfRange(uint256 supply)',
  'error TickRangeInvalid(int24 tickLower, int24 tickUpper)',
  'error WrongLiquidity(uint128 liquidity)',
  'error WrongPool(bytes32 poolId)',
  'error WrongPrice(uint160 sqrtPriceX96)',
  'error WrongStage(uint8 stage)',
]);

/** Errors of the tokens' base: OpenZeppelin's ERC-20 with permit, whose sources are in the closure of each project. */
const TOKEN_ERRORS = parseAbi([
  'error ECDSAInvalidSignature()',
  'error ECDSAInvalidSignatureLength(uint256 length)',
  'error ECDSAInvalidSignatureS(bytes32 s)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC2612ExpiredSignature(uint256 deadline)',
  'error ERC2612InvalidSigner(address signer, address owner)',
  'error InvalidAccountNonce(address account, uint256 currentNonce)',
  'error InvalidShortString()',
  'error StringTooLong(string str)',
]);

/** Every error that Uniswap V4's core declares. No ABI of the package contains those of its libraries. */
const UNISWAP_V4_ERRORS = parseAbi([
  'error AlreadyUnlocked()',
  'error CannotUpdateEmptyPosition()',
  'error CurrenciesOutOfOrderOrEqual(address currency0, address currency1)',
  'error CurrencyNotSettled()',
  'error DelegateCallNotAllowed()',
  'error ERC20TransferFailed()',
  'error HookAddressNotValid(address hooks)',
  'error HookCallFailed()',
  'error HookDeltaExceedsSwapAmount()',
  'error InvalidCaller()',
  'error InvalidFeeForExactOut()',
  'error InvalidHookResponse()',
  'error InvalidPrice()',
  'error InvalidPriceOrLiquidity()',
  'error InvalidSqrtPrice(uint160 sqrtPriceX96)',
  'error InvalidTick(int24 tick)',
  'error LPFeeTooLarge(uint24 fee)',
  'error ManagerLocked()',
  'error MustClearExactPositiveDelta()',
  'error NativeTransferFailed()',
  'error NoLiquidityToReceiveFees()',
  'error NonzeroNativeValue()',
  'error NotEnoughLiquidity()',
  'error PoolAlreadyInitialized()',
  'error PoolNotInitialized()',
  'error PriceLimitAlreadyExceeded(uint160 sqrtPriceCurrentX96, uint160 sqrtPriceLimitX96)',
  'error PriceLimitOutOfBounds(uint160 sqrtPriceLimitX96)',
  'error PriceOverflow()',
  'error ProtocolFeeCurrencySynced()',
  'error ProtocolFeeTooLarge(uint24 fee)',
  'error SafeCastOverflow()',
  'error SwapAmountCannotBeZero()',
  'error TickLiquidityOverflow(int24 tick)',
  'error TickLowerOutOfBounds(int24 tickLower)',
  'error TickMisaligned(int24 tick, int24 tickSpacing)',
  'error TicksMisordered(int24 tickLower, int24 tickUpper)',
  'error TickSpacingTooLarge(int24 tickSpacing)',
  'error TickSpacingTooSmall(int24 tickSpacing)',
  'error TickUpperOutOfBounds(int24 tickUpper)',
  'error UnauthorizedDynamicLPFeeUpdate()',
  'error WrappedError(address target, bytes4 selector, bytes reason, bytes details)',
]);

/** The errors of Solidity itself. */
const LANGUAGE_ERRORS = parseAbi(['error Error(string message)', 'error Panic(uint256 code)']);

const signatureOf = ({ name, inputs }: AbiError): string => `${name}(${inputs.map(({ type }) => type).join(',')})`;

const errorsOf = (abi: Abi): AbiError[] => abi.filter((item): item is AbiError => item.type === 'error');

/** Every error with which a launch can revert in reviewed code. Errors that both routers declare are listed once. */
export const LAUNCH_ERRORS: readonly AbiError[] = [
  ...new Map(
    [
      ...LANGUAGE_ERRORS,
      ...errorsOf(ROUTER_V2_ABI),
      ...errorsOf(ROUTER_V1_ABI),
      ...PROJECT_ERRORS,
      ...TOKEN_ERRORS,
      ...UNISWAP_V4_ERRORS,
    ].map((error) => [signatureOf(error), error]),
  ).values(),
];

/** The same errors by selector, four bytes in lowercase hex. */
export const LAUNCH_ERRORS_BY_SELECTOR: ReadonlyMap<Hex, AbiError> = new Map(
  LAUNCH_ERRORS.map((error) => [toFunctionSelector(signatureOf(error)), error]),
);
