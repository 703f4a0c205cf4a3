import { checkLzw } from './gif.lzw.js';
import { IMAGE_LIMITS, ImageRefusal, type ImageFacts } from './image.types.js';
import { requireSize } from './image-size.js';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** The length of the first block of each accepted extension: graphic control, comment (any length), application. */
const EXTENSION_FIRST_BLOCK: ReadonlyMap<number, number | null> = new Map([
  [0xf9, 4],
  [0xfe, null],
  [0xff, 11],
]);

/** Reports whether the bytes begin with a GIF signature. */
export function hasGifSignature(bytes: Uint8Array): boolean {
  return /^GIF8[79]a$/.test(String.fromCharCode(...bytes.subarray(0, 6)));
}

/**
 * Reads a GIF to its trailer, which must be its last byte, and decodes every frame. Frames must lie inside the logical
 * screen. Refuses plain text extensions, which draw.
 * @throws {ImageRefusal} at the first fault.
 */
export function readGif(bytes: Uint8Array): ImageFacts {
  return new GifReader(bytes).read();
}

class GifReader {
  private at = 6;
  private frames = 0;
  private framePixels = 0;

  constructor(private readonly bytes: Uint8Array) {}

  read(): ImageFacts {
    const width = this.word();
    const height = this.word();
    requireSize(width, height, 6);
    const flags = this.byte();
    this.skip(2);
    const globalColors = this.colorTable(flags);
    for (;;) {
      const at = this.at;
      const block = this.byte();
      if (block === TRAILER) break;
      if (block === EXTENSION) this.extension();
      else if (block === IMAGE) this.frame(width, height, globalColors);
      else throw new ImageRefusal('gif-block-unknown', at);
    }
    if (this.at !== this.bytes.length) throw new ImageRefusal('trailing-bytes', this.at);
    if (this.frames === 0) throw new ImageRefusal('gif-frames-missing', this.at);
    return { mediaType: 'image/gif', width, height, frames: this.frames };
  }

  private byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw new ImageRefusal('truncated', this.at);
    this.at += 1;
    return value;
  }

  private word(): number {
    return this.byte() | (this.byte() << 8);
  }

  private skip(count: number): void {
    if (this.at + count > this.bytes.length) throw new ImageRefusal('truncated', this.at);
    this.at += count;
  }

  /** Skips the colour table that the flags announce. Returns its number of colours, 0 without one. */
  private colorTable(flags: number): number {
    if ((flags & 0x80) === 0) return 0;
    const colors = 2 << (flags & 7);
    this.skip(3 * colors);
    return colors;
  }

  /** Reads sub-blocks up to their terminator. */
  private blocks(): Uint8Array[] {
    const blocks: Uint8Array[] = [];
    for (;;) {
      const length = this.byte();
      if (length === 0) return blocks;
      const start = this.at;
      this.skip(length);
      blocks.push(this.bytes.subarray(start, this.at));
    }
  }

  private extension(): void {
    const at = this.at;
    const label = this.byte();
    const firstLength = EXTENSION_FIRST_BLOCK.get(label);
    if (firstLength === undefined) throw new ImageRefusal('gif-extension-invalid', at);
    const blocks = this.blocks();
    if (firstLength !== null && blocks[0]?.length !== firstLength) throw new ImageRefusal('gif-extension-invalid', at);
    if (label === 0xf9 && blocks.length !== 1) throw new ImageRefusal('gif-extension-invalid', at);
  }

  private frame(screenWidth: number, screenHeight: number, globalColors: number): void {
    const at = this.at - 1;
    const [left, top, width, height] = [this.word(), this.word(), this.word(), this.word()];
    if (width === 0 || height === 0 || left + width > screenWidth || top + height > screenHeight) {
      throw new ImageRefusal('gif-frame-out-of-bounds', at);
    }
    this.frames += 1;
    this.framePixels += width * height;
    if (this.frames > IMAGE_LIMITS.gifFrames) throw new ImageRefusal('gif-too-many-frames', at);
    if (this.framePixels > IMAGE_LIMITS.gifFramePixels) throw new ImageRefusal('gif-too-many-pixels', at);
    const colors = this.colorTable(this.byte()) || globalColors;
    if (colors === 0) throw new ImageRefusal('gif-palette-missing', at);
    const minimumCodeSize = this.byte();
    if (minimumCodeSize < 2 || minimumCodeSize > 8) throw new ImageRefusal('gif-code-size', this.at - 1);
    const start = this.at;
    checkLzw(this.blocks(), minimumCodeSize, width * height, colors, start);
  }
}
