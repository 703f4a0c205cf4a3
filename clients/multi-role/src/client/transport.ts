import { faultsOf, REFUSAL_MEMBERS, refusalSubject } from '@launch/client-core/binding';
import {
  exchange as send,
  ExchangeError,
  readJson,
  type Exchange as Sent,
  type Received,
} from '@launch/client-core/transport';
import type { JsonValue } from '@launch/contracts/json';
import { errorBodySchema, type ErrorBody } from '@launch/contracts/validation';
import type { z } from 'zod';
import { parseWith } from '../offline/strict-document.js';
import { ClientError, type ClientErrorDetail } from './client.error.js';

/** A full page of launches with their contexts and calldata stays well below this. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** One HTTP exchange. `path` starts at the origin; `body` is sent as these exact bytes. */
export interface Exchange {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly apiKey: string | null;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly idempotencyKey?: string;
  readonly deadlineMs: number;
}

export interface Answer<T> {
  readonly status: number;
  /** The response's exact bytes. */
  readonly bytes: Uint8Array;
  readonly value: T;
  readonly replayed: boolean;
  /** The entity tag as the service sent it; null without one. */
  readonly etag: string | null;
}

const responseInvalid = (detail: ClientErrorDetail): ClientError =>
  new ClientError('MULTI_ROLE_CLIENT_RESPONSE_INVALID', detail);

/**
 * Sends one request, once. Success is one of `statuses` with a body of exactly `schema`.
 *
 * @throws {ClientError} network, deadline, response or refusal.
 */
export async function exchange<T>(
  request: Exchange,
  statuses: readonly number[],
  schema: z.ZodType<T>,
): Promise<Answer<T>> {
  return translated(async () => {
    const received = await send(sent(request));
    const { status, headers, bytes } = received;
    if (!statuses.includes(status)) throw refusalOf(received);
    return {
      status,
      bytes,
      value: decode(schema, readJson(received), status),
      replayed: headers.get('idempotency-replayed') === 'true',
      etag: headers.get('etag'),
    };
  });
}

/** Fetches a published file as its original bytes, without the key. @throws {ClientError} network, deadline or refusal. */
export const fetchPublic = (origin: string, path: string, deadlineMs: number): Promise<Uint8Array> =>
  translated(async () => {
    const received = await send({
      url: new URL(`${origin}${path}`),
      method: 'GET',
      headers: {},
      maxBytes: MAX_RESPONSE_BYTES,
      deadlineMs,
    });
    if (received.status !== 200) throw refusalOf(received);
    return received.bytes;
  });

/** Throws faults of the shared transport as the client's own. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ExchangeError ? failureOf(error) : error;
  }
}

const sent = ({ origin, path, method, apiKey, body, idempotencyKey, deadlineMs }: Exchange): Sent => ({
  url: new URL(`${origin}${path}`),
  method,
  headers: {
    accept: 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  },
  body,
  maxBytes: MAX_RESPONSE_BYTES,
  deadlineMs,
});

/** @throws {ClientError} for an answer that is not a refusal of the contract. */
function refusalOf(received: Received): ClientError {
  const { status } = received;
  if (status < 400)
    throw responseInvalid({
      httpStatus: status,
      findings: [{ path: '', message: 'an answer with this status is not in the contract' }],
    });
  const body: ErrorBody = decode(errorBodySchema, readJson(received), status);
  const faults = faultsOf(REFUSAL_MEMBERS, body, refusalSubject(status, received.headers));
  if (faults.length > 0)
    throw responseInvalid({
      httpStatus: status,
      findings: faults.map((path) => ({ path, message: 'is not that of the answer' })),
    });
  const { error } = body;
  return new ClientError('MULTI_ROLE_CLIENT_REFUSED', { httpStatus: status, refusal: error });
}

/** Statuses that a proxy in front of the service answers with, in a form of its own, while the service is away. */
const OF_PROXIES: readonly (number | undefined)[] = [502, 503, 504];

/** Returns the client's own error for an exchange without a usable answer. */
function failureOf({ code, message, httpStatus, retryAfterSeconds }: ExchangeError): ClientError {
  const findings = [{ path: '', message }];
  if (code === 'ANSWER_NOT_JSON' && OF_PROXIES.includes(httpStatus))
    return new ClientError('MULTI_ROLE_CLIENT_UNAVAILABLE', { httpStatus, retryAfterSeconds, findings });
  if (code === 'ANSWER_TOO_SLOW') return new ClientError('MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED');
  return code === 'ANSWER_TOO_LARGE' || code === 'ANSWER_NOT_JSON'
    ? responseInvalid({ httpStatus, findings })
    : new ClientError('MULTI_ROLE_CLIENT_NETWORK_ERROR', { findings });
}

function decode<T>(schema: z.ZodType<T>, value: JsonValue, httpStatus: number): T {
  const result = parseWith(schema, value);
  if (!result.ok) throw responseInvalid({ httpStatus, findings: result.findings });
  return result.value;
}
