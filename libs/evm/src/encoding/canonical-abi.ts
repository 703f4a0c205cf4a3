import { bytesOfHex, isHex, lowerHex, type Hex } from './hex.js';

const WORD = 32;

/**
 * One parameter of an ABI, reduced to the properties that decide its encoding. `words` counts the words of its head.
 */
type Shape =
  | { readonly kind: 'word'; readonly words: number; readonly fits: (bytes: Uint8Array, at: number) => boolean }
  | { readonly kind: 'bytes'; readonly words: 1 }
  | {
      readonly kind: 'members';
      readonly words: number;
      readonly members: readonly Shape[];
      readonly isDynamic: boolean;
    }
  | {
      readonly kind: 'array';
      readonly words: number;
      readonly element: Shape;
      /** Null for an array that carries its own length. */
      readonly length: number | null;
      readonly isDynamic: boolean;
    };

/**
 * Reports whether `encoded` is the one canonical ABI encoding of some values of these parameters.
 *
 * Judges bytes alone and builds no value, so text need not be UTF-8, and members may have any name, even repeated ones.
 * Integers, addresses and booleans must fill their word as their type does, padding must be zero, and each tail must
 * begin at the end of the previous one. Takes time in proportion to the bytes, however large the lengths and offsets in
 * them are.
 */
export function isCanonicalEncoding(parameters: readonly unknown[], encoded: Hex): boolean {
  const shape = membersShape(parameters);
  if (shape === null || !isHex(encoded)) return false;
  const bytes = bytesOfHex(encoded);
  return endOf(shape, bytes, 0) === bytes.length;
}

/**
 * Returns the word of each parameter in a canonical encoding; null for a parameter that is not one word, such as text
 * or a struct.
 */
export function headWordsOf(parameters: readonly unknown[], encoded: Hex): (Hex | null)[] {
  let at = 0;
  return parameters.map((parameter) => {
    const shape = shapeOf(parameter);
    const begin = 2 + 2 * WORD * at;
    at += shape === null ? 0 : isDynamic(shape) ? 1 : shape.words;
    return shape?.kind === 'word' ? lowerHex(`0x${encoded.slice(begin, begin + 2 * WORD)}`) : null;
  });
}

/** Returns the end of a value that begins at `at`, or null if the bytes are not its canonical encoding. */
function endOf(shape: Shape, bytes: Uint8Array, at: number): number | null {
  if (shape.words * WORD > bytes.length - at) return null;
  if (shape.kind === 'word') return shape.fits(bytes, at) ? at + WORD : null;
  if (shape.kind === 'bytes') return endOfBytes(bytes, at);
  if (shape.kind === 'members') return endOfSequence(shape.members.length, (index) => shape.members[index]!, bytes, at);
  const { element, length: fixed } = shape;
  const length = fixed ?? lengthAt(bytes, at);
  const begin = fixed === null ? at + WORD : at;
  if (length === null) return null;
  const words = leastWords(element);
  // Elements of zero bytes are all alike, so a length without bytes behind it costs no step.
  if (words === 0) return begin;
  return length * words * WORD > bytes.length - begin ? null : endOfSequence(length, () => element, bytes, begin);
}

/** Reads heads in order, then the tails of the dynamic ones, in order and without a gap. */
function endOfSequence(
  count: number,
  shapeAt: (index: number) => Shape,
  bytes: Uint8Array,
  begin: number,
): number | null {
  let head = begin;
  let tail = begin;
  for (let index = 0; index < count; index += 1) tail += WORD * (isDynamic(shapeAt(index)) ? 1 : shapeAt(index).words);
  if (tail > bytes.length) return null;
  for (let index = 0; index < count; index += 1) {
    const shape = shapeAt(index);
    if (!isDynamic(shape)) {
      const end = endOf(shape, bytes, head);
      if (end === null) return null;
      head = end;
      continue;
    }
    if (lengthAt(bytes, head) !== tail - begin) return null;
    const end = endOf(shape, bytes, tail);
    if (end === null) return null;
    tail = end;
    head += WORD;
  }
  return tail;
}

function endOfBytes(bytes: Uint8Array, at: number): number | null {
  const length = lengthAt(bytes, at);
  if (length === null) return null;
  const begin = at + WORD;
  const end = begin + Math.ceil(length / WORD) * WORD;
  return end <= bytes.length && isZero(bytes, begin + length, end) ? end : null;
}

/** Reads the number in a word. Returns null above 2^32, which no encoding in memory reaches. */
function lengthAt(bytes: Uint8Array, at: number): number | null {
  if (at + WORD > bytes.length || !isZero(bytes, at, at + WORD - 4)) return null;
  return new DataView(bytes.buffer, bytes.byteOffset + at + WORD - 4, 4).getUint32(0);
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

const isDynamic = (shape: Shape): boolean => shape.kind === 'bytes' || (shape.kind !== 'word' && shape.isDynamic);

/** Returns the shape of consecutive parameters or components, or null if one has an unknown ABI type. */
function membersShape(parameters: readonly unknown[]): Shape | null {
  const members: Shape[] = [];
  for (const parameter of parameters) {
    const shape = shapeOf(parameter);
    if (shape === null) return null;
    members.push(shape);
  }
  const words = members.reduce((sum, member) => sum + leastWords(member), 0);
  return { kind: 'members', words, members, isDynamic: members.some(isDynamic) };
}

/** Returns the least number of words that a value takes, including its tail. */
const leastWords = (shape: Shape): number => (isDynamic(shape) ? 1 + shape.words : shape.words);

const ARRAY = /\[(\d*)\]/g;

function shapeOf(parameter: unknown): Shape | null {
  if (typeof parameter !== 'object' || parameter === null || !('type' in parameter)) return null;
  const { type } = parameter;
  if (typeof type !== 'string') return null;
  const bracket = type.indexOf('[');
  const base = bracket === -1 ? type : type.slice(0, bracket);
  const suffix = bracket === -1 ? '' : type.slice(bracket);
  const components = 'components' in parameter && Array.isArray(parameter.components) ? parameter.components : null;
  let shape = base === 'tuple' ? components && membersShape(components) : elementary(base);
  if (shape === null || suffix.replaceAll(ARRAY, '') !== '') return null;
  for (const [, digits] of suffix.matchAll(ARRAY)) {
    const element: Shape = shape;
    const length = digits === '' ? null : Number(digits);
    // Multiply only nonzero sizes: a length may be too large for a JavaScript number.
    const words: number = length === null ? 1 : leastWords(element) === 0 ? 0 : length * leastWords(element);
    shape = { kind: 'array', words, element, length, isDynamic: length === null || isDynamic(element) };
  }
  return shape;
}

const NUMBER = /^(u?)int(\d+)?$/;
const FIXED_BYTES = /^bytes(\d+)$/;

function elementary(type: string): Shape | null {
  if (type === 'bytes' || type === 'string') return { kind: 'bytes', words: 1 };
  if (type === 'address') return unsigned(20);
  if (type === 'bool') return word((bytes, at) => isZero(bytes, at, at + WORD - 1) && bytes[at + WORD - 1]! <= 1);
  // A function is its address and selector, encoded as bytes24.
  if (type === 'function') return leading(24);
  const fixed = FIXED_BYTES.exec(type);
  if (fixed !== null) return isBetween(Number(fixed[1]), 1, WORD) ? leading(Number(fixed[1])) : null;
  const number = NUMBER.exec(type);
  if (number === null) return null;
  const bits = Number(number[2] ?? 256);
  if (bits % 8 !== 0 || !isBetween(bits, 8, 256)) return null;
  return number[1] === 'u' ? unsigned(bits / 8) : signed(bits / 8);
}

const isBetween = (value: number, least: number, most: number): boolean => value >= least && value <= most;

const word = (fits: (bytes: Uint8Array, at: number) => boolean): Shape => ({ kind: 'word', words: 1, fits });

const unsigned = (size: number): Shape => word((bytes, at) => isZero(bytes, at, at + WORD - size));

const leading = (size: number): Shape => word((bytes, at) => isZero(bytes, at + size, at + WORD));

/** Describes two's complement: every byte before the value repeats its sign. */
const signed = (size: number): Shape =>
  word((bytes, at) => {
    const first = at + WORD - size;
    const sign = bytes[first]! >= 0x80 ? 0xff : 0;
    for (let index = at; index < first; index += 1) if (bytes[index] !== sign) return false;
    return true;
  });
