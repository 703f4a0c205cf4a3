import { parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { errorBodySchema, type ErrorBody } from '@launch/contracts/validation';
import type { z } from 'zod';
import { parseWith } from '../offline/strict-document.js';
import { ClientError, type ClientErrorDetail } from './client.error.js';

/** A full page of launches with their contexts and calldata stays well below this. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** One HTTP exchange. `path` starts at the origin; `body` is sent as these very bytes. */
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
 * Sends one request, once: no retry, no redirect, no cookie, no cache. The deadline covers everything up to
 * the last byte of the response. Success is one of `statuses` with a body of exactly `schema`.
 *
 * @throws {ClientError} network, deadline, response or refusal.
 */
export async function exchange<T>(
  request: Exchange,
  statuses: readonly number[],
  schema: z.ZodType<T>,
): Promise<Answer<T>> {
  const { status, headers, bytes } = await transfer(request);
  if (statuses.includes(status)) {
    const value = decode(schema, readJson(headers, bytes, status), status);
    return {
      status,
      bytes,
      value,
      replayed: headers.get('idempotency-replayed') === 'true',
      etag: headers.get('etag'),
    };
  }
  if (status < 400)
    throw responseInvalid({
      httpStatus: status,
      findings: [{ path: '', message: 'an answer with this status is not in the contract' }],
    });
  const { error }: ErrorBody = decode(errorBodySchema, readJson(headers, bytes, status), status);
  throw new ClientError('MULTI_ROLE_CLIENT_REFUSED', { httpStatus: status, refusal: error });
}

async function transfer(request: Exchange): Promise<{ status: number; headers: Headers; bytes: Uint8Array }> {
  const signal = AbortSignal.timeout(request.deadlineMs);
  try {
    const response = await fetch(`${request.origin}${request.path}`, {
      method: request.method,
      headers: headersOf(request),
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return { status: response.status, headers: response.headers, bytes: await readBounded(response) };
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (signal.aborted) throw new ClientError('MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED');
    throw new ClientError('MULTI_ROLE_CLIENT_NETWORK_ERROR', {
      findings: [{ path: '', message: networkFault(error) }],
    });
  }
}

function headersOf(request: Exchange): Record<string, string> {
  return {
    accept: 'application/json',
    ...(request.apiKey === null ? {} : { authorization: `Bearer ${request.apiKey}` }),
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
  };
}

async function readBounded(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) {
      throw responseInvalid({
        httpStatus: response.status,
        findings: [{ path: '', message: `the body is larger than ${MAX_RESPONSE_BYTES} bytes` }],
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The system's code for the fault, such as ECONNREFUSED; never its text, which may carry addresses. */
function networkFault(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'connection failed';
}

function readJson(headers: Headers, bytes: Uint8Array, httpStatus: number): JsonValue {
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(headers.get('content-type') ?? '')) {
    throw responseInvalid({
      httpStatus,
      findings: [{ path: '', message: 'the body is not application/json in UTF-8' }],
    });
  }
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw responseInvalid({ httpStatus, findings: [{ path: '', message: `${error.code} at byte ${error.offset}` }] });
  }
}

function decode<T>(schema: z.ZodType<T>, value: JsonValue, httpStatus: number): T {
  const result = parseWith(schema, value);
  if (!result.ok) throw responseInvalid({ httpStatus, findings: result.findings });
  return result.value;
}
