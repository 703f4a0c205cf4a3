import { faultsOf, type BoundMember } from '@launch/client-core/binding';
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

/** Returns the check of an answer by its bound members. The schema of the call has validated the answer as `Value`. */
export const boundBy =
  <Value extends object, Subject>(members: readonly BoundMember<Value, Subject>[], subject: Subject) =>
  (value: object): readonly string[] =>
    faultsOf(members, value as Value, subject);

export const read = (
  path: string,
  schema: z.ZodType<object>,
  check: PlannedCall['check'],
  isPublic = false,
): PlannedCall => ({
  method: 'GET',
  path: `${MULTI_ROLE_BASE_PATH}${path}`,
  isPublic,
  deadlineMs: READ_DEADLINE_MS,
  statuses: [200],
  schema,
  check,
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
    ...(answer.status === 202 && answer.replayed ? ['/headers/idempotency-replayed'] : []),
    ...(planned.addressed === undefined || answer.etag === `"${sha256Digest(answer.bytes)}"` ? [] : ['/etag']),
  ];
  if (fields.length === 0) return answer;
  throw new ClientError('MULTI_ROLE_CLIENT_RESPONSE_INVALID', {
    httpStatus: answer.status,
    findings: fields.map((path) => ({ path, message: 'is not what was asked for' })),
  });
}
