import { setTimeout } from 'node:timers/promises';
import {
  ApiClient,
  ApiClientError,
  getDiscovery,
  type Answer,
  type components,
  type InputOf,
  type Operation,
  type OperationId,
} from '@launch/api-client';
import {
  DISCOVERY_MEMBERS,
  faultsOf,
  PLAN_REFUSAL_MEMBERS,
  REFUSAL_MEMBERS,
  refusalSubject,
  type BoundMember,
} from '@launch/client-core/binding';
import { traceHeaders } from '@launch/client-core/command';
import { closedGates as closedIn } from '@launch/client-core/progress';
import { retryAfterOf } from '@launch/client-core/transport';
import type { Options, World } from './command.js';
import { LaunchError, type Refusal, type ReportedFinding } from './launch.error.js';
import type { Submission } from './submission.js';

/**
 * Opens the service that `SERVICE_API_BASE_URL` names. @param apiKey called when a route takes a key; without it no key is sent
 */
export function openService({ environment, signal, bounds = {} }: World, apiKey?: () => string): ApiClient {
  try {
    return new ApiClient(environment['SERVICE_API_BASE_URL'] ?? '', {
      signal,
      bounds,
      headers: traceHeaders(environment),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  } catch (error) {
    if (!(error instanceof ApiClientError)) throw error;
    throw new LaunchError('LAUNCH_CLI_ENVIRONMENT_INVALID', `SERVICE_API_BASE_URL: ${error.message}`);
  }
}

/** Most repetitions of a call whose refusal is retryable, with the same bytes and the same key. */
const MAX_RETRIES = 5;
const MAX_WAIT_SECONDS = 60;
/** Milliseconds between two polls of a watch. */
export const WATCH_MS = 3_000;

/** Answers after which a command continues. */
type Success<Id extends OperationId> = Extract<Answer<Id>, { readonly status: 200 | 202 }>;
const isSuccess = <Id extends OperationId>(answer: Answer<Id>): answer is Success<Id> =>
  answer.status === 200 || answer.status === 202;

/**
 * Calls a route whose success is 200 or 202. With a `world` to wait in, repeats a retryable refusal at most five times. No
 * other answer is repeated.
 * @param submission of a call that creates something
 * @throws {LaunchError} for every other answer, and without an answer.
 */
export async function ask<Id extends OperationId>(
  service: ApiClient,
  operation: Operation<Id>,
  input: InputOf<Id>,
  patient: World | null = null,
  submission?: Submission,
): Promise<Success<Id>> {
  for (let attempt = 0; ; attempt += 1) {
    const send = () => calling(() => service.call(operation, input));
    const answer = await (submission === undefined ? send() : submission.attempt(send));
    if (isSuccess(answer)) return answer;
    const { status, headers, value }: { status: number; headers: Headers; value: unknown } = answer;
    const { refusal, findings } = refusalOf(value);
    requireOwnRefusal(status, headers, value);
    submission?.refused(status, refusal);
    const mayRetry = status === 429 || refusal?.retryable === true;
    if (patient === null || !mayRetry || attempt === MAX_RETRIES)
      throw new LaunchError('LAUNCH_CLI_REFUSED', 'the service refused the request', {
        httpStatus: status,
        findings,
        retryAfterSeconds: retryAfterOf(headers),
        ...(refusal === null ? {} : { refusal }),
      });
    const seconds = Math.min(retryAfterOf(headers) ?? 2 ** attempt, MAX_WAIT_SECONDS);
    patient.progress(`${refusal?.code ?? status}: again in ${seconds} s`);
    await pause(seconds * 1_000, patient);
  }
}

/**
 * Requires that an answer is about what was asked for.
 * @throws {LaunchError} `LAUNCH_CLI_ANSWER_MISMATCH` with each member that has another value; nothing of the answer is used.
 */
export function requireBound<Value, Subject>(
  members: readonly BoundMember<Value, Subject>[],
  { status, value }: { readonly status: number; readonly value: Value },
  subject: Subject,
): void {
  requireNone(faultsOf(members, value, subject), status);
}

function requireNone(faults: readonly string[], httpStatus: number): void {
  if (faults.length > 0)
    throw new LaunchError('LAUNCH_CLI_ANSWER_MISMATCH', 'the response does not belong to this request', {
      httpStatus,
      findings: faults.map((path) => ({ path, message: 'differs from the value that the request determines' })),
    });
}

type ErrorBody = components['schemas']['ErrorBody'];
type PlanErrors = components['schemas']['CustomLaunchPlanErrorsV1'];

/** Requires that a refusal's body has the status and the headers of its answer. */
function requireOwnRefusal(status: number, headers: Headers, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const subject = refusalSubject(status, headers);
  requireNone(
    'error' in value
      ? faultsOf(REFUSAL_MEMBERS, value as ErrorBody, subject)
      : faultsOf(PLAN_REFUSAL_MEMBERS, value as PlanErrors, subject),
    status,
  );
}

/**
 * Returns whether the service had the request before: it answers 202 to a new one, and 200 to a replay.
 * @throws {LaunchError} `LAUNCH_CLI_ANSWER_MISMATCH` for a new one that the service calls a replay
 */
export function isReplay({ status, headers }: { readonly status: number; readonly headers: Headers }): boolean {
  const isCalledReplay = headers.get('idempotency-replayed') === 'true';
  if (status === 202 && isCalledReplay) requireNone(['/headers/idempotency-replayed'], status);
  return status === 200;
}

/** Returns the world to wait in with `--retry`; null without it. */
export const patienceOf = ({ retry }: Options, world: World): World | null => (retry === undefined ? null : world);

/** Waits, unless the user interrupts. */
export const pause = (milliseconds: number, { signal }: World): Promise<void> =>
  setTimeout(milliseconds, undefined, { signal });

/** Reads discovery, which takes no key. */
export async function readDiscovery(
  service: ApiClient,
  patient: World | null = null,
): Promise<components['schemas']['CustomLaunchDiscovery']> {
  const discovery = await ask(service, getDiscovery, {}, patient);
  requireBound(DISCOVERY_MEMBERS, discovery, undefined);
  return discovery.value;
}

/**
 * Reads discovery without the key, before the key is used.
 * @returns the gates that are closed to new requests, from both places in discovery.
 */
export async function closedGates(service: ApiClient, patient: World | null = null): Promise<readonly string[]> {
  return closedIn(await readDiscovery(service, patient));
}

/** @throws {LaunchError} `LAUNCH_CLI_GATES_CLOSED` unless the service takes new requests. */
export async function requireOpenGates(service: ApiClient, patient: World | null = null): Promise<void> {
  const closed = await closedGates(service, patient);
  if (closed.length > 0)
    throw new LaunchError('LAUNCH_CLI_GATES_CLOSED', `closed at the service: ${closed.join(', ')}`);
}

async function calling<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiClientError)) throw error;
    const { httpStatus, retryAfterSeconds, message } = error;
    throw new LaunchError(codeOf(error), `${error.code}: ${message}`, {
      retryAfterSeconds,
      ...(httpStatus === undefined ? {} : { httpStatus }),
    });
  }
}

/** Statuses that a proxy in front of the service answers with, in a form of its own, while the service is away. */
const OF_PROXIES: readonly (number | undefined)[] = [502, 503, 504];

function codeOf({ retryable, code, httpStatus }: ApiClientError) {
  if (retryable) return 'LAUNCH_CLI_SERVICE_UNREACHABLE';
  if (code === 'INPUT_UNUSABLE') return 'LAUNCH_CLI_ARGUMENTS_INVALID';
  const isOfProxy = OF_PROXIES.includes(httpStatus) && (code === 'ANSWER_NOT_JSON' || code === 'ANSWER_STATUS_UNKNOWN');
  return isOfProxy ? 'LAUNCH_CLI_SERVICE_UNAVAILABLE' : 'LAUNCH_CLI_ANSWER_INVALID';
}

interface ParsedRefusal {
  readonly refusal: Refusal | null;
  readonly findings: readonly ReportedFinding[];
}

/** Reads the error of a body; empty if the body has another form. */
function refusalOf(value: unknown): ParsedRefusal {
  if (typeof value !== 'object' || value === null) return { refusal: null, findings: [] };
  if ('error' in value) {
    const { code, requestId, retryable, findings } = value.error as Refusal & { readonly findings: ReportedFinding[] };
    return { refusal: { code, requestId, retryable }, findings: findings.map(ownFinding) };
  }
  // The plan transport lists all findings; the first one names the refusal.
  const { errors, requestId, retryable } = value as components['schemas']['CustomLaunchPlanErrorsV1'];
  return { refusal: { code: errors[0]?.code ?? '', requestId, retryable }, findings: errors.map(ownFinding) };
}

const ownFinding = ({
  code = '',
  path,
  message,
  expected = null,
  actual = null,
}: ReportedFinding): ReportedFinding => ({
  code,
  path,
  message,
  expected,
  actual,
});
