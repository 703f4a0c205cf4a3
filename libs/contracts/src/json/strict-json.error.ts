/** Every way a byte string or a value can fail the strict JSON rules. */
export type StrictJsonErrorCode =
  | 'JSON_EMPTY'
  | 'JSON_BYTE_ORDER_MARK'
  | 'JSON_INVALID_UTF8'
  | 'JSON_SYNTAX'
  | 'JSON_TRAILING_DATA'
  | 'JSON_DUPLICATE_KEY'
  | 'JSON_LONE_SURROGATE'
  | 'JSON_NUMBER_RANGE'
  | 'JSON_DEPTH_EXCEEDED'
  | 'JSON_VALUES_EXCEEDED'
  | 'JSON_NOT_CANONICAL'
  | 'JSON_VALUE_UNSUPPORTED';

const MESSAGES: Readonly<Record<StrictJsonErrorCode, string>> = {
  JSON_EMPTY: 'The input holds no JSON value',
  JSON_BYTE_ORDER_MARK: 'The input starts with a byte order mark',
  JSON_INVALID_UTF8: 'The input is not valid UTF-8',
  JSON_SYNTAX: 'The input is not JSON as RFC 8259 defines it',
  JSON_TRAILING_DATA: 'The input goes on after its JSON value',
  JSON_DUPLICATE_KEY: 'An object names the same member twice',
  JSON_LONE_SURROGATE: 'A string holds a surrogate without its partner',
  JSON_NUMBER_RANGE: 'A number does not fit an IEEE 754 double',
  JSON_DEPTH_EXCEEDED: 'The input is nested too deeply',
  JSON_VALUES_EXCEEDED: 'The input holds too many values',
  JSON_NOT_CANONICAL: 'The input is JSON, but not in the canonical form of RFC 8785',
  JSON_VALUE_UNSUPPORTED: 'The value has no JSON form',
};

const MAX_PATH = 256;
/** Letters, digits and the punctuation of paths and identifiers: no blank, bracket, quote or semicolon. */
const NAME = /^[\p{L}\p{N}\p{M}_$@.:+~/-]{1,128}$/u;

/**
 * A refusal by the strict JSON rules.
 *
 * `offset` is the zero-based byte position of the fault (0 if a value was judged instead of bytes). `path` is an RFC
 * 6901 pointer to the value being read, made of member names and indexes only, never of values. A member name that does
 * not look like a name is replaced by its length. Paths longer than 256 characters are cut and end in an ellipsis. None
 * of the codes is retryable: the same bytes fail again.
 */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';

  constructor(
    readonly code: StrictJsonErrorCode,
    readonly offset: number,
    readonly path: string,
  ) {
    super(`${MESSAGES[code]} (byte ${offset})`);
  }
}

/**
 * Returns a name from the input in a form that a response may repeat. A text that does not look like a name, or that is
 * longer than 128 characters, could contain anything, including source text; only its length is returned.
 */
export const givenName = (name: string): string => (NAME.test(name) ? name : `(${name.length} characters)`);

/** Writes member names and indexes as a JSON pointer of bounded length. */
export function boundedPointer(tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) {
    pointer += `/${givenName(String(token)).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (pointer.length > MAX_PATH) return `${pointer.slice(0, MAX_PATH).toWellFormed()}…`;
  }
  return pointer;
}
