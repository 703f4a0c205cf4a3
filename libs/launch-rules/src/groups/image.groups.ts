import { finding, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import { admitImage, type ImageFinding, type InflateExactly } from '@launch/images';
import type { RuleGroup } from '../judge.js';

export interface ImageFact {
  readonly request: Pick<JudgedRequest, 'projectMetadata'>;
  /** The bytes at `source.imagePath`; null when no additional file has them as canonical base64. */
  readonly image: Uint8Array | null;
  readonly inflate: InflateExactly;
}

/** Where a place tells what is wrong with an image. */
interface ImageTold {
  readonly absent: () => Finding;
  readonly invalid: string;
}

/** The image is an admissible PNG or GIF and exactly what its metadata declares; judged by its bytes, never its name. */
const image = (told: ImageTold): RuleGroup<ImageFact> => ({
  name: 'image',
  find({ request, image: bytes, inflate }) {
    if (bytes === null) return [told.absent()];
    const inspection = admitImage(bytes, request.projectMetadata.image, inflate);
    if (inspection.verdict === 'pass') return [];
    return inspection.findings.map((fault) => imageFinding(fault, told.invalid, '/projectMetadata/image'));
  },
});

/** An image's fault at its place: bytes at `invalid`, a declared field below `declared`. */
export const imageFinding = (fault: ImageFinding, invalid: string, declared: string): Finding =>
  fault.code === 'IMAGE_INVALID'
    ? finding(fault.code, invalid, { actual: `${fault.reason} at byte ${fault.offset}` })
    : finding(fault.code, `${declared}/${fault.reason}`, { expected: fault.expected, actual: fault.actual });

const PATH = '/source/imagePath';
const SERVICE_TOLD: ImageTold = {
  absent: () => finding('IMAGE_INVALID', PATH, { expected: 'the path of an additional file with canonical base64' }),
  invalid: PATH,
};
const OFFLINE_TOLD: ImageTold = {
  absent: () => finding('IMAGE_MISMATCH', PATH, { expected: 'the path of an additional file' }),
  invalid: '/projectMetadata/image',
};

/** As the service tells it. */
export const IMAGE = /* @__PURE__ */ image(SERVICE_TOLD);
/** As `launch-verify` tells it. */
export const IMAGE_OFFLINE = /* @__PURE__ */ image(OFFLINE_TOLD);

/** The declared digest is the manifest's at the image's path; its pixels are the server's to admit. */
export const IMAGE_IN_MANIFEST: RuleGroup<{
  readonly request: Pick<JudgedRequest, 'source' | 'projectMetadata'>;
}> = {
  name: 'image-in-manifest',
  find({ request: { source, projectMetadata } }) {
    const entry = source.manifest.find(({ path }) => path === source.imagePath);
    return entry === undefined || entry.sha256 === projectMetadata.image.sha256
      ? []
      : [finding('IMAGE_MISMATCH', '/projectMetadata/image/sha256', { message: 'is not the digest of the image' })];
  },
};
