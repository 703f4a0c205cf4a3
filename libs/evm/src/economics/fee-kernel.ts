import type { Hex } from 'viem';
import { wordOf, type ImmutableWords } from './runtime-template.js';
import { lowerHex } from '../encoding/hex.js';

/** Platform fee of the native-fee kernel in each direction, basis points (docs/reference/economics.md#native-fees). */
export const PLATFORM_FEE_BPS = 20;
/** The largest creator fee in each direction, basis points. */
export const MAX_CREATOR_FEE_BPS = 1_000;

/** The configuration that binds every hook on the native-fee kernel; addresses lowercase, fees in basis points. */
export interface FeeConfig {
  readonly poolManager: Hex;
  readonly router: Hex;
  readonly creatorBuyFeeBps: number;
  readonly creatorSellFeeBps: number;
  readonly platformRecipient: Hex;
  readonly creatorRecipient: Hex;
}

/** Converts the kernel's `FeeConfig` tuple from the form of the ABI decoder. */
export function feeConfigOf(decoded: FeeConfig): FeeConfig {
  return {
    poolManager: lowerHex(decoded.poolManager),
    router: lowerHex(decoded.router),
    creatorBuyFeeBps: decoded.creatorBuyFeeBps,
    creatorSellFeeBps: decoded.creatorSellFeeBps,
    platformRecipient: lowerHex(decoded.platformRecipient),
    creatorRecipient: lowerHex(decoded.creatorRecipient),
  };
}

/** Returns the kernel's own immutables in a hook with this vault and this pool. */
export function feeKernelImmutables(
  config: FeeConfig,
  place: { readonly vault: Hex; readonly poolId: Hex },
): ImmutableWords {
  return {
    poolManager: wordOf(config.poolManager),
    router: wordOf(config.router),
    vault: wordOf(place.vault),
    poolId: place.poolId,
    creatorBuyFeeBps: wordOf(BigInt(config.creatorBuyFeeBps)),
    creatorSellFeeBps: wordOf(BigInt(config.creatorSellFeeBps)),
  };
}

/** Returns the immutables of the fee vault that the hook at `hook` creates in its constructor. */
export function feeVaultImmutables(
  config: Pick<FeeConfig, 'poolManager' | 'platformRecipient' | 'creatorRecipient'>,
  hook: Hex,
): ImmutableWords {
  return {
    poolManager: wordOf(config.poolManager),
    hook: wordOf(hook),
    platformRecipient: wordOf(config.platformRecipient),
    creatorRecipient: wordOf(config.creatorRecipient),
  };
}
