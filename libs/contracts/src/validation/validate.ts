import type { z } from 'zod';
import { givenName, reservedMember } from '../json/index.js';
import { orderFindings, type Finding } from '../errors/finding.js';
import { finding } from '../errors/make-finding.js';
import { LIMITS } from '../primitives/limits.js';

/**
 * Returns the RFC 6901 JSON pointer of a path of keys and indexes; a key that does not look like a name is not
 * repeated.
 */
export const jsonPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${givenName(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Converts the issues of zod to findings, with one finding for each unknown key. Findings never repeat values. */
export function findingsFromZod(error: z.ZodError, base = ''): Finding[] {
  const findings: Finding[] = [];
  for (const issue of error.issues) {
    if (findings.length >= LIMITS.findings) break;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, 32)) {
        findings.push(
          finding('SCHEMA_UNKNOWN_FIELD', base + jsonPointer([...issue.path, key]), {
            detail: 'Remove the field; the object is closed.',
          }),
        );
      }
      continue;
    }
    findings.push(finding('SCHEMA_INVALID', base + jsonPointer(issue.path), { expected: issue.message }));
  }
  return orderFindings(findings);
}

export type ParseOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly findings: Finding[] };

/**
 * Validates a parsed value against a closed schema and returns all findings. Refuses a member named `__proto__` at any
 * place, because a record of the schema would drop it.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown): ParseOutcome<T> {
  const reserved = reservedMember(value);
  if (reserved !== null)
    return {
      ok: false,
      findings: [finding('SCHEMA_UNKNOWN_FIELD', jsonPointer(reserved), { detail: 'No member is named __proto__.' })],
    };
  const result = schema.safeParse(value);
  return result.success ? { ok: true, value: result.data } : { ok: false, findings: findingsFromZod(result.error) };
}
