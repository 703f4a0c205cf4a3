import type { z } from 'zod';
import { givenName, reservedMember } from '../json/index.js';
import { orderFindings, type Finding } from '../errors/finding.js';
import { finding } from '../errors/make-finding.js';
import { LIMITS } from '../primitives/limits.js';

/** RFC 6901 JSON pointer of a path of keys and indexes; a key that does not look like a name is not repeated. */
export const jsonPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${givenName(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Every issue zod found as findings; unknown keys one finding each. Values are never echoed. */
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
 * Validates an already parsed value against a closed schema; all findings at once. A member named `__proto__` is refused
 * wherever it stands: a record of the schema would take the value without it.
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
