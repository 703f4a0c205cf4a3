import { finding } from '@launch/contracts/errors';
import { sha256Digest } from '@launch/contracts/primitives';
import { inspectImage } from '@launch/images';
import { inflateNatively } from '@launch/images/node';
import { imageFinding } from '@launch/launch-rules';
import { verdictOf, type Verdict } from '../verdict.types.js';

/** Admits an image by its bytes. The details are the declaration that a request needs. */
export function verifyImage(bytes: Uint8Array | null): Verdict {
  if (bytes === null) return verdictOf('image', [finding('IMAGE_INVALID', '', { actual: 'too-large' })], {});
  const inspection = inspectImage(bytes, inflateNatively);
  const measured = { byteLength: bytes.length, sha256: sha256Digest(bytes) };
  if (inspection.verdict === 'fail')
    return verdictOf(
      'image',
      inspection.findings.map((fault) => imageFinding(fault, '', '')),
      measured,
    );
  return verdictOf('image', [], { ...measured, ...inspection.image });
}
