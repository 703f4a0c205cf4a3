import { ImageRefusal, type ImageFacts, type ImageFault } from './image.types.js';
import { requireSize } from './image-size.js';
import { readPngChunks, type PngChunk } from './png.chunks.js';
import type { InflateExactly, InflateFault } from './zlib.inflater.js';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const INDEXED = 3;
const LAST_FILTER = 4;
/** Adam7: first column and row of each pass, and its steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const INFLATE_FAULTS: Readonly<Record<InflateFault, ImageFault>> = {
  corrupt: 'png-data-corrupt',
  'too-long': 'png-data-too-long',
  'too-short': 'png-data-too-short',
  checksum: 'png-data-checksum',
  trailing: 'png-data-trailing',
};

interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly interlaced: boolean;
}

/** Scanlines of equal length, filter byte included. */
interface RowGroup {
  readonly rowBytes: number;
  readonly rows: number;
}

/** Reports whether the bytes begin with a PNG signature. */
export function hasPngSignature(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => bytes[index] === byte);
}

/**
 * Reads a PNG to its end: every CRC, the order of chunks, and the image data, which must inflate to exactly the
 * scanlines of its header, each with a valid filter.
 * @throws {ImageRefusal} at the first fault.
 */
export function readPng(bytes: Uint8Array, inflate: InflateExactly): ImageFacts {
  const chunks = readPngChunks(bytes);
  const header = readHeader(chunks[0]!);
  requireSize(header.width, header.height, chunks[0]!.offset + 8);
  checkPalette(header, chunks);
  const end = chunks[chunks.length - 1]!;
  if (end.data.length !== 0) throw new ImageRefusal('png-chunk-invalid', end.offset);
  checkData(
    header,
    chunks.filter(({ type }) => type === 'IDAT'),
    inflate,
  );
  return { mediaType: 'image/png', width: header.width, height: header.height, frames: 1 };
}

function readHeader({ data, offset }: PngChunk): PngHeader {
  if (data.length !== 13) throw new ImageRefusal('png-header-invalid', offset);
  const view = new DataView(data.buffer, data.byteOffset, 13);
  const [bitDepth, colorType, compression, filter, interlace] = [8, 9, 10, 11, 12].map((at) => view.getUint8(at)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (!DEPTHS[colorType]?.includes(bitDepth) || compression !== 0 || filter !== 0 || interlace > 1) {
    throw new ImageRefusal('png-header-invalid', offset + 8);
  }
  return { width: view.getUint32(0), height: view.getUint32(4), bitDepth, colorType, interlaced: interlace === 1 };
}

function checkPalette({ bitDepth, colorType }: PngHeader, chunks: readonly PngChunk[]): void {
  const palette = chunks.find(({ type }) => type === 'PLTE');
  const entries = (palette?.data.length ?? 0) / 3;
  if (palette === undefined) {
    if (colorType === INDEXED) throw new ImageRefusal('png-palette-invalid', chunks[0]!.offset);
  } else {
    const most = colorType === INDEXED ? 2 ** bitDepth : 256;
    const allowed = colorType !== 0 && colorType !== 4;
    if (!allowed || !Number.isInteger(entries) || entries < 1 || entries > most)
      throw new ImageRefusal('png-palette-invalid', palette.offset);
  }
  const transparency = chunks.find(({ type }) => type === 'tRNS');
  if (transparency === undefined) return;
  const { length } = transparency.data;
  const fits =
    colorType === 0
      ? length === 2
      : colorType === 2
        ? length === 6
        : colorType === INDEXED && length >= 1 && length <= entries;
  if (!fits) throw new ImageRefusal('png-chunk-invalid', transparency.offset);
}

function checkData(header: PngHeader, chunks: readonly PngChunk[], inflate: InflateExactly): void {
  const offset = chunks[0]!.offset;
  const stream = new Uint8Array(chunks.reduce((sum, { data }) => sum + data.length, 0));
  let at = 0;
  for (const { data } of chunks) {
    stream.set(data, at);
    at += data.length;
  }
  const groups = rowGroups(header);
  const expected = groups.reduce((sum, { rowBytes, rows }) => sum + rowBytes * rows, 0);
  const fault = inflate(stream, expected, filterChecker(groups, offset));
  if (fault !== null) throw new ImageRefusal(INFLATE_FAULTS[fault], offset);
}

function rowGroups({ width, height, bitDepth, colorType, interlaced }: PngHeader): RowGroup[] {
  const bitsPerPixel = bitDepth * SAMPLES[colorType]!;
  const passes = interlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  return passes.flatMap(([column, row, columnStep, rowStep]) => {
    const columns = Math.ceil((width - column) / columnStep);
    const rows = Math.ceil((height - row) / rowStep);
    return columns > 0 && rows > 0 ? [{ rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8), rows }] : [];
  });
}

/** Checks the first byte of every scanline in consecutive pieces. */
function filterChecker(groups: readonly RowGroup[], offset: number): (piece: Uint8Array) => void {
  let group = 0;
  let row = 0;
  let skip = 0;
  return (piece) => {
    let at = skip;
    while (at < piece.length) {
      if (piece[at]! > LAST_FILTER) throw new ImageRefusal('png-filter-invalid', offset);
      const { rowBytes, rows } = groups[group]!;
      at += rowBytes;
      row += 1;
      if (row === rows) {
        group += 1;
        row = 0;
      }
    }
    skip = at - piece.length;
  };
}
