/** The reason why well-formed answers prove nothing. */
export type UnprovableCode =
  | 'BLOCK_UNKNOWN'
  | 'BLOCK_HASH_MISMATCH'
  | 'TRANSACTION_NOT_IN_BLOCK'
  | 'RECEIPTS_ROOT_MISMATCH'
  /** The transaction or its receipt exceeds the size limit of evidence. */
  | 'PROOF_TOO_LARGE'
  | 'ANCESTRY_TOO_LONG'
  | 'ANCESTRY_BROKEN'
  | 'STATE_DIFFERS';

/** Stays inside proof collection, which reports a missing proof by this code. */
export class UnprovableError extends Error {
  override readonly name = 'UnprovableError';

  constructor(readonly code: UnprovableCode) {
    super(code);
  }
}
