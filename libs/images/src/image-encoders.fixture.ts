import { zlibSync } from 'fflate';
import { crc32 } from './crc32.js';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** Encodes one PNG chunk with a correct CRC. */
export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const body = concat(ascii(type), data);
  const framed = new Uint8Array(body.length + 8);
  const view = new DataView(framed.buffer);
  view.setUint32(0, data.length);
  framed.set(body, 4);
  view.setUint32(framed.length - 4, crc32(body));
  return framed;
}

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export interface PngParts {
  width: number;
  height: number;
  bitDepth: number;
  colorType: number;
  interlace: number;
  compression: number;
  filter: number;
}

export const PNG_DEFAULTS: PngParts = {
  width: 32,
  height: 32,
  bitDepth: 8,
  colorType: 2,
  interlace: 0,
  compression: 0,
  filter: 0,
};

export function pngHeader(parts: Partial<PngParts> = {}): Uint8Array {
  const { width, height, bitDepth, colorType, interlace, compression, filter } = { ...PNG_DEFAULTS, ...parts };
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data.set([bitDepth, colorType, compression, filter, interlace], 8);
  return pngChunk('IHDR', data);
}

/** Returns the scanlines of a picture, from the sizes of its passes computed pixel by pixel. */
export function pngScanlines(parts: Partial<PngParts> = {}, filterOf = (row: number): number => row % 5): Uint8Array {
  const { width, height, bitDepth, colorType, interlace } = { ...PNG_DEFAULTS, ...parts };
  const bits = bitDepth * [1, 0, 3, 1, 2, 0, 4][colorType]!;
  const rowsOfPass = new Map<number, Map<number, number>>();
  const pattern = ['16462646', '77777777', '56565656', '77777777', '36463646', '77777777', '56565656', '77777777'];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pass = interlace === 0 ? 0 : Number(pattern[y % 8]![x % 8]);
      const rows = rowsOfPass.get(pass) ?? new Map<number, number>();
      rows.set(y, (rows.get(y) ?? 0) + 1);
      rowsOfPass.set(pass, rows);
    }
  }
  let row = 0;
  const lines = [...rowsOfPass.keys()].sort().flatMap((pass) =>
    [...rowsOfPass.get(pass)!.values()].map((columns) => {
      const line = new Uint8Array(1 + Math.ceil((columns * bits) / 8)).map((_, index) => (index * 7 + row) & 0xff);
      line[0] = filterOf(row);
      row += 1;
      return line;
    }),
  );
  return concat(...lines);
}

/** Encodes a complete valid PNG with its data in `pieces` IDAT chunks, and further chunks before and after the data. */
export function png(
  parts: Partial<PngParts> = {},
  extra: { before?: Uint8Array[]; after?: Uint8Array[]; pieces?: number; stream?: Uint8Array } = {},
): Uint8Array {
  const stream = extra.stream ?? zlibSync(pngScanlines(parts));
  const size = Math.ceil(stream.length / (extra.pieces ?? 1));
  const data = Array.from({ length: extra.pieces ?? 1 }, (_, index) =>
    pngChunk('IDAT', stream.slice(index * size, (index + 1) * size)),
  );
  const palette =
    { ...PNG_DEFAULTS, ...parts }.colorType === 3 && extra.before === undefined
      ? [pngChunk('PLTE', new Uint8Array(6))]
      : [];
  return concat(
    PNG_SIGNATURE,
    pngHeader(parts),
    ...palette,
    ...(extra.before ?? []),
    ...data,
    ...(extra.after ?? []),
    pngChunk('IEND'),
  );
}

/** Encodes a picture with GIF's LZW: growing codes, and a clear code when the dictionary is full. */
export function lzw(pixels: Uint8Array, minimumCodeSize: number): Uint8Array {
  const clear = 1 << minimumCodeSize;
  const bytes: number[] = [];
  let bits = 0;
  let bitCount = 0;
  let codeBits = minimumCodeSize + 1;
  let dictionary = new Map<number, number>();
  let next = clear + 2;
  const put = (code: number): void => {
    bits |= code << bitCount;
    bitCount += codeBits;
    for (; bitCount >= 8; bitCount -= 8, bits >>>= 8) bytes.push(bits & 0xff);
  };
  put(clear);
  let prefixCode = -1;
  for (const pixel of pixels) {
    const longer = prefixCode * 256 + pixel;
    const known = prefixCode < 0 ? pixel : dictionary.get(longer);
    if (known !== undefined) {
      prefixCode = known;
      continue;
    }
    put(prefixCode);
    if (next < 4096) {
      dictionary.set(longer, next);
      if (next === 1 << codeBits && codeBits < 12) codeBits += 1;
      next += 1;
    } else {
      put(clear);
      dictionary = new Map();
      next = clear + 2;
      codeBits = minimumCodeSize + 1;
    }
    prefixCode = pixel;
  }
  put(prefixCode);
  if (next === 1 << codeBits && codeBits < 12) codeBits += 1;
  put(clear + 1);
  if (bitCount > 0) bytes.push(bits & 0xff);
  return Uint8Array.from(bytes);
}

export function subBlocks(data: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Uint8Array.of(block.length), block);
  }
  return concat(...blocks, Uint8Array.of(0));
}

const word = (value: number): number[] => [value & 0xff, value >> 8];

export interface GifFrame {
  left?: number;
  top?: number;
  width?: number;
  height?: number;
  localColors?: number;
  minimumCodeSize?: number;
  data?: Uint8Array;
}

export function gifFrame(frame: GifFrame = {}): Uint8Array {
  const { left = 0, top = 0, width = 32, height = 32, localColors = 0, minimumCodeSize = 2 } = frame;
  const data =
    frame.data ??
    lzw(
      new Uint8Array(width * height).map((_, index) => (index * index) % 4),
      minimumCodeSize,
    );
  const table = new Uint8Array(3 * localColors);
  const flags = localColors === 0 ? 0 : 0x80 | (Math.log2(localColors) - 1);
  return concat(
    Uint8Array.of(0x2c, ...word(left), ...word(top), ...word(width), ...word(height), flags),
    table,
    Uint8Array.of(minimumCodeSize),
    subBlocks(data),
  );
}

/** Encodes a complete GIF with a global table of four colours. */
export function gif(
  frames: readonly Uint8Array[] = [gifFrame()],
  options: { width?: number; height?: number; globalColors?: boolean; tail?: Uint8Array } = {},
): Uint8Array {
  const { width = 32, height = 32, globalColors = true, tail = Uint8Array.of(0x3b) } = options;
  return concat(
    ascii('GIF89a'),
    Uint8Array.of(...word(width), ...word(height), globalColors ? 0x81 : 0, 0, 0),
    new Uint8Array(globalColors ? 12 : 0),
    ...frames,
    tail,
  );
}
