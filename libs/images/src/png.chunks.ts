import { crc32 } from './crc32.js';
import { ImageRefusal } from './image.types.js';

/** A chunk of a PNG with a valid length, type and CRC. `offset` is the position of its length field. */
export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
  readonly offset: number;
}

const SIGNATURE_BYTES = 8;
const ANIMATION = new Set(['acTL', 'fcTL', 'fdAT']);

/** Chunks that may occur only once, and the chunks that they must precede (PNG, third edition, 5.6). */
const BEFORE_PALETTE = new Set(['cHRM', 'cICP', 'gAMA', 'iCCP', 'mDCV', 'cLLI', 'sBIT', 'sRGB']);
const BEFORE_DATA = new Set([...BEFORE_PALETTE, 'PLTE', 'bKGD', 'eXIf', 'hIST', 'pHYs', 'sPLT', 'tRNS']);
const AFTER_PALETTE = new Set(['bKGD', 'hIST', 'tRNS']);
const ONCE = new Set([...BEFORE_DATA, 'IHDR', 'IEND', 'tIME']);
ONCE.delete('sPLT');
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

/**
 * Reads all chunks of a PNG and checks their order: IHDR first, IEND last without trailing bytes, IDATs together,
 * others in the positions that the standard requires. Refuses animation chunks and unknown critical chunks.
 */
export function readPngChunks(bytes: Uint8Array): PngChunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: PngChunk[] = [];
  let offset = SIGNATURE_BYTES;
  while (offset < bytes.length) {
    if (offset + 12 > bytes.length) throw new ImageRefusal('truncated', offset);
    const length = view.getUint32(offset);
    if (length > 0x7fffffff) throw new ImageRefusal('png-chunk-length', offset);
    const end = offset + 12 + length;
    if (end > bytes.length) throw new ImageRefusal('truncated', offset);
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    if (!/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(type)) throw new ImageRefusal('png-chunk-type', offset + 4);
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== view.getUint32(end - 4))
      throw new ImageRefusal('png-chunk-crc', end - 4);
    chunks.push({ type, data: bytes.subarray(offset + 8, end - 4), offset });
    offset = end;
    if (type === 'IEND') break;
  }
  if (chunks[chunks.length - 1]?.type !== 'IEND') throw new ImageRefusal('truncated', offset);
  if (offset !== bytes.length) throw new ImageRefusal('trailing-bytes', offset);
  requireOrder(chunks);
  return chunks;
}

function requireOrder(chunks: readonly PngChunk[]): void {
  const seen = new Set<string>();
  let previous = '';
  for (const { type, offset } of chunks) {
    if (ANIMATION.has(type)) throw new ImageRefusal('png-animated', offset);
    if (/^[A-Z]/.test(type) && !CRITICAL.has(type)) throw new ImageRefusal('png-chunk-unknown-critical', offset);
    if ((previous === '') !== (type === 'IHDR'))
      throw new ImageRefusal(previous === '' ? 'png-chunk-order' : 'png-chunk-duplicate', offset);
    if (ONCE.has(type) && seen.has(type)) throw new ImageRefusal('png-chunk-duplicate', offset);
    const misplaced =
      (BEFORE_PALETTE.has(type) && seen.has('PLTE')) ||
      (BEFORE_DATA.has(type) && seen.has('IDAT')) ||
      (type === 'PLTE' && [...AFTER_PALETTE].some((later) => seen.has(later))) ||
      (type === 'IDAT' && seen.has('IDAT') && previous !== 'IDAT');
    if (misplaced) throw new ImageRefusal('png-chunk-order', offset);
    seen.add(type);
    previous = type;
  }
  if (!seen.has('IDAT')) throw new ImageRefusal('png-data-missing', 0);
}
