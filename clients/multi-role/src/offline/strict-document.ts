import { parseStrictJson, reservedMember, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { jsonPointer } from '@launch/contracts/validation';
import type { z } from 'zod';
import { PackError, type PackErrorCode, type PackFinding } from './pack.error.js';

/** Replacement texts for faults whose own message could repeat the input. */
const ISSUE_MESSAGES: Readonly<Record<string, string>> = {
  unrecognized_keys: 'the object is closed and has a field its schema does not name',
  invalid_type: 'is missing or of another type',
  invalid_value: 'is not one of the accepted values',
  invalid_union: 'has none of the accepted forms',
  too_big: 'is larger or longer than accepted',
  too_small: 'is smaller or shorter than accepted',
  not_multiple_of: 'is not a whole number of the accepted step',
  invalid_key: 'has a member name that is not accepted',
  invalid_element: 'has an element that is not accepted',
};

/** Refinements and patterns have messages written in this repository, so they never contain input. */
const isWrittenByUs = (code: string | undefined): boolean => code === 'custom' || code === 'invalid_format';

/** Returns schema issues as findings. An unknown field is reported at its parent, because its name is input. */
function safeFindings(error: z.ZodError, more: (issue: z.core.$ZodIssue) => Partial<PackFinding>): PackFinding[] {
  return error.issues.slice(0, 256).map((issue) => ({
    path: jsonPointer(issue.path).slice(0, 512),
    message: isWrittenByUs(issue.code)
      ? issue.message
      : (ISSUE_MESSAGES[issue.code ?? ''] ?? 'does not have its required form'),
    ...more(issue),
  }));
}

/**
 * Parses JSON text strictly. Duplicate keys, invalid UTF-8, excess depth and members that no schema would keep are refused;
 * white space is allowed.
 */
export function parseDocument(bytes: Uint8Array, code: PackErrorCode, path = ''): JsonValue {
  try {
    const value = parseStrictJson(bytes);
    if (reservedMember(value) === null) return value;
    throw new PackError(code, [{ path, message: 'has a member named __proto__' }]);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new PackError(code, [{ path, message: `${error.code} at byte ${error.offset}` }]);
  }
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly findings: PackFinding[] };

/** Runs `safeParse`. A refinement that cannot read a value refuses it like any other. */
export function parseWith<T>(
  schema: z.ZodType<T>,
  value: unknown,
  more: (issue: z.core.$ZodIssue) => Partial<PackFinding> = () => ({}),
): Parsed<T> {
  try {
    const result = schema.safeParse(value);
    return result.success
      ? { ok: true, value: result.data }
      : { ok: false, findings: safeFindings(result.error, more) };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { ok: false, findings: [{ path: '', message: 'a field does not have its required form' }] };
  }
}

/** Validates against a closed schema and reports all findings, with the bounds of numbers out of range. */
export function validateDocument<T>(schema: z.ZodType<T>, value: unknown, code: PackErrorCode): T {
  const result = parseWith(schema, value, (issue) => outOfBounds(issue, value));
  if (!result.ok) throw new PackError(code, result.findings);
  return result.value;
}

type Bounds = Pick<PackFinding, 'expected' | 'actual'>;

/** Returns the bounds and the value of a number; nothing for any other fault, whose value could be anything. */
function outOfBounds(issue: z.core.$ZodIssue, document: unknown): Bounds {
  const actual = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    document,
  );
  if (typeof actual !== 'number') return {};
  if (issue.code === 'too_big') return { expected: `at most ${issue.maximum}`, actual: String(actual) };
  if (issue.code === 'too_small') return { expected: `at least ${issue.minimum}`, actual: String(actual) };
  if (issue.code === 'custom' && typeof issue.params?.['expected'] === 'string')
    return { expected: issue.params['expected'], actual: String(actual) };
  return {};
}
