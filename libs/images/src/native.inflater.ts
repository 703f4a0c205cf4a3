import { inflateSync, type ZlibOptions } from 'node:zlib';
import { inflateExactly, MAX_WINDOW, windowOf, type InflateExactly } from './zlib.inflater.js';

/** zlib's result with `info`, which includes the number of input bytes used. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

/** zlib's codes for a stream that it cannot read, and Node's for output beyond `maxOutputLength`. */
const REFUSALS: ReadonlySet<string | undefined> = new Set([
  'Z_DATA_ERROR',
  'Z_BUF_ERROR',
  'Z_NEED_DICT',
  'ERR_BUFFER_TOO_LARGE',
]);
/** The smallest chunk size that zlib accepts. */
const LEAST_CHUNK = 64;

/**
 * Inflates with Node's zlib, limited to `expectedLength` by `maxOutputLength`: several times as fast as
 * `inflateExactly`. It needs the memory of the whole output in one piece.
 *
 * zlib alone accepts a stream only if no distance can exceed the window that the header names, because it checks
 * distances against its own window of 32 KiB regardless of the header. It reports one fault of a stream that has
 * several, and returns none of the bytes before it. `inflateExactly` reads refused streams again, so that a refusal
 * names the same fault in Node and elsewhere.
 */
export const inflateNatively: InflateExactly = (stream, expectedLength, sink) => {
  const fits = windowOf(stream[0] ?? 0) >= Math.min(expectedLength, MAX_WINDOW);
  const output = fits ? inflated(stream, expectedLength) : null;
  if (output === null) return inflateExactly(stream, expectedLength, sink);
  sink(output);
  return null;
};

/** Returns the output if the stream is one complete zlib stream of exactly that length, otherwise null. */
function inflated(stream: Uint8Array, expectedLength: number): Uint8Array | null {
  const options = {
    info: true,
    maxOutputLength: Math.max(expectedLength, 1),
    chunkSize: Math.max(expectedLength + 1, LEAST_CHUNK),
  } satisfies ZlibOptions;
  try {
    const { buffer, engine } = inflateSync(stream, options) as unknown as Inflated;
    return buffer.length === expectedLength && engine.bytesWritten === stream.length ? buffer : null;
  } catch (error) {
    if (REFUSALS.has((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}
