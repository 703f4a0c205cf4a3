import type { PackConfig } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { inspectImage } from '@launch/images';
import { inflate } from '#inflate';
import { PackError } from '../offline/pack.error.js';

export type ImageDeclaration = PackConfig['projectMetadata']['image'];

/**
 * Returns the declaration of an image from its bytes, by the server's admission rules.
 *
 * @param path place of a refusal: the field or option of the bytes.
 * @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID`
 */
export function describeImage(bytes: Uint8Array, path: string): ImageDeclaration {
  const inspection = inspectImage(bytes, inflate);
  if (inspection.verdict === 'fail') {
    const findings = inspection.findings.map(({ reason }) => ({
      path,
      message: `is not an admissible PNG or GIF: ${reason}`,
    }));
    throw new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', findings);
  }
  const { mediaType, width, height } = inspection.image;
  return { mediaType, width, height, byteLength: bytes.length, sha256: sha256Digest(bytes) };
}
