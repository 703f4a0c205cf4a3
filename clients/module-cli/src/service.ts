import { faultsOf, REFUSAL_MEMBERS, refusalSubject } from '@launch/client-core/binding';
import {
  exchange,
  ExchangeError,
  readJson,
  withRetries,
  type Patience,
  type Received,
} from '@launch/client-core/transport';
import { reservedMember, type JsonValue } from '@launch/contracts/json';
import { LIMITS } from '@launch/contracts/primitives';
import { jsonPointer } from '@launch/contracts/validation';
import { z } from 'zod';
import { ModuleCliError } from './module-cli.error.js';

/** Most bytes of an answer, after decompression. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

/** The code of an unusable answer. */
export type ResponseCode = 'MODULE_API_RESPONSE' | 'MODULE_REVIEW_RESPONSE';

/** One call. Sends `key` if it is given. */
export interface Call<T> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly statuses: readonly number[];
  readonly responseCode: ResponseCode;
  readonly key?: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly idempotencyKey?: string;
}

export interface Told<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The answer before validation by a schema. */
  readonly json: JsonValue;
  readonly value: T;
}

export interface Service {
  readonly origin: string;
  readonly timeoutMs: number;
  /** The patience of `--retry`; null without it. */
  readonly patience: Patience | null;
}

/**
 * Calls the service, with `--retry` again after a retryable refusal: no redirect, and one deadline up to the last byte.
 * @throws {ModuleCliError} unless the answer has one of `statuses` and a body that matches the schema exactly.
 */
export const ask = <T>(service: Service, call: Call<T>): Promise<Told<T>> =>
  withRetries(() => askOnce(service, call), service.patience);

async function askOnce<T>({ origin, timeoutMs }: Service, call: Call<T>): Promise<Told<T>> {
  const received = await answered(call, () =>
    exchange({
      url: new URL(`${origin}${call.path}`),
      method: call.method,
      headers: headersOf(call),
      ...(call.body === undefined ? {} : { body: call.body }),
      maxBytes: MAX_ANSWER_BYTES,
      deadlineMs: timeoutMs,
    }),
  );
  const { status, headers, bytes } = received;
  // A redirect points to another host, so it is not an answer of this service.
  if (status >= 300 && status < 400) throw ModuleCliError.own('MODULE_API_NETWORK', { httpStatus: status });
  const json = await answered(call, () => readJson(received));
  if (status >= 400) throw refusalOf(received, json, call);
  if (!call.statuses.includes(status)) throw ModuleCliError.own(call.responseCode, { httpStatus: status });
  const reserved = reservedMember(json);
  if (reserved !== null) throw ModuleCliError.own(call.responseCode, { httpStatus: status, path: '' });
  const read = call.schema.safeParse(json);
  if (!read.success)
    throw ModuleCliError.own(call.responseCode, { httpStatus: status, path: placeOf(read.error.issues[0]) });
  return { status, headers, bytes, json, value: read.data };
}

const placeOf = (issue: z.core.$ZodIssue | undefined): string => jsonPointer(issue?.path ?? []).slice(0, 256);

const headersOf = ({ key, body, idempotencyKey }: Call<unknown>): Record<string, string> => ({
  accept: 'application/json',
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
});

async function answered<T>({ responseCode }: Call<unknown>, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const detail = error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus };
    if (error.code === 'ANSWER_TOO_SLOW') throw ModuleCliError.own('MODULE_API_TIMEOUT', detail);
    if (error.code === 'SERVICE_UNREACHABLE' || error.code === 'ANSWER_BROKEN_OFF')
      throw ModuleCliError.own('MODULE_API_NETWORK', detail);
    throw ModuleCliError.own(responseCode, detail);
  }
}

const codeSchema = z.string().regex(/^[A-Z][A-Z0-9_]{2,63}$/);
/** The members of an error body that the client reports; a later service may add others. */
const refusalSchema = z.object({
  error: z.object({
    code: codeSchema,
    requestId: z
      .string()
      .regex(/^req_[0-9A-HJKMNP-TV-Z]{26}$/)
      .nullish(),
    retryable: z.boolean().nullish(),
    retryAfterSeconds: z.number().int().min(0).max(86_400_000).nullish(),
    findings: z
      .array(z.object({ code: codeSchema, path: z.string() }))
      .max(LIMITS.findings)
      .nullish(),
  }),
});
const SAFE_POINTER = /^(?:\/[A-Za-z0-9_.~-]{1,64}){0,16}$/;

function refusalOf({ status, headers }: Received, json: JsonValue, call: Call<unknown>): ModuleCliError {
  const read = refusalSchema.safeParse(json);
  if (!read.success) return ModuleCliError.own(call.responseCode, { httpStatus: status });
  const { code, requestId = null, retryAfterSeconds = null } = read.data.error;
  const [other] = faultsOf(REFUSAL_MEMBERS, read.data, refusalSubject(status, headers));
  if (other !== undefined) throw ModuleCliError.own(call.responseCode, { httpStatus: status, path: other });
  const findings = (read.data.error.findings ?? []).filter(({ path }) => SAFE_POINTER.test(path));
  const path = findings[0]?.path;
  return ModuleCliError.refused(code, status, {
    requestId,
    retryAfterSeconds,
    retryable: read.data.error.retryable === true || status === 429,
    findings,
    ...(path === undefined ? {} : { path }),
  });
}
