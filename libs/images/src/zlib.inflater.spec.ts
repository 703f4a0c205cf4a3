import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inflateNatively } from './native.inflater.js';
import { inflateExactly, windowOf, type InflateExactly } from './zlib.inflater.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

function inflateWith(inflater: InflateExactly, stream: Uint8Array, expectedLength: number): string | Buffer {
  const pieces: Buffer[] = [];
  const fault = inflater(stream, expectedLength, (piece) => pieces.push(Buffer.from(piece)));
  return fault ?? Buffer.concat(pieces);
}

/** Returns the common result of both inflaters. */
function inflate(stream: Uint8Array, expectedLength: number): string | Buffer {
  const ours = inflateWith(inflateExactly, stream, expectedLength);
  expect(inflateWith(inflateNatively, stream, expectedLength)).toEqual(ours);
  return ours;
}

/** Returns zlib's own verdict, with every byte used. */
function reference(stream: Uint8Array): Buffer | null {
  try {
    const { buffer, engine } = inflateSync(stream, { info: true, maxOutputLength: 1 << 20 } as never) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === stream.length ? buffer : null;
  } catch {
    return null;
  }
}

const compressible = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 400 })), { maxLength: 8 })
  .map((parts) => Buffer.concat(parts.flatMap(([bytes, times]) => Array<Uint8Array>(times).fill(bytes))));
const small = fc
  .tuple(fc.uint8Array({ maxLength: 200 }), fc.nat(60))
  .map(([bytes, zeros]) => Buffer.concat([bytes, Buffer.alloc(zeros), bytes]));
const strategies = fc.constantFrom(
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FIXED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
  constants.Z_FILTERED,
);

describe('Both inflaters', () => {
  it('inflate every output of zlib', () => {
    fc.assert(
      fc.property(compressible, strategies, fc.integer({ min: 0, max: 9 }), (data, strategy, level) => {
        expect(inflate(deflateSync(data, { strategy, level }), data.length)).toEqual(data);
      }),
      { verbose: 1, numRuns: 100 * FUZZ_FACTOR },
    );
  });

  // zlib releases a refused stream only when the event loop turns.
  it('agree with zlib on damaged streams', async () => {
    await fc.assert(
      fc.asyncProperty(
        small,
        strategies,
        fc.array(fc.tuple(fc.nat(), fc.nat(7)), { minLength: 1, maxLength: 3 }),
        async (data, strategy, flips) => {
          await nextTurn();
          const stream = deflateSync(data, { strategy });
          for (const [at, bit] of flips) stream[at % stream.length]! ^= 1 << bit;
          const expected = reference(stream);
          const actual = inflate(stream, expected?.length ?? 1 << 20);
          // zlib does not check distances against a smaller window that a damaged header names.
          const mayReachTooFar = expected !== null && expected.length > windowOf(stream[0]!);
          if (expected === null || (mayReachTooFar && actual === 'corrupt')) expect(typeof actual).toBe('string');
          else {
            expect(actual).toEqual(expected);
            expect(inflate(stream, expected.length + 1)).toBe('too-short');
            if (expected.length > 0) expect(inflate(stream, expected.length - 1)).toBe('too-long');
          }
        },
      ),
      { verbose: 1, numRuns: 1000 * FUZZ_FACTOR },
    );
  });

  it('agree with zlib on random tables', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 4, maxLength: 120 }), async (body) => {
        await nextTurn();
        body[0] = (body[0]! & 0xf8) | 0b101;
        const stream = Uint8Array.of(0x78, 0x9c, ...body);
        if (reference(stream) === null) expect(typeof inflate(stream, 1 << 20)).toBe('string');
      }),
      { verbose: 1, numRuns: 700 * FUZZ_FACTOR },
    );
  });

  const noise = Buffer.concat([1, 2, 3, 4, 5].map((seed) => createHash('sha512').update(String(seed)).digest()));
  /** Returns 900 bytes that repeat after `distance`, in a stream whose header names a window of that many bytes. */
  const repeating = (distance: number, window: number): Buffer => {
    const stream = deflateSync(Buffer.from(Array.from({ length: 900 }, (_, index) => noise[index % distance]!)));
    stream[0] = ((Math.log2(window) - 8) << 4) | 8;
    stream[1] = 31 - ((stream[0] << 8) % 31);
    return stream;
  };

  it('reject each distance beyond the window that the header names', () => {
    expect(inflate(repeating(300, 256), 900)).toBe('corrupt');
    expect(inflate(repeating(257, 256), 900)).toBe('corrupt');
    expect(inflate(repeating(256, 256), 900)).toHaveLength(900);
    for (const window of [512, 1_024, 16_384, 32_768])
      expect(inflate(repeating(300, window), 900)).toEqual(inflate(repeating(300, 32_768), 900));
  });

  const hello = deflateSync(Buffer.from('hello hello hello hello'));
  it.each([
    ['nothing', new Uint8Array(), 0, 'corrupt'],
    ['one byte more than expected', hello, 22, 'too-long'],
    ['one byte less than expected', hello, 24, 'too-short'],
    ['a cut checksum', hello.subarray(0, -1), 23, 'corrupt'],
    ['a wrong checksum', Buffer.concat([hello.subarray(0, -1), Buffer.of(0)]), 23, 'checksum'],
    ['bytes after the checksum', Buffer.concat([hello, Buffer.of(0)]), 23, 'trailing'],
    [
      'bytes between data and checksum',
      Buffer.concat([hello.subarray(0, -4), Buffer.of(0), hello.subarray(-4)]),
      23,
      'checksum',
    ],
    ['a preset dictionary', deflateSync(Buffer.from('abc'), { dictionary: Buffer.from('abc') }), 3, 'corrupt'],
    ['the reserved block type', Uint8Array.of(0x78, 0x9c, 0x07, 0, 0, 0, 0), 0, 'corrupt'],
    ['a bomb', deflateSync(Buffer.alloc(1 << 24)), 100, 'too-long'],
  ])('report the fault of %s', (_name, stream, expectedLength, fault) =>
    expect(inflate(stream, expectedLength)).toBe(fault),
  );
});

describe('A long stream', () => {
  it('is emitted in bounded pieces by the JavaScript inflater', () => {
    let largest = 0;
    let total = 0;
    const fault = inflateExactly(deflateSync(Buffer.alloc(10_000_000, 'abc')), 10_000_000, (piece) => {
      largest = Math.max(largest, piece.length);
      total += piece.length;
    });
    expect([fault, total]).toEqual([null, 10_000_000]);
    expect(largest).toBeLessThanOrEqual(32_768 + 65_536);
  });

  it('is emitted whole by the zlib inflater, which reads all of it first', () => {
    const stream = deflateSync(Buffer.alloc(10_000_000, 'abc'));
    const lengths: number[] = [];
    expect(inflateNatively(stream, 10_000_000, (piece) => lengths.push(piece.length))).toBeNull();
    expect(lengths).toEqual([10_000_000]);
  });

  it('yields the same bytes from both inflaters before a fault at its end', () => {
    const stream = deflateSync(Buffer.alloc(10_000_000, 'abc'));
    stream[stream.length - 1]! ^= 1;
    const lengthsBy = (inflater: InflateExactly): number[] => {
      const lengths: number[] = [];
      expect(inflater(stream, 10_000_000, (piece) => lengths.push(piece.length))).toBe('checksum');
      return lengths;
    };
    expect(lengthsBy(inflateNatively)).toEqual(lengthsBy(inflateExactly));
  });
});
