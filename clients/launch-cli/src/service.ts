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
import type { World } from './command.js';
import { LaunchError, type Refusal, type ReportedFinding } from './launch.error.js';

/**
 * Opens the service that `SERVICE_API_BASE_URL` names. @param apiKey called when a route takes a key; without it no key is sent
 */
export function openService({ environment, signal, bounds = {} }: World, apiKey?: () => string): ApiClient {
  try {
    return new ApiClient(environment['SERVICE_API_BASE_URL'] ?? '', {
      signal,
      bounds,
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

/** Answers after which a command continues. */
type Success<Id extends OperationId> = Extract<Answer<Id>, { readonly status: 200 | 202 }>;
const isSuccess = <Id extends OperationId>(answer: Answer<Id>): answer is Success<Id> =>
  answer.status === 200 || answer.status === 202;

/**
 * Calls a route whose success is 200 or 202. With a `world` to wait in, repeats a retryable refusal at most five times. No
 * other answer is repeated.
 * @throws {LaunchError} for every other answer, and without an answer.
 */
export async function ask<Id extends OperationId>(
  service: ApiClient,
  operation: Operation<Id>,
  input: InputOf<Id>,
  patient: World | null = null,
): Promise<Success<Id>> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await calling(() => service.call(operation, input));
    if (isSuccess(answer)) return answer;
    const { status, headers, value }: { status: number; headers: Headers; value: unknown } = answer;
    const { refusal, findings } = refusalOf(value);
    const mayRetry = status === 429 || refusal?.retryable === true;
    if (patient === null || !mayRetry || attempt === MAX_RETRIES)
      throw new LaunchError('LAUNCH_CLI_REFUSED', 'the service refused the request', {
        httpStatus: status,
        findings,
        ...(refusal === null ? {} : { refusal }),
      });
    const seconds = Math.min(secondsToWait(headers) ?? 2 ** attempt, MAX_WAIT_SECONDS);
    patient.progress(`${refusal?.code ?? status}: again in ${seconds} s`);
    await pause(seconds * 1_000, patient);
  }
}

/** Waits, unless the user interrupts. */
export const pause = (milliseconds: number, { signal }: World): Promise<void> =>
  setTimeout(milliseconds, undefined, { signal });

function secondsToWait(headers: Headers): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/**
 * Reads discovery without the key, before the key is used.
 * @returns the gates that are closed to new requests, from both places in discovery.
 */
export async function closedGates(service: ApiClient, patient: World | null = null): Promise<readonly string[]> {
  const { customLaunchApi } = (await ask(service, getDiscovery, {}, patient)).value;
  const { v4 } = customLaunchApi.versions;
  const places = [v4, ...v4.chains.filter(({ chainId }) => chainId === '4663')];
  return GATES.filter((gate) => places.length < 2 || places.some((place) => place[gate] !== true));
}
const GATES = ['publicAuthorization', 'publicWrites', 'releaseReady'] as const;

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
    const code = error.isOfAnswer ? 'LAUNCH_CLI_ANSWER_INVALID' : 'LAUNCH_CLI_SERVICE_UNREACHABLE';
    const httpStatus = error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus };
    throw new LaunchError(code, `${error.code}: ${error.message}`, httpStatus);
  }
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
