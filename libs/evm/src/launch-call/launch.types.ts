import type { Hex } from '../encoding/hex.js';

/** Role bits of a component, child or external; 3 is a token that is also its own hook, 0 is auxiliary. */
export const LAUNCH_ROLES = Object.freeze({
  token: 1,
  hook: 2,
  initializer: 4,
  liquidityCustody: 8,
  feeVault: 16,
  module: 32,
});

/** The code of each of the three lists in which a launch keeps accounts. */
export const LAUNCH_SCOPES = Object.freeze({ component: 0, child: 1, external: 2 });

export type LaunchScope = 0 | 1 | 2;

/** A contract that the router deploys. `initCode` is creation bytecode followed by constructor arguments. */
export interface LaunchComponent {
  readonly roleMask: number;
  readonly salt: Hex;
  readonly initCode: Hex;
  readonly runtimeCodeHash: Hex;
}

/** A contract that a component's constructor deploys; `parentIndex` counts in `components`. */
export interface LaunchChild {
  readonly parentIndex: number;
  readonly roleMask: number;
  readonly account: Hex;
  readonly runtimeCodeHash: Hex;
}

/** A contract that is deployed already. */
export interface LaunchExternal {
  readonly roleMask: number;
  readonly account: Hex;
  readonly runtimeCodeHash: Hex;
}

/** A Uniswap V4 pool key. `fee` in hundredths of a basis point. */
export interface PoolKey {
  readonly currency0: Hex;
  readonly currency1: Hex;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Hex;
}

/** One whole launch, in ABI order. Amounts in wei or raw token units; the price is a Q64.96 square root. */
export interface LaunchCall {
  readonly components: readonly LaunchComponent[];
  readonly children: readonly LaunchChild[];
  readonly externals: readonly LaunchExternal[];
  readonly poolKey: PoolKey;
  readonly sqrtPriceX96: bigint;
  readonly liquidity: bigint;
  readonly nativeLiquidityWei: bigint;
  readonly initialBuyWei: bigint;
  readonly minimumTokensOut: bigint;
}

/**
 * The message that a permit authority signs, in EIP-712 order. `validAfter` and `deadline` in unix seconds, both
 * inclusive.
 */
export interface LaunchPermit {
  readonly controller: Hex;
  readonly requestHash: Hex;
  readonly contextHash: Hex;
  readonly economicsHash: Hex;
  readonly instructionPolicyHash: Hex;
  readonly graphHash: Hex;
  readonly poolHash: Hex;
  readonly callHash: Hex;
  readonly value: bigint;
  readonly nonce: bigint;
  readonly validAfter: bigint;
  readonly deadline: bigint;
}

/** The router that a launch goes through. */
export interface RouterIdentity {
  readonly chainId: bigint;
  readonly router: Hex;
}
