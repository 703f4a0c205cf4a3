import { codedErrors } from '@launch/contracts/errors';

const RETRYABLE = {
  DISCOVERY_INVALID: true,
  RELEASE_MISMATCH: false,
  SOURCE_UNKNOWN: true,
  SOURCE_UNSUPPORTED: false,
  SOURCE_OF_ANOTHER_KIND: false,
  WINDOW_OUT_OF_BOUNDS: false,
  PAGE_OUT_OF_BOUNDS: false,
  CURSOR_INVALID: false,
  ENDPOINTS_UNUSABLE: false,
} as const;

export type ReaderErrorCode = keyof typeof RETRYABLE;

/** The reason why nothing was read. The message never contains a value of an answer or an endpoint. */
export class ReaderError extends codedErrors('ReaderError', RETRYABLE) {}
