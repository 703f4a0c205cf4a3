import { finding, type Finding } from '@launch/contracts/errors';
import { assertCanonicalJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { validate, type ParseOutcome } from '@launch/contracts/validation';
import type { z } from 'zod';
import { jsonFinding } from './json.finding.js';

/** Reads bytes as canonical JSON of a closed schema; `bytes` is null for a file above `maxBytes`. */
export function canonicalDocument<T>(
  bytes: Uint8Array | null,
  maxBytes: number,
  schema: z.ZodType<T>,
): ParseOutcome<T> {
  if (bytes === null)
    return { ok: false, findings: [finding('REQUEST_TOO_LARGE', '', { expected: `at most ${maxBytes} bytes` })] };
  let value: JsonValue;
  try {
    value = assertCanonicalJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { ok: false, findings: [jsonFinding(error)] };
  }
  return validate(schema, value);
}

/** Returns the findings with pointers that name the file. */
export const ofFile = (file: string, findings: readonly Finding[]): Finding[] =>
  findings.map((fault) => ({ ...fault, path: `/${file}${fault.path}` }));
