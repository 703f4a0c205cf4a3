import { normalAddress, type Hex } from '../encoding/hex.js';

/** Uniswap V4's hook permissions, which are bits of the hook's own address. */
export const HOOK_FLAGS = Object.freeze({
  beforeInitialize: 1 << 13,
  afterInitialize: 1 << 12,
  beforeAddLiquidity: 1 << 11,
  afterAddLiquidity: 1 << 10,
  beforeRemoveLiquidity: 1 << 9,
  afterRemoveLiquidity: 1 << 8,
  beforeSwap: 1 << 7,
  afterSwap: 1 << 6,
  beforeDonate: 1 << 5,
  afterDonate: 1 << 4,
  beforeSwapReturnDelta: 1 << 3,
  afterSwapReturnDelta: 1 << 2,
  afterAddLiquidityReturnDelta: 1 << 1,
  afterRemoveLiquidityReturnDelta: 1 << 0,
});

export type HookFlag = keyof typeof HOOK_FLAGS;

/** The address bits that carry permissions. */
export const HOOK_FLAG_MASK = 0x3fff;

/**
 * The permissions that the native-fee kernel needs: both sides of a swap with their deltas, and the guards of its pool.
 */
export const NATIVE_FEE_HOOK_FLAGS =
  HOOK_FLAGS.beforeInitialize |
  HOOK_FLAGS.beforeAddLiquidity |
  HOOK_FLAGS.beforeRemoveLiquidity |
  HOOK_FLAGS.beforeSwap |
  HOOK_FLAGS.afterSwap |
  HOOK_FLAGS.beforeSwapReturnDelta |
  HOOK_FLAGS.afterSwapReturnDelta;

/** Returns the low 14 bits of a hook's address. @throws {EvmError} `ADDRESS_INVALID`. */
export function hookFlagsOf(hook: Hex): number {
  return Number.parseInt(normalAddress(hook, 'hook').slice(-4), 16) & HOOK_FLAG_MASK;
}

/** Returns the names of the set flags, highest bit first. */
export function hookFlagNames(flags: number): HookFlag[] {
  return (Object.keys(HOOK_FLAGS) as HookFlag[]).filter((name) => (flags & HOOK_FLAGS[name]) !== 0);
}

/** A flag without its callback, a callback without its flag, or a delta flag without the callback that returns it. */
export interface HookFlagDeviation {
  readonly code: 'HOOK_FLAG_WITHOUT_CALLBACK' | 'HOOK_CALLBACK_WITHOUT_FLAG' | 'HOOK_DELTA_WITHOUT_CALLBACK';
  readonly flag: HookFlag;
}

/** Each return-delta flag with the callback that returns the delta. */
export const DELTA_OF: readonly (readonly [HookFlag, HookFlag])[] = [
  ['beforeSwapReturnDelta', 'beforeSwap'],
  ['afterSwapReturnDelta', 'afterSwap'],
  ['afterAddLiquidityReturnDelta', 'afterAddLiquidity'],
  ['afterRemoveLiquidityReturnDelta', 'afterRemoveLiquidity'],
];

/**
 * Compares a hook's address with the callbacks that its code implements. Uniswap never calls a callback that the
 * address does not announce, and every action reverts if the address announces a missing callback: both are findings.
 */
export function compareHookFlags(hook: Hex, implementedCallbacks: readonly HookFlag[]): HookFlagDeviation[] {
  return compareHookPermissions(hookFlagsOf(hook), implementedCallbacks);
}

/** Compares permissions in the same way before an address announces them: `flags` are the bits themselves. */
export function compareHookPermissions(flags: number, implementedCallbacks: readonly HookFlag[]): HookFlagDeviation[] {
  const implemented = new Set(implementedCallbacks);
  const deviations: HookFlagDeviation[] = [];
  for (const flag of Object.keys(HOOK_FLAGS) as HookFlag[]) {
    const announced = (flags & HOOK_FLAGS[flag]) !== 0;
    if (announced && !implemented.has(flag)) deviations.push({ code: 'HOOK_FLAG_WITHOUT_CALLBACK', flag });
    if (!announced && implemented.has(flag)) deviations.push({ code: 'HOOK_CALLBACK_WITHOUT_FLAG', flag });
  }
  for (const [delta, callback] of DELTA_OF) {
    if ((flags & HOOK_FLAGS[delta]) !== 0 && (flags & HOOK_FLAGS[callback]) === 0) {
      deviations.push({ code: 'HOOK_DELTA_WITHOUT_CALLBACK', flag: delta });
    }
  }
  return deviations;
}
