import { finding, type Finding } from '@launch/contracts/errors';
import { assertCanonicalJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { validate, type ParseOutcome } from '@launch/contracts/validation';
import type { z } from 'zod';
import { jsonFinding } from './json.finding.js';

/** Bytes that must be canonical JSON of a closed schema; `bytes` is null for a file above `maxBytes`. */
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

/** The same findings, for one of several files: pointers say which. */
export const ofFile = (file: string, findings: readonly Finding[]): Finding[] =>
  findings.map((fault) => ({ ...fault, path: `/${file}${fault.path}` }));
