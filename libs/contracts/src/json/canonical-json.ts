import type { JsonValue } from './json.types.js';
import { StrictJsonError, boundedPointer } from './strict-json.error.js';
import { HIGHEST_MAX_JSON_DEPTH, parseJudgingForm, type StrictJsonLimits } from './strict-json.parser.js';

const encoder = new TextEncoder();

/**
 * Returns the RFC 8785 text of a JSON value: members sorted by UTF-16 code units, numbers as ECMAScript writes them,
 * the shortest escapes, no white space.
 *
 * @throws {StrictJsonError} `JSON_VALUE_UNSUPPORTED` for a value without JSON form (undefined, bigint, NaN, infinities,
 * holes, class instances), `JSON_LONE_SURROGATE`, or `JSON_DEPTH_EXCEEDED` above 512 levels.
 */
export function canonicalJsonText(value: unknown): string {
  return writeValue(value, []);
}

/** Returns the RFC 8785 bytes of a JSON value, without a trailing newline. Throws like `canonicalJsonText`. */
export function canonicalizeJson(value: unknown): Uint8Array {
  return encoder.encode(canonicalJsonText(value));
}

/**
 * Parses bytes that must already be in canonical form, so that equal values have equal bytes and hashes.
 *
 * @throws {StrictJsonError} as the parser, or `JSON_NOT_CANONICAL` at the first byte that differs.
 */
export function assertCanonicalJson(bytes: Uint8Array, limits: StrictJsonLimits = {}): JsonValue {
  const { value, canonical } = parseJudgingForm(bytes, limits);
  if (canonical) return value;
  const difference = firstDifference(bytes, canonicalizeJson(value));
  if (difference >= 0) throw new StrictJsonError('JSON_NOT_CANONICAL', difference, '');
  return value;
}

/** Returns whether the bytes are JSON in canonical form; false for bytes that are not JSON. */
export function isCanonical(bytes: Uint8Array, limits: StrictJsonLimits = {}): boolean {
  try {
    assertCanonicalJson(bytes, limits);
    return true;
  } catch (error) {
    if (error instanceof StrictJsonError) return false;
    throw error;
  }
}

function firstDifference(left: Uint8Array, right: Uint8Array): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) if (left[index] !== right[index]) return index;
  return left.length === right.length ? -1 : shorter;
}

function writeValue(value: unknown, path: (string | number)[]): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw new StrictJsonError('JSON_VALUE_UNSUPPORTED', 0, boundedPointer(path));
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (path.length >= HIGHEST_MAX_JSON_DEPTH)
        throw new StrictJsonError('JSON_DEPTH_EXCEEDED', 0, boundedPointer(path));
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
    default:
      throw new StrictJsonError('JSON_VALUE_UNSUPPORTED', 0, boundedPointer(path));
  }
}

// Texts grow by `+`, which copies nothing until the whole is read; joining lists would copy each level again.

/** Printable ASCII without quotation mark and backslash: JSON needs no escapes for it. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** For longer strings JSON.stringify is faster than the check. */
const SHORT = 128;

/** JSON.stringify writes a well-formed string exactly as RFC 8785 (3.2.2.2) requires. */
function writeString(value: string, path: readonly (string | number)[]): string {
  if (value.length <= SHORT && PLAIN.test(value)) return `"${value}"`;
  if (!value.isWellFormed()) throw new StrictJsonError('JSON_LONE_SURROGATE', 0, boundedPointer(path));
  return JSON.stringify(value);
}

function writeArray(items: readonly unknown[], path: (string | number)[]): string {
  const level = path.length;
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    path[level] = index;
    if (index > 0) text += ',';
    text += writeValue(items[index], path);
  }
  path.length = level;
  return `${text}]`;
}

/** Returns names in the order of their code units. Most objects are already in this order, so nothing is sorted. */
function sortedNames(members: object): string[] {
  const names = Object.keys(members);
  for (let index = 1; index < names.length; index += 1)
    if ((names[index - 1] as string) > (names[index] as string)) return names.sort();
  return names;
}

function writeObject(members: object, path: (string | number)[]): string {
  const prototype: unknown = Object.getPrototypeOf(members);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new StrictJsonError('JSON_VALUE_UNSUPPORTED', 0, boundedPointer(path));
  }
  const level = path.length;
  let text = '{';
  for (const name of sortedNames(members)) {
    path[level] = name;
    if (text.length > 1) text += ',';
    text += `${writeString(name, path)}:${writeValue((members as Record<string, unknown>)[name], path)}`;
  }
  path.length = level;
  return `${text}}`;
}
