/** A transaction for the wallet to sign and send unchanged, in the form that viem's `sendTransaction` takes. */
export interface WalletTransaction {
  readonly to: `0x${string}`;
  /** Wei. */
  readonly value: bigint;
  readonly data: `0x${string}`;
}

/** Reads a transaction of the wire. */
export const walletTransactionOf = (wire: {
  readonly to: string;
  readonly value: string;
  readonly data: string;
}): WalletTransaction => ({
  to: wire.to as `0x${string}`,
  value: BigInt(wire.value),
  data: wire.data as `0x${string}`,
});
