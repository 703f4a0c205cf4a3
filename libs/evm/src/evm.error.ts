/** The faults that the input of a pure EVM function can have. Verdicts on a launch are results, never errors. */
export type EvmErrorCode =
  | 'HEX_INVALID'
  | 'INSTRUCTION_POLICY_UNKNOWN'
  | 'LAUNCH_VALUE_OUT_OF_RANGE'
  | 'LAUNCH_CALLDATA_TOO_LARGE'
  | 'LAUNCH_CALLDATA_INVALID'
  | 'LAUNCH_CALLDATA_NOT_CANONICAL'
  | 'PERMIT_SIGNATURE_LENGTH'
  | 'PERMIT_SIGNATURE_HIGH_S'
  | 'PERMIT_SIGNATURE_RECOVERY_BYTE'
  | 'PERMIT_SIGNATURE_INVALID'
  | 'ADDRESS_INVALID'
  | 'NONCE_OUT_OF_RANGE'
  | 'TICK_OUT_OF_RANGE'
  | 'TICK_SPACING_INVALID'
  | 'TICK_RANGE_INVALID'
  | 'LIQUIDITY_INPUT_INVALID'
  | 'CHAIN_DATA_INVALID'
  | 'CHAIN_DATA_TYPE_UNKNOWN'
  | 'TRIE_PROOF_INVALID'
  | 'SOURCE_VERSION_UNKNOWN';

/**
 * The only error that this library throws. `field` names the input at fault, if one is. Errors never echo a value. No
 * code is retryable: every function here is pure.
 */
export class EvmError extends Error {
  override readonly name = 'EvmError';
  readonly retryable = false;

  constructor(
    readonly code: EvmErrorCode,
    readonly field: string | null = null,
  ) {
    super(field === null ? code : `${code}: ${field}`);
  }
}
