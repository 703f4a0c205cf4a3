import { codedErrors } from '@launch/contracts/errors';

const RETRYABLE = {
  ORIGIN_UNUSABLE: false,
  INPUT_UNUSABLE: false,
  SERVICE_UNREACHABLE: true,
  ANSWER_TOO_SLOW: true,
  ANSWER_BROKEN_OFF: true,
  ANSWER_REDIRECTED: false,
  ANSWER_TOO_LARGE: false,
  ANSWER_STATUS_UNKNOWN: false,
  ANSWER_NOT_JSON: false,
  ANSWER_SCHEMA_MISMATCH: false,
} as const;

export type ExchangeErrorCode = keyof typeof RETRYABLE;

/**
 * The reason why there is no usable answer. A fault of the network is retryable. An `ANSWER_…` code names a fault of an answer that arrived or began to. After
 * `ORIGIN_UNUSABLE` and `INPUT_UNUSABLE` nothing was sent. The message never contains a key, or a value that was sent or
 * received.
 */
export class ExchangeError extends codedErrors('ExchangeError', RETRYABLE) {
  constructor(
    code: ExchangeErrorCode,
    message: string,
    /** Status of the answer; absent without one. */
    readonly httpStatus?: number,
    /** Seconds that the unusable answer asks to wait (`Retry-After`); absent without them. */
    readonly retryAfterSeconds?: number,
  ) {
    super(code, message);
  }
}
