import {
  ApiClient,
  ApiClientError,
  type Answer,
  type Bounds,
  type components,
  type InputOf,
  type Operation,
  type OperationId,
} from '@launch/api-client';
import {
  faultsOf,
  PLAN_REFUSAL_MEMBERS,
  REFUSAL_MEMBERS,
  refusalSubject,
  type BoundMember,
} from '@launch/client-core/binding';
import { LaunchClientError, type LaunchFinding } from './launch-client.error.js';

/** The service of a client, and the key for it. */
export interface ClientOptions {
  /** The origin of the service: HTTPS, or HTTP on this machine. */
  readonly baseUrl: string;
  /** The API key, or a function that returns it when a route needs it. It is sent to the service only. */
  readonly key?: string | (() => string | Promise<string>);
  /** Ends every call and every wait. */
  readonly signal?: AbortSignal;
  /** Bounds of a response: bytes, and milliseconds of a read and of a write. */
  readonly bounds?: Partial<Bounds>;
}

/** The answers after which a call continues. */
export type Success<Id extends OperationId> = Extract<Answer<Id>, { readonly status: 200 | 202 }>;

/** The members of a response that a request determines, and the request. */
export interface Binding<Value, Subject> {
  readonly members: readonly BoundMember<Value, Subject>[];
  readonly subject: Subject;
}

/** Calls the routes of one service, and turns every failure into a `LaunchClientError`. */
export class Service {
  readonly signal: AbortSignal | undefined;
  private readonly api: ApiClient;

  constructor({ baseUrl, key, signal, bounds }: ClientOptions) {
    this.signal = signal;
    try {
      this.api = new ApiClient(baseUrl, {
        ...(signal === undefined ? {} : { signal }),
        ...(bounds === undefined ? {} : { bounds }),
        ...(key === undefined ? {} : { apiKey: typeof key === 'string' ? () => key : key }),
      });
    } catch (error) {
      throw failureOf(error, false);
    }
  }

  /**
   * Sends one request, once. A response that does not agree with the request is an error.
   * @param bounds of this response, in place of the client's
   * @throws {LaunchClientError}
   */
  async call<Id extends OperationId, Subject = undefined>(
    operation: Operation<Id>,
    input: InputOf<Id>,
    binding?: Binding<Success<Id>['value'], Subject>,
    bounds?: Partial<Bounds>,
  ): Promise<Success<Id>> {
    const isSubmission = operation.method === 'POST' && SUBMISSIONS.has(operation.id);
    const answer = await this.api.call(operation, input, bounds).catch((error: unknown) => {
      throw failureOf(error, isSubmission);
    });
    if (!isSuccess(answer)) throw refusalOf(answer, isSubmission);
    const faults = binding === undefined ? [] : faultsOf(binding.members, answer.value, binding.subject);
    if (faults.length > 0) throw notOfRequest(faults, answer.status, isSubmission);
    return answer;
  }
}

/** Routes whose success reserves something. */
const SUBMISSIONS: ReadonlySet<OperationId> = new Set([
  'createCustomLaunch',
  'createPlan',
  'createLaunch',
  'submitModule',
]);

const isSuccess = <Id extends OperationId>(answer: Answer<Id>): answer is Success<Id> =>
  answer.status === 200 || answer.status === 202;

/** Returns whether the service had the request before: it answers 202 to a new one, and 200 to a replay. */
export const isReplay = ({ status }: { readonly status: number }): boolean => status === 200;

function failureOf(error: unknown, isSubmission: boolean): unknown {
  if (!(error instanceof ApiClientError)) return error;
  const { code, message, httpStatus, retryable, retryAfterSeconds } = error;
  return new LaunchClientError(code, message, {
    status: httpStatus ?? null,
    // A proxy in front of the service answers with a page of its own.
    retryable: retryable || (!isSubmission && (httpStatus === 502 || httpStatus === 503 || httpStatus === 504)),
    retryAfterSeconds: retryAfterSeconds ?? null,
    // After the other codes something was sent.
    submissionMayExist: isSubmission && code !== 'ORIGIN_UNUSABLE' && code !== 'INPUT_UNUSABLE',
  });
}

const notOfRequest = (faults: readonly string[], status: number, isSubmission: boolean): LaunchClientError =>
  new LaunchClientError('RESPONSE_NOT_OF_REQUEST', 'the response is not about the request', {
    status,
    findings: faults.map((path) => ({ path, message: 'has another value than the request determines' })),
    submissionMayExist: isSubmission,
  });

interface Refused {
  readonly status: number;
  readonly headers: Headers;
  readonly value: unknown;
}
type Refusal = components['schemas']['ErrorBody'] | components['schemas']['CustomLaunchPlanErrorsV1'];

function refusalOf({ status, headers, value }: Refused, isSubmission: boolean): LaunchClientError {
  if (typeof value !== 'object' || value === null)
    return new LaunchClientError('ANSWER_STATUS_UNKNOWN', 'the response has no error body', { status });
  const body = value as Refusal;
  const subject = refusalSubject(status, headers);
  const faults =
    'error' in body ? faultsOf(REFUSAL_MEMBERS, body, subject) : faultsOf(PLAN_REFUSAL_MEMBERS, body, subject);
  if (faults.length > 0) return notOfRequest(faults, status, isSubmission);
  // The plan transport lists all findings; the first one names the refusal.
  const { code, message, requestId, retryable, retryAfterSeconds, findings } =
    'error' in body
      ? body.error
      : {
          ...body,
          findings: body.errors,
          code: body.errors[0]?.code ?? 'REFUSED',
          message: body.errors[0]?.message ?? '',
        };
  return new LaunchClientError(code, message, {
    status,
    retryable,
    retryAfterSeconds,
    requestId,
    findings: findings.map(ownFinding),
    submissionMayExist: isSubmission && status >= 500,
  });
}

const ownFinding = ({ code, path, message }: LaunchFinding): LaunchFinding => ({
  ...(code === undefined ? {} : { code }),
  path,
  message,
});
