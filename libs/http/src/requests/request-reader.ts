import { finding, type ErrorCode } from '@launch/contracts/errors';
import {
  assertCanonicalJson,
  parseStrictJson,
  StrictJsonError,
  type JsonValue,
  type StrictJsonErrorCode,
  type StrictJsonLimits,
} from '@launch/contracts/json';
import { LIMITS } from '@launch/contracts/primitives';
import { validate } from '@launch/contracts/validation';
import type { z } from 'zod';
import { ApiError } from '../errors/api.error.js';

/** The parser's refusals as codes of the catalogue. */
const JSON_CODES: Readonly<Record<StrictJsonErrorCode, ErrorCode>> = {
  JSON_EMPTY: 'JSON_EMPTY',
  JSON_BYTE_ORDER_MARK: 'JSON_SYNTAX',
  JSON_INVALID_UTF8: 'JSON_INVALID_UTF8',
  JSON_SYNTAX: 'JSON_SYNTAX',
  JSON_TRAILING_DATA: 'JSON_TRAILING_DATA',
  JSON_DUPLICATE_KEY: 'JSON_DUPLICATE_KEY',
  JSON_LONE_SURROGATE: 'JSON_SYNTAX',
  JSON_NUMBER_RANGE: 'JSON_NUMBER_RANGE',
  JSON_DEPTH_EXCEEDED: 'JSON_DEPTH_EXCEEDED',
  JSON_VALUES_EXCEEDED: 'JSON_VALUES_EXCEEDED',
  JSON_NOT_CANONICAL: 'JSON_NOT_CANONICAL',
  JSON_VALUE_UNSUPPORTED: 'JSON_SYNTAX',
};

const EXPECTED_JSON = 'one JSON value in UTF-8, no member twice, and nothing after it';

/** Parses strict canonical JSON from a body's bytes. @throws ApiError with the byte offset and a pointer, 400 */
export const readCanonicalJson = (bytes: Uint8Array): JsonValue => read(bytes, assertCanonicalJson);

/** Parses strict JSON with any white space and order of members. @throws ApiError likewise */
export const readStrictJson = (bytes: Uint8Array): JsonValue => read(bytes, parseStrictJson);

function read<T>(bytes: Uint8Array, parse: (bytes: Uint8Array, limits: StrictJsonLimits) => T): T {
  try {
    return parse(bytes, { maxDepth: LIMITS.jsonDepth });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const code = JSON_CODES[error.code];
    const details = { message: error.message, actual: `byte ${error.offset}` };
    throw new ApiError(code, {
      findings: [finding(code, error.path, details)],
      detailedFindings: [finding(code, error.path, { ...details, expected: EXPECTED_JSON })],
    });
  }
}

/** Parses a value with its closed schema. @throws ApiError with every finding at once, 422 */
export function readSchema<T>(schema: z.ZodType<T>, value: unknown): T {
  const outcome = validate(schema, value);
  if (outcome.ok) return outcome.value;
  const { findings } = outcome;
  throw new ApiError(findings[0]?.code ?? 'SCHEMA_INVALID', {
    findings,
    detailedFindings: findings.map((found) => ({
      ...found,
      expected: found.expected ?? 'no such member',
      actual: found.actual ?? kindAt(value, found.path),
    })),
  });
}

/** Describes the value at a pointer by its kind, because values of a request are never repeated. */
function kindAt(value: unknown, pointer: string): string {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  }
  if (found === undefined) return 'nothing';
  if (found === null) return 'null';
  if (Array.isArray(found)) return `an array of ${found.length}`;
  return typeof found === 'string' ? `a string of ${found.length} characters` : kindOf(found);
}

const kindOf = (value: unknown): string => (typeof value === 'object' ? 'an object' : `a ${typeof value}`);
