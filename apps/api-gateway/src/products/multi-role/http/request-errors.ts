import type { ErrorCode } from '@launch/contracts/errors';

/** The codes that refuse a well-formed launch request, at preflight and at create alike. */
export const REQUEST_MEANING_ERRORS: readonly ErrorCode[] = [
  'WALLET_BINDING_MISMATCH',
  'CONTEXT_UNAVAILABLE',
  'CONTEXT_NOT_CURRENT',
  'CONTEXT_COMMITMENT_MISMATCH',
  'LAUNCH_INTENT_HASH_MISMATCH',
  'BEHAVIOR_INPUTS_HASH_MISMATCH',
  'IMAGE_INVALID',
  'IMAGE_MISMATCH',
  'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
  'FUNDING_TOTAL_MISMATCH',
  'FUNDING_INVALID',
  'NONCE_IN_USE',
];
