import { inflateSync, type ZlibOptions } from 'node:zlib';
import { inflateExactly, MAX_WINDOW, windowOf, type InflateExactly } from './zlib.inflater.js';

/** What zlib gives when it is asked how much of its input it used. */
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
/** zlib takes no smaller piece of memory. */
const LEAST_CHUNK = 64;

/**
 * Node's own zlib, held to `expectedLength` by `maxOutputLength`: several times as fast as `inflateExactly`. It needs
 * the memory of the whole output, in one piece.
 *
 * zlib only accepts here, and only where no distance can exceed the window that the header names: it holds distances to
 * its own window of 32 KiB, regardless of the declared one. It tells one fault of a stream that has several, and gives none of the bytes it read before.
 * `inflateExactly` reads again what it refuses, so that a refusal names the same fault in Node and elsewhere.
 */
export const inflateNatively: InflateExactly = (stream, expectedLength, sink) => {
  const fits = windowOf(stream[0] ?? 0) >= Math.min(expectedLength, MAX_WINDOW);
  const output = fits ? inflated(stream, expectedLength) : null;
  if (output === null) return inflateExactly(stream, expectedLength, sink);
  sink(output);
  return null;
};

/** Returns the output of one whole zlib stream of exactly that length, and null for any other input. */
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
