import { toFunctionSelector, type AbiFunction } from 'viem';
import type { HookFlag } from './hook-flags.js';

const KEY = '(address,address,uint24,int24,address)';
const LIQUIDITY = '(int24,int24,int256,bytes32)';
const SWAP = '(bool,int256,uint160)';

/** The callbacks of Uniswap V4's `IHooks`, by flag. Return-delta flags have no callback of their own. */
const CALLBACKS: readonly (readonly [HookFlag, string])[] = [
  ['beforeInitialize', `address,${KEY},uint160`],
  ['afterInitialize', `address,${KEY},uint160,int24`],
  ['beforeAddLiquidity', `address,${KEY},${LIQUIDITY},bytes`],
  ['afterAddLiquidity', `address,${KEY},${LIQUIDITY},int256,int256,bytes`],
  ['beforeRemoveLiquidity', `address,${KEY},${LIQUIDITY},bytes`],
  ['afterRemoveLiquidity', `address,${KEY},${LIQUIDITY},int256,int256,bytes`],
  ['beforeSwap', `address,${KEY},${SWAP},bytes`],
  ['afterSwap', `address,${KEY},${SWAP},int256,bytes`],
  ['beforeDonate', `address,${KEY},uint256,uint256,bytes`],
  ['afterDonate', `address,${KEY},uint256,uint256,bytes`],
];

const SELECTORS = new Map(CALLBACKS.map(([flag, inputs]) => [toFunctionSelector(`function ${flag}(${inputs})`), flag]));

/** Returns the callback that a four-byte selector names, or null for another function's selector. */
export const hookCallbackOf = (selector: string): HookFlag | null => SELECTORS.get(selector as `0x${string}`) ?? null;

/**
 * Returns the hook callbacks that a compiled ABI has, by selector, so that a namesake with other inputs does not count.
 */
export function implementedHookCallbacks(abi: readonly unknown[]): HookFlag[] {
  return hookCallbackSelectors(abi).map(({ flag }) => flag);
}

/** Returns the same callbacks with their selectors. */
export function hookCallbackSelectors(abi: readonly unknown[]): { flag: HookFlag; selector: `0x${string}` }[] {
  const found: { flag: HookFlag; selector: `0x${string}` }[] = [];
  for (const item of abi) {
    if (typeof item !== 'object' || item === null || (item as { type?: unknown }).type !== 'function') continue;
    const selector = toFunctionSelector(item as AbiFunction);
    const flag = SELECTORS.get(selector);
    if (flag !== undefined) found.push({ flag, selector });
  }
  return found;
}
