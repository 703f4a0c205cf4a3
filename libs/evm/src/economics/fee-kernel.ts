import type { Hex } from 'viem';
import { wordOf, type ImmutableWords } from './runtime-template.js';
import { lowerHex } from '../encoding/hex.js';

/** Platform fee of the native-fee kernel in each direction, basis points (docs/reference/economics.md#native-fees). */
export const PLATFORM_FEE_BPS = 20;
/** The largest creator fee in each direction, basis points. */
export const MAX_CREATOR_FEE_BPS = 1_000;

/** What every hook on the native-fee kernel is bound to; addresses lowercase, fees in basis points. */
export interface FeeConfig {
  readonly poolManager: Hex;
  readonly router: Hex;
  readonly creatorBuyFeeBps: number;
  readonly creatorSellFeeBps: number;
  readonly platformRecipient: Hex;
  readonly creatorRecipient: Hex;
}

/** The kernel's `FeeConfig` tuple as the ABI decoder gives it. */
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

/** The kernel's own immutables in a hook whose vault and pool are these. */
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

/** The immutables of the fee vault that the hook at `hook` makes in its constructor. */
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
