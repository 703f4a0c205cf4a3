import { ApiClientError } from '@launch/sdk/operations';
import { LaunchClientError } from '@launch/sdk';

/** The reason why an owner's read has no value. */
export interface OwnerFailure {
  /** `denied`: the key is of another account or ended; `limited`: too many reads; `down`: the service did not answer. */
  readonly is: 'absent' | 'denied' | 'limited' | 'down' | 'refused';
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

const DENIED = new Set([401, 403]);
const DOWN_FROM = 500;

/** Returns the kind of a failure from its HTTP status; null is no answer. */
function kindOf(status: number | null, code: string): OwnerFailure['is'] {
  if (code === 'PLAN_NOT_FOUND' || status === 404) return 'absent';
  if (code === 'SIGN_IN_EXPIRED' || (status !== null && DENIED.has(status))) return 'denied';
  if (code === 'RATE_LIMITED' || status === 429) return 'limited';
  return status === null || status >= DOWN_FROM ? 'down' : 'refused';
}

/** Says why a call of a client failed. @throws the error itself if it is none of a client's: it is a fault of the site */
export function ownerFailureOf(error: unknown): OwnerFailure {
  if (error instanceof LaunchClientError) {
    const { code, message, status, requestId, retryAfterSeconds } = error;
    return { is: kindOf(status, code), code, message, requestId, retryAfterSeconds };
  }
  if (error instanceof ApiClientError) {
    const { code, message, httpStatus, retryAfterSeconds } = error;
    const status = httpStatus ?? null;
    return { is: kindOf(status, code), code, message, requestId: null, retryAfterSeconds: retryAfterSeconds ?? null };
  }
  throw error;
}

interface Refused {
  readonly status: number;
  readonly value: unknown;
}

/** Returns the value of an answer of the API client with status 200. @throws {LaunchClientError} for a refusal */
export function valueOf<Answer extends Refused>(answer: Answer): Extract<Answer, { readonly status: 200 }>['value'] {
  if (answer.status === 200) return answer.value as Extract<Answer, { readonly status: 200 }>['value'];
  const { error } = (typeof answer.value === 'object' && answer.value !== null ? answer.value : {}) as {
    readonly error?: Partial<OwnerFailure>;
  };
  throw new LaunchClientError(error?.code ?? 'UNKNOWN', error?.message ?? 'The service gave no reason.', {
    status: answer.status,
    requestId: error?.requestId ?? null,
    retryAfterSeconds: error?.retryAfterSeconds ?? null,
  });
}
