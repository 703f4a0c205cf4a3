import { IMAGE_LIMITS } from '@launch/images';
import { describeImage, type ImageDeclaration } from '../builder/launch-image.js';
import { readBoundedFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';

/** The launcher's own image: its place in the source bundle, its bytes and their declaration. */
export interface ImageFile {
  readonly path: string;
  readonly base64: string;
  readonly declaration: ImageDeclaration;
}

/** Reads the file of `--image`. @throws {PackError} if it is no admissible image. */
export function readImageFile(file: string): ImageFile {
  const tooLarge = new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', [
    { path: '--image', message: 'is larger than an image may be' },
  ]);
  const bytes = readBoundedFile(file, '--image', IMAGE_LIMITS.bytes, tooLarge);
  const declaration = describeImage(bytes, '--image');
  return {
    path: `assets/image.${declaration.mediaType === 'image/gif' ? 'gif' : 'png'}`,
    base64: Buffer.from(bytes).toString('base64'),
    declaration,
  };
}
