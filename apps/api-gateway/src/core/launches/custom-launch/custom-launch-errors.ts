import type { AnyCode } from '@launch/contracts/errors';

/** Codes that refuse a custom-launch request with a valid form, at preflight and at create. */
export const CUSTOM_LAUNCH_REQUEST_ERRORS: readonly AnyCode[] = [
  'LAUNCH_GATES_CLOSED',
  'CONTEXT_UNAVAILABLE',
  'WALLET_BINDING_MISMATCH',
];

/** Codes that a create answers with before its key is bound; a preflight reports them as findings in its answer. */
export const CUSTOM_LAUNCH_FORM_ERRORS: readonly AnyCode[] = [
  'CONTEXT_NOT_CURRENT',
  'PROFILE_NOT_CURRENT',
  'CHECKPOINT_STALE',
  'IMAGE_INVALID',
  'IMAGE_MISMATCH',
  'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
  'FUNDING_TOTAL_MISMATCH',
  'FUNDING_INVALID',
  'FUNDING_PROFILE_MISMATCH',
  'BUDGET_EXCEEDED',
  'GRAPH_POOL_INVALID',
  'CUSTOM_LAUNCH_EVIDENCE_REQUIRED',
];
