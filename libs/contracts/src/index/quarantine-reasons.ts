/**
 * Reasons why a log of a bound source is not a launch. The list is closed; each reason is one check of the verification
 * procedure (docs/reference/index-sources.md#quarantine).
 */
export const QUARANTINE_REASONS = [
  'RECEIPT_NOT_SUCCESSFUL',
  'EVENT_UNDECODABLE',
  'EVENT_MISSING',
  'EVENT_DUPLICATED',
  'EVENT_OUT_OF_ORDER',
  'EVENT_MISMATCH',
  'SOURCE_RUNTIME_MISMATCH',
  'IDENTITY_VERSION_UNSUPPORTED',
  'GETTER_REVERTED',
  'GETTER_MISMATCH',
  'RECIPE_MISMATCH',
  'PROGRAM_MISMATCH',
  'LAUNCH_COMMITMENT_MISMATCH',
  'INSTANCE_COMMITMENT_MISMATCH',
  'METADATA_COMMITMENT_MISMATCH',
  'COMPOSITION_MISMATCH',
  'HOOK_MISMATCH',
  'POOL_KEY_MISMATCH',
  'FEE_OUT_OF_BOUNDS',
  'CUSTODY_MISMATCH',
  'LAUNCH_KIND_UNKNOWN',
  'STAMP_MISMATCH',
  'COMPONENT_PROOF_MISMATCH',
  'COMPONENT_CODE_MISMATCH',
  'TOKEN_CODE_MISMATCH',
  'IDENTITY_ALREADY_TAKEN',
  /** No check failed, but the evidence could not be read. The index tries again. */
  'EVIDENCE_UNREADABLE',
] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];
