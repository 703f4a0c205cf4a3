import type { z } from 'zod';
import { givenName, reservedMember } from '../json/index.js';
import { orderFindings, type Finding } from '../errors/finding.js';
import { fieldOf, finding, formFinding } from '../errors/make-finding.js';
import { LIMITS } from '../primitives/limits.js';
import { expectedForm, faultOf, type StatedFault } from './schema-faults.js';

/**
 * Returns the RFC 6901 JSON pointer of a path of keys and indexes; a key that does not look like a name is not
 * repeated.
 */
export const jsonPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${givenName(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Converts the issues of zod to findings, with one finding for each unknown key. Findings never repeat values. */
function findingsOf({ issues }: z.core.$ZodError): Finding[] {
  const findings: Finding[] = [];
  for (const issue of issues) {
    if (findings.length >= LIMITS.findings) break;
    const at = jsonPointer(issue.path);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, 32)) {
        const unknown = jsonPointer([...issue.path, key]);
        const message = `${fieldOf(at)} has no member ${givenName(key)}: the object is closed.`;
        findings.push(finding('SCHEMA_UNKNOWN_FIELD', unknown, { message, detail: `Remove ${unknown}.` }));
      }
      continue;
    }
    const stated: StatedFault = issue.code === 'custom' ? (issue.params ?? {}) : {};
    findings.push(formFinding(at, issue.message, { fault: faultOf(issue, at), ...stated }));
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
  return validateNames(schema, value);
}

/**
 * Validates a parsed value against a closed schema whose records keep every name, `__proto__` included (`namedRecord`), and
 * returns all findings.
 */
export function validateNames<T>(schema: z.ZodType<T>, value: unknown): ParseOutcome<T> {
  const result = schema.safeParse(value, { error: expectedForm, reportInput: true });
  return result.success ? { ok: true, value: result.data } : { ok: false, findings: findingsOf(result.error) };
}
