import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { admitImage, inspectImage as inspectWith } from './image-admission.js';
import {
  PNG_SIGNATURE,
  concat,
  gif,
  gifFrame,
  lzw,
  png,
  pngChunk,
  pngHeader,
  pngScanlines,
  type PngParts,
} from './image-encoders.fixture.js';
import { IMAGE_LIMITS } from './image.types.js';
import { inflateNatively } from './native.inflater.js';
import { inflateExactly } from './zlib.inflater.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

/** Reads each case with both inflaters, which must give the same result. */
function inspectImage(bytes: Uint8Array): ReturnType<typeof inspectWith> {
  const inspection = inspectWith(bytes, inflateExactly);
  expect(inspectWith(bytes, inflateNatively)).toEqual(inspection);
  return inspection;
}
const outcome = (bytes: Uint8Array): string => {
  const result = inspectImage(bytes);
  return result.verdict === 'pass' ? 'pass' : result.findings.map(({ reason }) => reason).join(' ');
};
const deflated = (bytes: Uint8Array): Uint8Array => new Uint8Array(deflateSync(bytes));
const end = pngChunk('IEND');
const data = (parts: Partial<PngParts> = {}): Uint8Array => pngChunk('IDAT', deflated(pngScanlines(parts)));
const assembled = (...chunks: Uint8Array[]): Uint8Array => concat(PNG_SIGNATURE, ...chunks);
const changed = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[at < 0 ? copy.length + at : at] = value;
  return copy;
};

describe('A PNG', () => {
  const kinds = [
    [0, 1],
    [0, 2],
    [0, 4],
    [0, 8],
    [0, 16],
    [2, 8],
    [2, 16],
    [3, 1],
    [3, 2],
    [3, 4],
    [3, 8],
    [4, 8],
    [4, 16],
    [6, 8],
    [6, 16],
  ] as const;

  it.each(kinds.flatMap(([colorType, bitDepth]) => [0, 1].map((interlace) => ({ colorType, bitDepth, interlace }))))(
    'of colour type $colorType, depth $bitDepth and interlace $interlace passes only with exactly the data of its size',
    (parts) => {
      const size = { width: 37, height: 45 };
      expect(inspectImage(png({ ...parts, ...size }))).toEqual({
        verdict: 'pass',
        image: { mediaType: 'image/png', ...size, frames: 1 },
      });
      const short = deflated(pngScanlines({ ...parts, ...size }).slice(0, -1));
      expect(outcome(png({ ...parts, ...size }, { stream: short }))).toBe('png-data-too-short');
      const long = deflated(concat(pngScanlines({ ...parts, ...size }), Uint8Array.of(0)));
      expect(outcome(png({ ...parts, ...size }, { stream: long }))).toBe('png-data-too-long');
    },
  );

  it('passes with its data in many chunks, and with chunks around it', () => {
    const before = [
      pngChunk('gAMA', new Uint8Array(4)),
      pngChunk('PLTE', new Uint8Array(9)),
      pngChunk('tRNS', new Uint8Array(6)),
      pngChunk('pHYs', new Uint8Array(9)),
    ];
    const after = [pngChunk('tEXt', Uint8Array.of(65, 0, 66)), pngChunk('tIME', new Uint8Array(7)), pngChunk('prVt')];
    expect(outcome(png({}, { before, after, pieces: 7 }))).toBe('pass');
  });

  const good = png();
  it.each([
    ['the signature alone', PNG_SIGNATURE, 'truncated'],
    ['no end', good.slice(0, -12), 'truncated'],
    ['the last byte missing', good.slice(0, -1), 'truncated'],
    ['a byte after the end', concat(good, Uint8Array.of(0)), 'trailing-bytes'],
    ['a second picture after the end', concat(good, good), 'trailing-bytes'],
    ['a wrong CRC', changed(good, -1, 0), 'png-chunk-crc'],
    ['a byte of data changed under its CRC', changed(good, 50, good[50]! ^ 1), 'png-chunk-crc'],
    ['a chunk type that is not a name', assembled(pngHeader(), pngChunk('a1cd'), data(), end), 'png-chunk-type'],
    ['the reserved bit', assembled(pngHeader(), pngChunk('abcd'), data(), end), 'png-chunk-type'],
    ['a length beyond 2^31', assembled(changed(pngHeader(), 0, 0x80), data(), end), 'png-chunk-length'],
    ['a length beyond the file', assembled(changed(pngHeader(), 1, 1), data(), end), 'truncated'],
    ['no header', assembled(data(), end), 'png-chunk-order'],
    ['a header not first', assembled(pngChunk('tEXt'), pngHeader(), data(), end), 'png-chunk-order'],
    ['two headers', assembled(pngHeader(), pngHeader(), data(), end), 'png-chunk-duplicate'],
    [
      'two palettes',
      png({}, { before: [pngChunk('PLTE', new Uint8Array(3)), pngChunk('PLTE', new Uint8Array(3))] }),
      'png-chunk-duplicate',
    ],
    ['two gammas', png({}, { before: [pngChunk('gAMA'), pngChunk('gAMA')] }), 'png-chunk-duplicate'],
    ['data split by another chunk', assembled(pngHeader(), data(), pngChunk('tEXt'), data(), end), 'png-chunk-order'],
    ['a palette after the data', png({}, { after: [pngChunk('PLTE', new Uint8Array(3))] }), 'png-chunk-order'],
    [
      'transparency before the palette',
      png({}, { before: [pngChunk('tRNS', new Uint8Array(6)), pngChunk('PLTE', new Uint8Array(3))] }),
      'png-chunk-order',
    ],
    [
      'gamma after the palette',
      png({}, { before: [pngChunk('PLTE', new Uint8Array(3)), pngChunk('gAMA')] }),
      'png-chunk-order',
    ],
    ['an unknown critical chunk', png({}, { before: [pngChunk('NEWc')] }), 'png-chunk-unknown-critical'],
    ['an animation', png({}, { before: [pngChunk('acTL', new Uint8Array(8))] }), 'png-animated'],
    ['a frame of an animation', png({}, { after: [pngChunk('fdAT', new Uint8Array(8))] }), 'png-animated'],
    ['no data', assembled(pngHeader(), end), 'png-data-missing'],
    ['empty data', assembled(pngHeader(), pngChunk('IDAT'), end), 'png-data-corrupt'],
    ['data in the end chunk', assembled(pngHeader(), data(), pngChunk('IEND', Uint8Array.of(0))), 'png-chunk-invalid'],
    ['a short header', assembled(pngChunk('IHDR', new Uint8Array(12)), data(), end), 'png-header-invalid'],
    ['a depth its colour type lacks', png({ bitDepth: 4 }), 'png-header-invalid'],
    ['an unknown colour type', assembled(pngHeader({ colorType: 5 }), data(), end), 'png-header-invalid'],
    ['an unknown compression', png({ compression: 1 }), 'png-header-invalid'],
    ['an unknown filter method', png({ filter: 1 }), 'png-header-invalid'],
    ['an unknown interlace', assembled(pngHeader({ interlace: 2 }), data(), end), 'png-header-invalid'],
    ['indexed colour without a palette', png({ colorType: 3 }, { before: [] }), 'png-palette-invalid'],
    [
      'more colours than indexes',
      png({ colorType: 3, bitDepth: 1 }, { before: [pngChunk('PLTE', new Uint8Array(9))] }),
      'png-palette-invalid',
    ],
    [
      'a palette without whole triples',
      png({ colorType: 3 }, { before: [pngChunk('PLTE', new Uint8Array(4))] }),
      'png-palette-invalid',
    ],
    ['an empty palette', png({ colorType: 3 }, { before: [pngChunk('PLTE')] }), 'png-palette-invalid'],
    [
      'a palette for grey',
      png({ colorType: 0 }, { before: [pngChunk('PLTE', new Uint8Array(3))] }),
      'png-palette-invalid',
    ],
    [
      'transparency with an alpha channel',
      png({ colorType: 6 }, { before: [pngChunk('tRNS', new Uint8Array(2))] }),
      'png-chunk-invalid',
    ],
    ['filter 5', png({}, { stream: deflated(pngScanlines({}, (row) => (row === 31 ? 5 : 0))) }), 'png-filter-invalid'],
    ['a zlib checksum', png({}, { stream: changed(deflated(pngScanlines()), -1, 0) }), 'png-data-checksum'],
    [
      'bytes after the zlib stream',
      png({}, { stream: concat(deflated(pngScanlines()), Uint8Array.of(0)) }),
      'png-data-trailing',
    ],
    [
      'a distance beyond the window that its zlib header names',
      new Uint8Array(readFileSync(new URL('../testdata/window-too-small.png', import.meta.url))),
      'png-data-corrupt',
    ],
    ['31 pixels wide', png({ width: 31 }), 'side-out-of-range'],
    ['4097 pixels high', png({ height: 4097 }, { stream: new Uint8Array() }), 'side-out-of-range'],
    ['a size of 2^32 - 1', png({ width: 0xffffffff }, { stream: new Uint8Array() }), 'side-out-of-range'],
    ['more than 16 megapixels', png({ width: 4096, height: 4096 }, { stream: new Uint8Array() }), 'too-many-pixels'],
    ['a bomb after a small header', png({}, { stream: deflated(new Uint8Array(1 << 24)) }), 'png-data-too-long'],
  ])('refuses %s', (_name, bytes, fault) => expect(outcome(bytes)).toBe(fault));

  it('reads the largest permitted picture', () => {
    const parts = { width: 4096, height: 3906, colorType: 0, bitDepth: 1 };
    expect(outcome(png(parts, { stream: deflated(new Uint8Array(513 * 3906)) }))).toBe('pass');
  });
});

describe('The GIF reader', () => {
  const plain = gifFrame();
  const control = Uint8Array.of(0x21, 0xf9, 4, 0, 10, 0, 0, 0);
  const pixels = new Uint8Array(1024);

  it.each([
    ['one frame', gif(), 1],
    [
      'frames, loop, comment',
      gif([
        Uint8Array.of(0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0),
        control,
        plain,
        Uint8Array.of(0x21, 0xfe, 1, 65, 0),
        control,
        plain,
      ]),
      2,
    ],
    ['a smaller frame inside the screen', gif([gifFrame({ left: 31, top: 0, width: 1, height: 32 })]), 1],
    [
      'the empty byte that some encoders flush',
      gif([gifFrame({ data: concat(lzw(new Uint8Array(1024), 2), Uint8Array.of(0)) })]),
      1,
    ],
    [
      'its own colours, eight bits',
      gif([gifFrame({ localColors: 256, minimumCodeSize: 8 })], { globalColors: false }),
      1,
    ],
  ])('reads %s', (_name, bytes, frames) => {
    expect(inspectImage(bytes)).toEqual({
      verdict: 'pass',
      image: { mediaType: 'image/gif', width: 32, height: 32, frames },
    });
  });

  it('reads the output of an encoder for any picture and code size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.uint8Array({ minLength: 4096, maxLength: 4096 }),
        fc.integer({ min: 1, max: 40 }),
        (size, noise, run) => {
          const picture = new Uint8Array(64 * 256).map(
            (_, index) => noise[Math.floor(index / run) % noise.length]! % (1 << size),
          );
          const frame = gifFrame({
            width: 64,
            height: 256,
            localColors: 1 << size,
            minimumCodeSize: size,
            data: lzw(picture, size),
          });
          expect(outcome(gif([frame], { width: 64, height: 256 }))).toBe('pass');
          const taller = gifFrame({
            width: 64,
            height: 257,
            localColors: 1 << size,
            minimumCodeSize: size,
            data: lzw(picture, size),
          });
          expect(outcome(gif([taller], { width: 64, height: 257 }))).toBe('gif-data-too-short');
          const lower = gifFrame({
            width: 64,
            height: 255,
            localColors: 1 << size,
            minimumCodeSize: size,
            data: lzw(picture, size),
          });
          expect(outcome(gif([lower], { width: 64, height: 255 }))).toBe('gif-data-too-long');
        },
      ),
      { verbose: 1, numRuns: 30 * FUZZ_FACTOR },
    );
  });

  it.each([
    ['the header alone', gif().slice(0, 6), 'truncated'],
    ['no trailer', gif([plain], { tail: new Uint8Array() }), 'truncated'],
    ['a frame cut short', gif().slice(0, -20), 'truncated'],
    ['a byte after the trailer', concat(gif(), Uint8Array.of(0)), 'trailing-bytes'],
    ['an archive after the trailer', concat(gif(), Buffer.from('PK\x03\x04')), 'trailing-bytes'],
    ['no frames', gif([]), 'gif-frames-missing'],
    ['an unknown block', gif([Uint8Array.of(0x55)]), 'gif-block-unknown'],
    [
      'plain text that would be drawn',
      gif([Uint8Array.of(0x21, 0x01, 12, ...new Uint8Array(12), 0), plain]),
      'gif-extension-invalid',
    ],
    ['a short graphic control', gif([Uint8Array.of(0x21, 0xf9, 3, 0, 0, 0, 0), plain]), 'gif-extension-invalid'],
    [
      'a graphic control of two blocks',
      gif([Uint8Array.of(0x21, 0xf9, 4, 0, 0, 0, 0, 1, 0, 0), plain]),
      'gif-extension-invalid',
    ],
    ['an application without a name', gif([Uint8Array.of(0x21, 0xff, 3, 1, 0, 0, 0), plain]), 'gif-extension-invalid'],
    ['a frame beyond the screen', gif([gifFrame({ left: 1 })]), 'gif-frame-out-of-bounds'],
    ['a frame without height', gif([gifFrame({ height: 0, data: Uint8Array.of(0) })]), 'gif-frame-out-of-bounds'],
    ['no colours', gif([plain], { globalColors: false }), 'gif-palette-missing'],
    [
      'an index beyond the colours',
      gif([
        gifFrame({
          minimumCodeSize: 3,
          data: lzw(
            pixels.map(() => 4),
            3,
          ),
        }),
      ]),
      'gif-palette-index',
    ],
    ['a code size of 1', gif([gifFrame({ minimumCodeSize: 1, data: Uint8Array.of(0) })]), 'gif-code-size'],
    ['a code size of 9', gif([gifFrame({ minimumCodeSize: 9, data: Uint8Array.of(0) })]), 'gif-code-size'],
    ['a code that is not made yet', gif([gifFrame({ data: Uint8Array.of(0b111_100, 0xff) })]), 'gif-code-invalid'],
    ['no end code', gif([gifFrame({ data: lzw(pixels, 2).slice(0, -1) })]), 'gif-data-too-short'],
    ['no data', gif([gifFrame({ data: new Uint8Array() })]), 'gif-data-too-short'],
    [
      'a byte after the end code',
      gif([gifFrame({ data: concat(lzw(pixels, 2), Uint8Array.of(1)) })]),
      'gif-data-trailing',
    ],
    [
      'two empty bytes after the end code',
      gif([gifFrame({ data: concat(lzw(pixels, 2), Uint8Array.of(0, 0)) })]),
      'gif-data-trailing',
    ],
    ['a pixel too many', gif([gifFrame({ data: lzw(new Uint8Array(1025), 2) })]), 'gif-data-too-long'],
    ['201 frames', gif(Array<Uint8Array>(201).fill(plain)), 'gif-too-many-frames'],
    ['a screen of 31 pixels', gif([plain], { width: 31 }), 'side-out-of-range'],
    ['a screen beyond 16 megapixels', gif([plain], { width: 4096, height: 4096 }), 'too-many-pixels'],
  ])('refuses %s', (_name, bytes, fault) => expect(outcome(bytes)).toBe(fault));

  it('accepts 200 frames', () => expect(outcome(gif(Array<Uint8Array>(200).fill(plain)))).toBe('pass'));

  it('refuses small data that announces 64 megapixels of frames', () => {
    const size = { width: 1000, height: 1000 };
    const frame = gifFrame({ ...size, data: lzw(new Uint8Array(1_000_000), 2) });
    expect(outcome(gif(Array<Uint8Array>(64).fill(frame), size))).toBe('pass');
    expect(outcome(gif(Array<Uint8Array>(65).fill(frame), size))).toBe('gif-too-many-pixels');
  });
});

describe('Bytes of any kind', () => {
  it.each([
    ['nothing', new Uint8Array(), 'type-unsupported'],
    ['a JPEG', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'type-unsupported'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'type-unsupported'],
    ['GIF88a', Buffer.from('GIF88a'), 'type-unsupported'],
    ['more than 2 MiB', concat(PNG_SIGNATURE, new Uint8Array(IMAGE_LIMITS.bytes)), 'too-large'],
  ])('fail with their own fault for %s', (_name, bytes, fault) => expect(outcome(bytes)).toBe(fault));

  it('are refused after any cut, and never crash the reader when damaged', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(png({ interlace: 1, colorType: 6 }), png({ colorType: 3 }), gif([gifFrame(), gifFrame()])),
        fc.nat(),
        fc.nat(7),
        (image, at, bit) => {
          expect(inspectImage(image.slice(0, at % image.length)).verdict).toBe('fail');
          const flipped = changed(image, at % image.length, image[at % image.length]! ^ (1 << bit));
          expect(['pass', 'fail']).toContain(inspectImage(flipped).verdict);
          if (image[0] === 0x89) expect(inspectImage(flipped).verdict).toBe('fail');
        },
      ),
      { verbose: 1, numRuns: 1000 * FUZZ_FACTOR },
    );
  });
});

describe.each([
  ['JavaScript', inflateExactly],
  ["Node's zlib", inflateNatively],
])('The admission of an image with the %s inflater', (_name, inflate) => {
  const bytes = png({ width: 40, height: 50 });
  const declared = {
    mediaType: 'image/png',
    width: 40,
    height: 50,
    byteLength: bytes.length,
    sha256: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  };

  it('passes a correct declaration', () => {
    expect(admitImage(bytes, declared, inflate)).toEqual({
      verdict: 'pass',
      image: { mediaType: 'image/png', width: 40, height: 50, frames: 1 },
    });
  });

  it.each([
    ['mediaType', 'image/gif'],
    ['width', 41],
    ['height', 49],
    ['byteLength', bytes.length + 1],
    ['sha256', `sha256:${'0'.repeat(64)}`],
  ])('reports another %s', (field, value) => {
    const actual = { ...declared }[field as keyof typeof declared];
    expect(admitImage(bytes, { ...declared, [field]: value }, inflate)).toEqual({
      verdict: 'fail',
      findings: [{ code: 'IMAGE_MISMATCH', reason: field, expected: String(actual), actual: String(value) }],
    });
  });

  it('reports faults of the bytes before the declaration', () => {
    expect(admitImage(bytes.slice(0, -1), declared, inflate)).toMatchObject({
      findings: [{ code: 'IMAGE_INVALID', reason: 'truncated' }],
    });
  });
});
