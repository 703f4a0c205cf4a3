import { MULTI_ROLE_BASE_PATH, type WalletHandoff } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import type { z } from 'zod';
import { ClientError } from './client.error.js';
import { exchange, type Answer } from './transport.js';

/** A command's request and its accepted answers. `check` compares the answer with the request. */
export interface PlannedCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly isPublic: boolean;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly idempotencyKey?: string;
  readonly deadlineMs: number;
  readonly statuses: readonly number[];
  readonly schema: z.ZodType<object>;
  readonly check: (value: object) => readonly string[];
  readonly walletOf?: (value: object) => WalletHandoff | null;
  /** The answer's bytes must hash to its entity tag. Returns the part that is printed; the file has the rest. */
  readonly addressed?: (value: object) => object;
  /** A call that is sent first, within the same deadline. Without its answer nothing else is sent. */
  readonly first?: PlannedCall;
}

export const READ_DEADLINE_MS = 30_000;
export const WRITE_DEADLINE_MS = 60_000;

/** The fields of an answer that must equal those of the request. */
export type Expectations = Readonly<Record<string, string>>;
export const mismatches =
  (expected: Expectations) =>
  (value: object): readonly string[] =>
    Object.entries(expected)
      .filter(([field, text]) => (value as Record<string, unknown>)[field] !== text)
      .map(([field]) => `/${field}`);

export const read = (
  path: string,
  schema: z.ZodType<object>,
  expected: Expectations = {},
  isPublic = false,
): PlannedCall => ({
  method: 'GET',
  path: `${MULTI_ROLE_BASE_PATH}${path}`,
  isPublic,
  deadlineMs: READ_DEADLINE_MS,
  statuses: [200],
  schema,
  check: mismatches(expected),
});

/** Sends a call once, after the call that it depends on. Refuses an answer about another launch or with other bytes. */
export async function perform(
  planned: PlannedCall,
  service: { readonly origin: string; readonly apiKey: string | null; readonly deadlineMs?: number | undefined },
): Promise<Answer<object>> {
  const deadlineMs = service.deadlineMs ?? planned.deadlineMs;
  const begun = performance.now();
  if (planned.first !== undefined) await perform(planned.first, { ...service, deadlineMs });
  const { method, path, isPublic, body, idempotencyKey, statuses, schema } = planned;
  const answer = await exchange(
    {
      origin: service.origin,
      method,
      path,
      apiKey: isPublic ? null : service.apiKey,
      deadlineMs: Math.max(1, Math.ceil(deadlineMs - (performance.now() - begun))),
      ...(body ? { body } : {}),
      ...(idempotencyKey ? { idempotencyKey } : {}),
    },
    statuses,
    schema,
  );
  const fields = [
    ...planned.check(answer.value),
    ...(planned.addressed === undefined || answer.etag === `"${sha256Digest(answer.bytes)}"` ? [] : ['/etag']),
  ];
  if (fields.length === 0) return answer;
  throw new ClientError('MULTI_ROLE_CLIENT_RESPONSE_INVALID', {
    httpStatus: answer.status,
    findings: fields.map((path) => ({ path, message: 'is not what was asked for' })),
  });
}
