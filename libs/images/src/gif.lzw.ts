import { ImageRefusal } from './image.types.js';

const MAX_CODES = 4096;
const MAX_CODE_BITS = 12;

/**
 * Decodes one frame's LZW data to its end: exactly `pixels` pixels, every index inside the colour table, and an end
 * code. Only the one empty byte that some encoders flush may follow.
 *
 * Counts pixels and never writes them: a dictionary entry is only its length, so the cost of a frame of any size is
 * that of its codes.
 *
 * @param blocks the data of the frame's sub-blocks, in order; @param offset where they start, for a refusal.
 */
export function checkLzw(
  blocks: readonly Uint8Array[],
  minimumCodeSize: number,
  pixels: number,
  colors: number,
  offset: number,
): void {
  const clear = 1 << minimumCodeSize;
  const end = clear + 1;
  const lengths = new Uint32Array(MAX_CODES).fill(1, 0, clear);
  let next = end + 1;
  let codeBits = minimumCodeSize + 1;
  let previous = -1;
  let seen = 0;
  let bits = 0;
  let bitCount = 0;
  let ended = false;
  let flushed = false;

  for (const block of blocks) {
    for (const byte of block) {
      if (ended) {
        if (byte !== 0 || flushed) throw new ImageRefusal('gif-data-trailing', offset);
        flushed = true;
        continue;
      }
      bits |= byte << bitCount;
      bitCount += 8;
      while (bitCount >= codeBits && !ended) {
        const code = bits & ((1 << codeBits) - 1);
        bits >>>= codeBits;
        bitCount -= codeBits;
        if (code === clear) {
          next = end + 1;
          codeBits = minimumCodeSize + 1;
          previous = -1;
          continue;
        }
        if (code === end) {
          ended = true;
          continue;
        }
        if (code < clear && code >= colors) throw new ImageRefusal('gif-palette-index', offset);
        const known = code < clear || (code > end && code < next);
        const repeats = code === next && next < MAX_CODES && previous >= 0;
        if (!known && !repeats) throw new ImageRefusal('gif-code-invalid', offset);
        if (previous >= 0 && next < MAX_CODES) {
          lengths[next] = lengths[previous]! + 1;
          next += 1;
          if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
        }
        seen += lengths[code]!;
        if (seen > pixels) throw new ImageRefusal('gif-data-too-long', offset);
        previous = code;
      }
    }
  }
  if (!ended || seen < pixels) throw new ImageRefusal('gif-data-too-short', offset);
}
