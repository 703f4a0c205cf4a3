import {
  ApiClient,
  ApiClientError,
  type Answer,
  type components,
  type InputOf,
  type Operation,
  type OperationId,
} from '@launch/api-client';
import type { World } from './command.js';
import { LaunchError, type Refusal } from './launch.error.js';

/** The service that `SERVICE_API_BASE_URL` names. @param apiKey read when a route takes a key; without it none is sent */
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

/**
 * Calls a route whose success is 200.
 * @throws {LaunchError} for every other answer, and for none.
 */
export async function ask<Id extends OperationId>(
  service: ApiClient,
  operation: Operation<Id>,
  input: InputOf<Id>,
): Promise<Extract<Answer<Id>, { readonly status: 200 }>> {
  const answer = await calling(() => service.call(operation, input));
  if (answer.status === 200) return answer as Extract<Answer<Id>, { readonly status: 200 }>;
  const refusal = refusalOf(answer.value);
  throw new LaunchError('LAUNCH_CLI_REFUSED', 'the service refused the request', {
    httpStatus: answer.status,
    ...(refusal === null ? {} : { refusal }),
  });
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

/** The error that a body tells of, where it has the form of one. */
function refusalOf(value: unknown): Refusal | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('error' in value) {
    const { code, requestId, retryable } = value.error as Refusal;
    return { code, requestId, retryable };
  }
  // The plan transport has all findings, of which the first one names the refusal.
  const { errors, requestId, retryable } = value as components['schemas']['CustomLaunchPlanErrorsV1'];
  return { code: errors[0]?.code ?? '', requestId, retryable };
}
