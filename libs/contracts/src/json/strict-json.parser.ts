import type { JsonObject, JsonValue } from './json.types.js';
import { StrictJsonError, boundedPointer, type StrictJsonErrorCode } from './strict-json.error.js';
import { decodeUtf8, firstInvalidUtf8 } from './utf8.decoder.js';

/** Default for the number of containers that may be open at once. */
export const DEFAULT_MAX_JSON_DEPTH = 64;

/**
 * Values in one text, names of members not counted. A request has some thousands; without a bound, 16 MiB of `{},`
 * would become gigabytes of objects.
 */
export const MAX_JSON_VALUES = 262_144;

/** The highest limit that a caller may set. The parser recurses once per container and must never exhaust the stack. */
export const HIGHEST_MAX_JSON_DEPTH = 512;

export interface StrictJsonLimits {
  /** Containers that may be open at once, 0 to 512; defaults to 64. */
  readonly maxDepth?: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SOLIDUS = 0x2f;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** Up to this length, building a string from character codes is faster than calling the decoder. */
const SHORT_STRING = 12;

/** The byte of each one-letter escape; 0 for any other letter. */
const SIMPLE_ESCAPES = new Uint8Array(256);
for (const [letter, meaning] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  SIMPLE_ESCAPES[letter!.charCodeAt(0)] = meaning!.charCodeAt(0);
}

/** The escape that RFC 8785 (3.2.2.2) prescribes for each control character. */
const SHORTEST_ESCAPES = Array.from({ length: 0x20 }, (_, unit) =>
  JSON.stringify(String.fromCharCode(unit)).slice(1, -1),
);

/** 1 for the bytes that end a plain run inside a string: quote, backslash and control characters. */
const STOPS_RUN = new Uint8Array(256);
STOPS_RUN.fill(1, 0, 0x20);
STOPS_RUN[QUOTE] = 1;
STOPS_RUN[BACKSLASH] = 1;

/**
 * Parses one JSON text from its bytes, in linear time, by RFC 8259 and nothing looser.
 *
 * Refused beyond the grammar: a byte order mark, bytes that are not well-formed UTF-8, member names that are equal
 * after their escapes are read. So are escapes that leave a surrogate alone, and numbers that overflow to infinity or
 * whose non-zero digits vanish to zero. Nesting above `limits.maxDepth` and more than 262,144 values are refused, too.
 * Numbers become doubles as I-JSON reads them (RFC 7493); `-0` becomes `0`, which is also its canonical form. Objects
 * have a null prototype, so `__proto__` is a member like any other.
 *
 * @throws {StrictJsonError} with the byte offset and a pointer to the value being read.
 */
export function parseStrictJson(bytes: Uint8Array, limits: StrictJsonLimits = {}): JsonValue {
  return parserOf(bytes, limits, false).parse();
}

/**
 * Parses one JSON text and reports whether it is the canonical form of its value (RFC 8785). That form has no white
 * space, members in the order of their UTF-16 code units, the shortest escapes, and numbers as ECMAScript writes them.
 */
export function parseJudgingForm(
  bytes: Uint8Array,
  limits: StrictJsonLimits = {},
): { readonly value: JsonValue; readonly canonical: boolean } {
  const parser = parserOf(bytes, limits, true);
  return { value: parser.parse(), canonical: parser.canonical };
}

function parserOf(bytes: Uint8Array, limits: StrictJsonLimits, judgesForm: boolean): StrictJsonParser {
  const maxDepth = limits.maxDepth ?? DEFAULT_MAX_JSON_DEPTH;
  if (!Number.isInteger(maxDepth) || maxDepth < 0 || maxDepth > HIGHEST_MAX_JSON_DEPTH) {
    throw new RangeError(`maxDepth is an integer from 0 to ${HIGHEST_MAX_JSON_DEPTH}`);
  }
  return new StrictJsonParser(bytes, maxDepth, judgesForm);
}

class StrictJsonParser {
  private at = 0;
  private values = 0;
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly maxDepth: number,
    /** Whether everything read so far is in canonical form; stays false if the caller does not ask. */
    public canonical: boolean,
  ) {}

  parse(): JsonValue {
    const { bytes } = this;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.fail('JSON_BYTE_ORDER_MARK', 0);
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      this.fail('JSON_BYTE_ORDER_MARK', 0);
    }
    this.skipWhitespace();
    if (this.at === bytes.length) this.fail('JSON_EMPTY', 0);
    const value = this.readValue();
    this.skipWhitespace();
    if (this.at !== bytes.length) this.fail('JSON_TRAILING_DATA', this.at);
    return value;
  }

  private fail(code: StrictJsonErrorCode, offset: number): never {
    throw new StrictJsonError(code, offset, boundedPointer(this.path));
  }

  private skipWhitespace(): void {
    const { bytes } = this;
    let at = this.at;
    for (;;) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at += 1;
    }
    if (at !== this.at) this.canonical = false;
    this.at = at;
  }

  private readValue(): JsonValue {
    if ((this.values += 1) > MAX_JSON_VALUES) this.fail('JSON_VALUES_EXCEEDED', this.at);
    const byte = this.bytes[this.at];
    switch (byte) {
      case QUOTE:
        return this.readString();
      case OPEN_BRACE:
        return this.readObject();
      case OPEN_BRACKET:
        return this.readArray();
      case 0x74:
        return this.readWord('true', true);
      case 0x66:
        return this.readWord('false', false);
      case 0x6e:
        return this.readWord('null', null);
      default:
        return this.readNumber();
    }
  }

  private readWord<T extends boolean | null>(word: string, value: T): T {
    for (let index = 1; index < word.length; index += 1) {
      if (this.bytes[this.at + index] !== word.charCodeAt(index)) this.fail('JSON_SYNTAX', this.at + index);
    }
    this.at += word.length;
    return value;
  }

  private enterContainer(): void {
    if (this.path.length >= this.maxDepth) this.fail('JSON_DEPTH_EXCEEDED', this.at);
    this.at += 1;
    this.skipWhitespace();
  }

  private readArray(): JsonValue[] {
    this.enterContainer();
    const items: JsonValue[] = [];
    if (this.bytes[this.at] === CLOSE_BRACKET) {
      this.at += 1;
      return items;
    }
    const level = this.path.length;
    for (;;) {
      this.path[level] = items.length;
      items.push(this.readValue());
      this.skipWhitespace();
      const byte = this.bytes[this.at];
      if (byte === CLOSE_BRACKET) break;
      if (byte !== COMMA) this.fail('JSON_SYNTAX', this.at);
      this.at += 1;
      this.skipWhitespace();
    }
    this.at += 1;
    this.path.length = level;
    return items;
  }

  private readObject(): JsonObject {
    this.enterContainer();
    const members = Object.create(null) as JsonObject;
    if (this.bytes[this.at] === CLOSE_BRACE) {
      this.at += 1;
      return members;
    }
    const level = this.path.length;
    let previous: string | undefined;
    for (;;) {
      const nameAt = this.at;
      if (this.bytes[nameAt] !== QUOTE) this.fail('JSON_SYNTAX', nameAt);
      this.path.length = level;
      const name = this.readString();
      this.path[level] = name;
      if (name in members) this.fail('JSON_DUPLICATE_KEY', nameAt);
      if (previous !== undefined && name < previous) this.canonical = false;
      previous = name;
      this.skipWhitespace();
      if (this.bytes[this.at] !== COLON) this.fail('JSON_SYNTAX', this.at);
      this.at += 1;
      this.skipWhitespace();
      members[name] = this.readValue();
      this.skipWhitespace();
      const byte = this.bytes[this.at];
      if (byte === CLOSE_BRACE) break;
      if (byte !== COMMA) this.fail('JSON_SYNTAX', this.at);
      this.at += 1;
      this.skipWhitespace();
    }
    this.at += 1;
    this.path.length = level;
    return members;
  }

  /** Reads from the opening quote. A string without escapes is one span of the input. */
  private readString(): string {
    const { bytes } = this;
    const start = this.at + 1;
    let at = start;
    let seen = 0;
    while (at < bytes.length) {
      const byte = bytes[at]!;
      if (STOPS_RUN[byte] === 1) break;
      seen |= byte;
      at += 1;
    }
    if (bytes[at] !== QUOTE) return this.readEscapedString(start, at);
    this.at = at + 1;
    if (seen < 0x80 && at - start < SHORT_STRING) return asciiText(bytes, start, at);
    return this.decode(bytes.subarray(start, at), start, at);
  }

  /** Continues from the first escape at `at`: unescapes into bytes, then decodes them all at once. */
  private readEscapedString(start: number, firstStop: number): string {
    const { bytes } = this;
    const end = this.findClosingQuote(start, firstStop);
    const plain = new Uint8Array(end - start);
    let length = 0;
    let from = start;
    this.at = firstStop;
    while (this.at < end) {
      plain.set(bytes.subarray(from, this.at), length);
      length += this.at - from;
      length = this.readEscape(plain, length);
      from = this.at;
      while (this.at < end && bytes[this.at] !== BACKSLASH) this.at += 1;
    }
    plain.set(bytes.subarray(from, end), length);
    length += end - from;
    this.at = end + 1;
    return this.decode(plain.subarray(0, length), start, end);
  }

  private findClosingQuote(start: number, firstStop: number): number {
    const { bytes } = this;
    let at = firstStop;
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === undefined || byte < 0x20) {
        const invalid = firstInvalidUtf8(bytes, start, at);
        if (invalid < at) this.fail('JSON_INVALID_UTF8', invalid);
        this.fail('JSON_SYNTAX', at);
      }
      at += byte === BACKSLASH && at + 1 < bytes.length ? 2 : 1;
    }
  }

  private decode(text: Uint8Array, start: number, end: number): string {
    const decoded = decodeUtf8(text);
    if (decoded === undefined) this.fail('JSON_INVALID_UTF8', firstInvalidUtf8(this.bytes, start, end));
    return decoded;
  }

  /** Writes one escape's UTF-8 to `target` at `length`; returns the new length. Never longer than the escape. */
  private readEscape(target: Uint8Array, length: number): number {
    const kind = this.bytes[this.at + 1]!;
    if (kind !== 0x75) {
      const simple = SIMPLE_ESCAPES[kind]!;
      if (simple === 0) this.fail('JSON_SYNTAX', this.at + 1);
      if (kind === SOLIDUS) this.canonical = false;
      target[length] = simple;
      this.at += 2;
      return length + 1;
    }
    const start = this.at;
    const unit = this.readUnit();
    if (this.canonical)
      this.canonical = unit < 0x20 && SHORTEST_ESCAPES[unit] === asciiText(this.bytes, start, this.at);
    if (unit < 0xd800 || unit > 0xdfff) return encodeUtf8(target, length, unit);
    if (unit > 0xdbff || this.bytes[this.at] !== BACKSLASH || this.bytes[this.at + 1] !== 0x75) {
      this.fail('JSON_LONE_SURROGATE', start);
    }
    const low = this.readUnit();
    if (low < 0xdc00 || low > 0xdfff) this.fail('JSON_LONE_SURROGATE', start);
    return encodeUtf8(target, length, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
  }

  private readUnit(): number {
    let unit = 0;
    for (let index = this.at + 2; index < this.at + 6; index += 1) {
      const digit = hexDigit(this.bytes[index]);
      if (digit < 0) this.fail('JSON_SYNTAX', index);
      unit = unit * 16 + digit;
    }
    this.at += 6;
    return unit;
  }

  private readNumber(): number {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    let significant = false;
    if (bytes[at] === 0x2d) at += 1;
    if (bytes[at] === 0x30) at += 1;
    else {
      const from = at;
      at = this.skipDigits(at);
      if (at === from) this.fail('JSON_SYNTAX', at);
      significant = true;
    }
    if (bytes[at] === 0x2e) {
      const from = at + 1;
      at = this.skipDigits(from);
      if (at === from) this.fail('JSON_SYNTAX', at);
      for (let index = from; index < at && !significant; index += 1) significant = bytes[index] !== 0x30;
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      at += 1;
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at += 1;
      const from = at;
      at = this.skipDigits(at);
      if (at === from) this.fail('JSON_SYNTAX', at);
    }
    this.at = at;
    const text = at - start < SHORT_STRING ? asciiText(bytes, start, at) : decodeUtf8(bytes.subarray(start, at));
    const value = Number(text);
    if (!Number.isFinite(value)) this.fail('JSON_NUMBER_RANGE', start);
    if (this.canonical) this.canonical = String(value) === text;
    if (value === 0) {
      if (significant) this.fail('JSON_NUMBER_RANGE', start);
      return 0;
    }
    return value;
  }

  private skipDigits(from: number): number {
    const { bytes } = this;
    let at = from;
    while (bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at += 1;
    return at;
  }
}

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let index = start; index < end; index += 1) text += String.fromCharCode(bytes[index]!);
  return text;
}

function encodeUtf8(target: Uint8Array, length: number, codePoint: number): number {
  let at = length;
  if (codePoint < 0x80) {
    target[at++] = codePoint;
    return at;
  }
  if (codePoint < 0x800) target[at++] = 0xc0 | (codePoint >> 6);
  else {
    if (codePoint < 0x10000) target[at++] = 0xe0 | (codePoint >> 12);
    else {
      target[at++] = 0xf0 | (codePoint >> 18);
      target[at++] = 0x80 | ((codePoint >> 12) & 0x3f);
    }
    target[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
  }
  target[at++] = 0x80 | (codePoint & 0x3f);
  return at;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
