/** Reads revert data down to the error that caused it, through V4's and the router's wrappers. */
import { decodeErrorResult, parseAbi } from 'viem';
import type { Abi, Hex } from 'viem';
import { artifact } from './artifacts.js';

/** Errors of V4's libraries, which no ABI of the package lists. */
const v4LibraryErrors = parseAbi([
  'error WrappedError(address target, bytes4 selector, bytes reason, bytes details)',
  'error HookAddressNotValid(address hooks)',
  'error InvalidHookResponse()',
  'error HookCallFailed()',
  'error NativeTransferFailed()',
  'error PoolAlreadyInitialized()',
  'error PoolNotInitialized()',
  'error CannotUpdateEmptyPosition()',
  'error InvalidTick(int24 tick)',
  'error TickMisaligned(int24 tick, int24 tickSpacing)',
  'error TickLiquidityOverflow(int24 tick)',
  'error SafeCastOverflow()',
]);
const contracts = [
  'MultiRoleLaunchStampRouterV2',
  'ServiceLaunchStampRouterV1',
  'Native20',
  'FeeVault',
  'PoolManager',
  'Materializer',
  'Factory',
  'SeparateHook',
  'SeparateInitializer',
  'InventoryHook',
  'InventoryInitializer',
  'InventoryToken',
  'ModuleNativeLauncherV1',
  'ModuleEngineV1',
  'FoundationFactoryV1',
  'EthereumLaunchStampRouterV1',
  'FoundationGraphFactoryV2',
  'FoundationLaunchAccount',
  'FoundationHookV1',
  'FoundationCustody',
  'FoundationTokenMaker',
  'ModuleHook',
  'ModuleFeeSplit',
  'ModuleRuntime',
  'ModuleRegistry',
  'ModuleTokenMaker',
  'OpeningModule',
  'devnet/BatchAccount',
  'devnet/PriceFeed',
];

/** Index of the argument with which an error carries the error that it wraps. */
const wrappers: Record<string, number> = {
  WrappedError: 2,
  ComponentDeployFailed: 1,
  ComponentCreationFailed: 1,
  BatchCallFailed: 1,
};

let known: Abi | undefined;
const errors = (): Abi =>
  (known ??= [
    ...contracts.flatMap((name) => artifact(name).abi.filter((entry) => entry.type === 'error')),
    ...v4LibraryErrors,
  ]);

/** Error names from the outermost to the cause; `''` is a bare revert. */
export function refusalOf(data: Hex): string[] {
  if (data === '0x') return [''];
  const { errorName, args } = decodeErrorResult({ abi: errors(), data });
  const wrapped = wrappers[errorName];
  return wrapped === undefined ? [errorName] : [errorName, ...refusalOf((args as Hex[])[wrapped]!)];
}

/** The decoded arguments of the outermost error. */
export const refusalArguments = (data: Hex) => decodeErrorResult({ abi: errors(), data }).args;
