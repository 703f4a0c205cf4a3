/** The reason why a zlib stream is refused. */
export type InflateFault = 'corrupt' | 'too-long' | 'too-short' | 'checksum' | 'trailing';

/**
 * Inflates one complete zlib stream (RFC 1950, 1951) that must yield exactly `expectedLength` bytes. Passes them to
 * `sink` in pieces that are valid only during the call.
 *
 * @returns `null`, or why the stream is refused: corrupt, longer or shorter than expected, with a wrong checksum, or
 * followed by more bytes.
 */
export type InflateExactly = (
  stream: Uint8Array,
  expectedLength: number,
  sink: (piece: Uint8Array) => void,
) => InflateFault | null;

const MAX_CODE_BITS = 15;
/** The largest window that a header can name. */
export const MAX_WINDOW = 32_768;
/** The size of each piece of output, which makes memory independent of the stream's length. */
const PIECE = 65_536;

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const DISTANCE_EXTRA = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Returns how many bytes distances may reach back according to the first byte of a zlib stream (RFC 1950, 2.2). */
export const windowOf = (method: number): number => 1 << ((method >> 4) + 8);

class Fault extends Error {
  constructor(readonly fault: InflateFault) {
    super(fault);
  }
}

/**
 * Inflates in pure JavaScript. Work is bounded by the input's bits plus `expectedLength`, and memory is constant. Codes
 * are read bit by bit with the counts of their lengths, so a stream of a thousand hostile tables costs no more than any
 * other.
 */
export const inflateExactly: InflateExactly = (stream, expectedLength, sink) => {
  try {
    new Inflater(stream, expectedLength, sink).run();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
};

/** A canonical Huffman code: the number of codes of each length, and the symbols in code order. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

class Inflater {
  private at = 0;
  private bits = 0;
  private bitCount = 0;
  private readonly buffer = new Uint8Array(MAX_WINDOW + PIECE);
  private end = 0;
  private start = 0;
  private total = 0;
  private adlerLow = 1;
  private adlerHigh = 0;
  private window = MAX_WINDOW;

  constructor(
    private readonly stream: Uint8Array,
    private readonly expectedLength: number,
    private readonly sink: (piece: Uint8Array) => void,
  ) {}

  run(): void {
    const method = this.byte();
    const flags = this.byte();
    if ((method & 15) !== 8 || method >> 4 > 7 || (flags & 0x20) !== 0 || ((method << 8) | flags) % 31 !== 0)
      throw new Fault('corrupt');
    this.window = windowOf(method);
    let last = false;
    while (!last) {
      last = this.take(1) === 1;
      const type = this.take(2);
      if (type === 0) this.stored();
      else if (type === 1) this.compressed(FIXED_LITERALS, FIXED_DISTANCES);
      else if (type === 2) this.dynamic();
      else throw new Fault('corrupt');
    }
    this.bitCount = 0;
    this.flush();
    if (this.total !== this.expectedLength) throw new Fault('too-short');
    const checksum = ((this.byte() << 24) | (this.byte() << 16) | (this.byte() << 8) | this.byte()) >>> 0;
    if (checksum !== ((this.adlerHigh << 16) | this.adlerLow) >>> 0) throw new Fault('checksum');
    if (this.at !== this.stream.length) throw new Fault('trailing');
  }

  private byte(): number {
    const value = this.stream[this.at];
    if (value === undefined) throw new Fault('corrupt');
    this.at += 1;
    return value;
  }

  private take(count: number): number {
    while (this.bitCount < count) {
      this.bits |= this.byte() << this.bitCount;
      this.bitCount += 8;
    }
    const value = this.bits & ((1 << count) - 1);
    this.bits >>>= count;
    this.bitCount -= count;
    return value;
  }

  private symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
      if (this.bitCount === 0) {
        this.bits = this.byte();
        this.bitCount = 8;
      }
      code |= this.bits & 1;
      this.bits >>>= 1;
      this.bitCount -= 1;
      const count = counts[length]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Fault('corrupt');
  }

  private stored(): void {
    this.bits = 0;
    this.bitCount = 0;
    const length = this.byte() | (this.byte() << 8);
    const complement = this.byte() | (this.byte() << 8);
    if ((length ^ complement) !== 0xffff || this.at + length > this.stream.length) throw new Fault('corrupt');
    this.reserve(length);
    this.buffer.set(this.stream.subarray(this.at, this.at + length), this.end);
    this.end += length;
    this.at += length;
  }

  private dynamic(): void {
    const literals = this.take(5) + 257;
    const distances = this.take(5) + 1;
    const lengthCodes = this.take(4) + 4;
    if (literals > 286 || distances > 30) throw new Fault('corrupt');
    const lengths = new Uint8Array(19);
    for (let index = 0; index < lengthCodes; index += 1) lengths[CODE_LENGTH_ORDER[index]!] = this.take(3);
    const lengthCode = codeOf(lengths, 'complete');
    const all = new Uint8Array(literals + distances);
    for (let index = 0; index < all.length;) {
      const symbol = this.symbol(lengthCode);
      if (symbol < 16) {
        all[index] = symbol;
        index += 1;
        continue;
      }
      if (symbol === 16 && index === 0) throw new Fault('corrupt');
      const value = symbol === 16 ? all[index - 1]! : 0;
      const repeat = symbol === 16 ? 3 + this.take(2) : symbol === 17 ? 3 + this.take(3) : 11 + this.take(7);
      if (index + repeat > all.length) throw new Fault('corrupt');
      all.fill(value, index, index + repeat);
      index += repeat;
    }
    if (all[256] === 0) throw new Fault('corrupt');
    this.compressed(
      codeOf(all.subarray(0, literals), 'single-allowed'),
      codeOf(all.subarray(literals), 'single-allowed'),
    );
  }

  private compressed(literals: Code, distances: Code): void {
    for (;;) {
      const symbol = this.symbol(literals);
      if (symbol < 256) {
        this.reserve(1);
        this.buffer[this.end] = symbol;
        this.end += 1;
      } else if (symbol === 256) return;
      else this.copy(symbol - 257, distances);
    }
  }

  private copy(lengthSymbol: number, distances: Code): void {
    if (lengthSymbol >= LENGTH_BASE.length) throw new Fault('corrupt');
    const length = LENGTH_BASE[lengthSymbol]! + this.take(LENGTH_EXTRA[lengthSymbol]!);
    const symbol = this.symbol(distances);
    if (symbol >= DISTANCE_BASE.length) throw new Fault('corrupt');
    const distance = DISTANCE_BASE[symbol]! + this.take(DISTANCE_EXTRA[symbol]!);
    this.reserve(length);
    if (distance > this.end || distance > this.window) throw new Fault('corrupt');
    const { buffer } = this;
    if (distance === 1) buffer.fill(buffer[this.end - 1]!, this.end, this.end + length);
    else for (let index = this.end; index < this.end + length; index += 1) buffer[index] = buffer[index - distance]!;
    this.end += length;
  }

  /** Reserves room for `length` more bytes, at most one stored block, and counts them against the expected length. */
  private reserve(length: number): void {
    if (this.total + (this.end - this.start) + length > this.expectedLength) throw new Fault('too-long');
    if (this.end + length <= this.buffer.length) return;
    this.flush();
    const kept = Math.min(this.end, MAX_WINDOW);
    this.buffer.copyWithin(0, this.end - kept, this.end);
    this.start = kept;
    this.end = kept;
  }

  private flush(): void {
    const piece = this.buffer.subarray(this.start, this.end);
    this.start = this.end;
    this.total += piece.length;
    this.addToChecksum(piece);
    this.sink(piece);
  }

  /** Adds to the Adler-32 checksum in runs short enough for exact sums. */
  private addToChecksum(piece: Uint8Array): void {
    let low = this.adlerLow;
    let high = this.adlerHigh;
    for (let from = 0; from < piece.length; from += 5552) {
      const to = Math.min(from + 5552, piece.length);
      for (let index = from; index < to; index += 1) {
        low += piece[index]!;
        high += low;
      }
      low %= 65_521;
      high %= 65_521;
    }
    this.adlerLow = low;
    this.adlerHigh = high;
  }
}

/**
 * Builds a code from its lengths. Refuses over-subscribed sets, and incomplete ones except a literal or distance code
 * of a single one-bit code or of none, as RFC 1951 (3.2.7) allows.
 */
function codeOf(lengths: Uint8Array, rule: 'complete' | 'single-allowed'): Code {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (const length of lengths) counts[length]! += 1;
  const used = lengths.length - counts[0]!;
  counts[0] = 0;
  let left = 1;
  for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
    left = left * 2 - counts[length]!;
    if (left < 0) throw new Fault('corrupt');
  }
  const single = rule === 'single-allowed' && (used === 0 || (used === 1 && counts[1] === 1));
  if (left > 0 && !single) throw new Fault('corrupt');
  const offsets = new Uint16Array(MAX_CODE_BITS + 2);
  for (let length = 1; length <= MAX_CODE_BITS; length += 1) offsets[length + 1] = offsets[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    symbols[offsets[length]!] = symbol;
    offsets[length]! += 1;
  });
  return { counts, symbols };
}

const FIXED_LITERALS = codeOf(
  new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280),
  'complete',
);
const FIXED_DISTANCES = codeOf(new Uint8Array(32).fill(5), 'complete');
