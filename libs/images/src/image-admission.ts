import { sha256Digest } from '@launch/contracts/primitives';
import { hasGifSignature, readGif } from './gif.reader.js';
import { IMAGE_LIMITS, ImageRefusal, type ImageDeclaration, type ImageFacts, type ImageFault } from './image.types.js';
import { hasPngSignature, readPng } from './png.reader.js';
import type { InflateExactly } from './zlib.inflater.js';

/** A field of the declaration that the bytes contradict. */
export type ImageDeclarationField = keyof ImageDeclaration;

export type ImageFinding =
  | { readonly code: 'IMAGE_INVALID'; readonly reason: ImageFault; readonly offset: number }
  | {
      readonly code: 'IMAGE_MISMATCH';
      readonly reason: ImageDeclarationField;
      readonly expected: string;
      readonly actual: string;
    };

export type ImageInspection =
  | { readonly verdict: 'pass'; readonly image: ImageFacts }
  | { readonly verdict: 'fail'; readonly findings: readonly ImageFinding[] };

/**
 * Judges an image by its bytes alone, independent of its name and declared type. It must be PNG or GIF, at most 2 MiB,
 * 32 to 4,096 pixels per side, and at most 16 megapixels. A GIF has at most 200 frames and 64 megapixels in total.
 * Every byte is checked: checksums, block order, decoded length, no trailing bytes.
 *
 * @param inflate reads a PNG's data: `inflateExactly`, or in Node the faster one of `@launch/images/node`.
 */
export function inspectImage(bytes: Uint8Array, inflate: InflateExactly): ImageInspection {
  try {
    return { verdict: 'pass', image: readImage(bytes, inflate) };
  } catch (error) {
    if (!(error instanceof ImageRefusal)) throw error;
    return { verdict: 'fail', findings: [{ code: 'IMAGE_INVALID', reason: error.fault, offset: error.offset }] };
  }
}

/** Runs `inspectImage` and compares the declaration: every field must equal the value in the bytes. */
export function admitImage(bytes: Uint8Array, declared: ImageDeclaration, inflate: InflateExactly): ImageInspection {
  const inspection = inspectImage(bytes, inflate);
  if (inspection.verdict === 'fail') return inspection;
  const { mediaType, width, height } = inspection.image;
  const actual: ImageDeclaration = {
    mediaType,
    width,
    height,
    byteLength: bytes.length,
    sha256: sha256Digest(bytes),
  };
  const findings = (Object.keys(actual) as ImageDeclarationField[])
    .filter((field) => actual[field] !== declared[field])
    .map((field): ImageFinding => ({
      code: 'IMAGE_MISMATCH',
      reason: field,
      expected: String(actual[field]),
      actual: String(declared[field]),
    }));
  return findings.length > 0 ? { verdict: 'fail', findings } : inspection;
}

function readImage(bytes: Uint8Array, inflate: InflateExactly): ImageFacts {
  if (bytes.length > IMAGE_LIMITS.bytes) throw new ImageRefusal('too-large', IMAGE_LIMITS.bytes);
  if (hasPngSignature(bytes)) return readPng(bytes, inflate);
  if (hasGifSignature(bytes)) return readGif(bytes);
  throw new ImageRefusal('type-unsupported', 0);
}
