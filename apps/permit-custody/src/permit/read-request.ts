import { finding } from '@launch/contracts/errors';
import { StrictJsonError } from '@launch/contracts/json';
import { validate, type ParseOutcome } from '@launch/contracts/validation';
import type { z } from 'zod';

/** The reading of a family's bytes, with the texts of a refusal. */
export interface RequestForm<Request> {
  readonly schema: z.ZodType<Request>;
  readonly parse: (bytes: Uint8Array) => unknown;
  readonly expected: string;
}

/** Returns the request in the bytes, or the reason why they are not one. */
export function readRequest<Request>(
  { schema, parse, expected }: RequestForm<Request>,
  bytes: Uint8Array,
): ParseOutcome<Request> {
  try {
    return validate(schema, parse(bytes));
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { ok: false, findings: [finding('PERMIT_REFUSED', '', { expected, actual: error.code })] };
  }
}
