/** Why answers that are well-formed still prove nothing. */
export type UnprovableCode =
  | 'BLOCK_UNKNOWN'
  | 'BLOCK_HASH_MISMATCH'
  | 'TRANSACTION_NOT_IN_BLOCK'
  | 'RECEIPTS_ROOT_MISMATCH'
  /** The transaction or its receipt is longer than evidence holds. */
  | 'PROOF_TOO_LARGE'
  | 'ANCESTRY_TOO_LONG'
  | 'ANCESTRY_BROKEN'
  | 'STATE_DIFFERS';

/** Never leaves proof making: a proof that cannot be made is reported by its code. */
export class UnprovableError extends Error {
  override readonly name = 'UnprovableError';

  constructor(readonly code: UnprovableCode) {
    super(code);
  }
}
