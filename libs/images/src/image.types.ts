/** Bounds of an admitted image. Pixels count per frame; a megapixel is 1,000,000. */
export const IMAGE_LIMITS = Object.freeze({
  bytes: 2 * 1024 * 1024,
  minSide: 32,
  maxSide: 4096,
  pixels: 16_000_000,
  gifFrames: 200,
  gifFramePixels: 64_000_000,
});

export type ImageMediaType = 'image/png' | 'image/gif';

/** The properties in the bytes themselves. `frames` is 1 for PNG. */
export interface ImageFacts {
  readonly mediaType: ImageMediaType;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** A request's declaration of its image; `byteLength` in bytes, `sha256` as `sha256:` and 64 hex digits. */
export interface ImageDeclaration {
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  readonly byteLength: number;
  readonly sha256: string;
}

export type ImageFault =
  | 'too-large'
  | 'type-unsupported'
  | 'truncated'
  | 'trailing-bytes'
  | 'side-out-of-range'
  | 'too-many-pixels'
  | 'png-chunk-length'
  | 'png-chunk-type'
  | 'png-chunk-crc'
  | 'png-chunk-order'
  | 'png-chunk-duplicate'
  | 'png-chunk-unknown-critical'
  | 'png-chunk-invalid'
  | 'png-animated'
  | 'png-header-invalid'
  | 'png-palette-invalid'
  | 'png-data-missing'
  | 'png-data-corrupt'
  | 'png-data-too-long'
  | 'png-data-too-short'
  | 'png-data-checksum'
  | 'png-data-trailing'
  | 'png-filter-invalid'
  | 'gif-block-unknown'
  | 'gif-extension-invalid'
  | 'gif-frame-out-of-bounds'
  | 'gif-frames-missing'
  | 'gif-too-many-frames'
  | 'gif-too-many-pixels'
  | 'gif-palette-missing'
  | 'gif-palette-index'
  | 'gif-code-size'
  | 'gif-code-invalid'
  | 'gif-data-too-long'
  | 'gif-data-too-short'
  | 'gif-data-trailing';

/** The fault at which reading an image stopped, and its byte offset. */
export class ImageRefusal extends Error {
  override readonly name = 'ImageRefusal';

  constructor(
    readonly fault: ImageFault,
    readonly offset: number,
  ) {
    super(`${fault} at byte ${offset}`);
  }
}
