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
 * Why there is no answer that may be used. An `ANSWER_…` code says what is wrong with one that came, or began to. After
 * `ORIGIN_UNUSABLE` and `INPUT_UNUSABLE` nothing was sent. The message never has a key, or a value that was sent or received.
 */
export class ExchangeError extends codedErrors('ExchangeError', RETRYABLE) {
  constructor(
    code: ExchangeErrorCode,
    message: string,
    /** Of the answer; absent where none came. */
    readonly httpStatus?: number,
  ) {
    super(code, message);
  }

  /** Whether an answer came that may not be used. */
  get isOfAnswer(): boolean {
    return this.code.startsWith('ANSWER_');
  }
}
