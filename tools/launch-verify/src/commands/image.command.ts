import { finding, sha256Digest, type Finding } from '@launch/contracts';
import { inspectImage, type ImageFinding } from '@launch/images';
import { inflateNatively } from '@launch/images/node';
import { verdictOf, type Verdict } from '../verdict.types.js';

/** Admits an image by its bytes; the details are what a request has to declare. */
export function verifyImage(bytes: Uint8Array | null): Verdict {
  if (bytes === null) return verdictOf('image', [finding('IMAGE_INVALID', '', { actual: 'too-large' })], {});
  const inspection = inspectImage(bytes, inflateNatively);
  const measured = { byteLength: bytes.length, sha256: sha256Digest(bytes) };
  if (inspection.verdict === 'fail')
    return verdictOf(
      'image',
      inspection.findings.map((fault) => imageFinding(fault, '')),
      measured,
    );
  return verdictOf('image', [], { ...measured, ...inspection.image });
}

/** An image finding at its place on the wire; a declared field is named below `base`. */
export function imageFinding(fault: ImageFinding, base: string): Finding {
  if (fault.code === 'IMAGE_INVALID')
    return finding(fault.code, base, { actual: `${fault.reason} at byte ${fault.offset}` });
  return finding(fault.code, `${base}/${fault.reason}`, { expected: fault.expected, actual: fault.actual });
}
