import { finding } from '@launch/contracts/errors';
import { StrictJsonError } from '@launch/contracts/json';
import { validate, type ParseOutcome } from '@launch/contracts/validation';
import type { z } from 'zod';

/** How a family's bytes are read, in the words of a refusal. */
export interface RequestForm<Request> {
  readonly schema: z.ZodType<Request>;
  readonly parse: (bytes: Uint8Array) => unknown;
  readonly expected: string;
}

/** The request that the bytes are, or why they are none. */
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
