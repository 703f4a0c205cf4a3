/**
 * Draws a reference project's image: a disc with a ring, 64 by 64, four colours. This file determines every byte: the data is
 * in one stored deflate block, so the version of a compressor has no effect.
 */
const SIDE = 64;
const BITS = 2;
const PALETTE = [
  [0x10, 0x14, 0x20],
  [0x2f, 0x6f, 0xed],
  [0xf4, 0xf6, 0xfb],
  [0xf2, 0xb1, 0x34],
];

const CRC_TABLE = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function adler32(bytes) {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

const uint32 = (value) => Buffer.from([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]);

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** Computes with integers only, so that every machine draws the same pixels. */
function colourAt(x, y) {
  const [dx, dy] = [2 * x - SIDE + 1, 2 * y - SIDE + 1];
  const distance = dx * dx + dy * dy;
  if (distance > 60 * 60) return 0;
  if (distance > 48 * 48) return 3;
  return Math.abs(dx) + Math.abs(dy) < 30 ? 2 : 1;
}

function scanlines() {
  const perByte = 8 / BITS;
  const rows = [];
  for (let y = 0; y < SIDE; y += 1) {
    const row = Buffer.alloc(1 + SIDE / perByte);
    for (let x = 0; x < SIDE; x += 1)
      row[1 + Math.floor(x / perByte)] |= colourAt(x, y) << (8 - BITS - BITS * (x % perByte));
    rows.push(row);
  }
  return Buffer.concat(rows);
}

function stored(data) {
  const length = Buffer.from([data.length & 0xff, data.length >>> 8, ~data.length & 0xff, (~data.length >>> 8) & 0xff]);
  return Buffer.concat([Buffer.from([0x78, 0x01, 0x01]), length, data, uint32(adler32(data))]);
}

/**
 * @param {number[][]} palette background, disc, diamond and ring, each red, green, blue
 * @returns {{bytes: Buffer, width: number, height: number, mediaType: 'image/png'}}
 */
export function referenceImage(palette = PALETTE) {
  const bytes = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([uint32(SIDE), uint32(SIDE), Buffer.from([BITS, 3, 0, 0, 0])])),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', stored(scanlines())),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { bytes, width: SIDE, height: SIDE, mediaType: 'image/png' };
}
