import { finding, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import { admitImage, type ImageFinding, type InflateExactly } from '@launch/images';
import type { RuleGroup } from '../judge.js';

export interface ImageFact {
  readonly request: Pick<JudgedRequest, 'projectMetadata'>;
  /** The bytes at `source.imagePath`; null if no additional file contains them as canonical base64. */
  readonly image: Uint8Array | null;
  readonly inflate: InflateExactly;
}

/** The paths at which a place reports faults of an image. */
interface ImagePaths {
  readonly absent: () => Finding;
  readonly invalid: string;
}

/** Requires an admissible PNG or GIF that equals its declared metadata; judged by its bytes, never by its name. */
const image = (paths: ImagePaths): RuleGroup<ImageFact> => ({
  name: 'image',
  find({ request, image: bytes, inflate }) {
    if (bytes === null) return [paths.absent()];
    const inspection = admitImage(bytes, request.projectMetadata.image, inflate);
    if (inspection.verdict === 'pass') return [];
    return inspection.findings.map((fault) => imageFinding(fault, paths.invalid, '/projectMetadata/image'));
  },
});

/** Builds the finding of an image's fault: bytes at `invalid`, a declared field below `declared`. */
export const imageFinding = (fault: ImageFinding, invalid: string, declared: string): Finding =>
  fault.code === 'IMAGE_INVALID'
    ? finding(fault.code, invalid, { actual: `${fault.reason} at byte ${fault.offset}` })
    : finding(fault.code, `${declared}/${fault.reason}`, { expected: fault.expected, actual: fault.actual });

const PATH = '/source/imagePath';
const SERVICE_PATHS: ImagePaths = {
  absent: () => finding('IMAGE_INVALID', PATH, { expected: 'the path of an additional file with canonical base64' }),
  invalid: PATH,
};
const OFFLINE_PATHS: ImagePaths = {
  absent: () => finding('IMAGE_MISMATCH', PATH, { expected: 'the path of an additional file' }),
  invalid: '/projectMetadata/image',
};

/** The rule with the findings of the service. */
export const IMAGE = /* @__PURE__ */ image(SERVICE_PATHS);
/** The rule with the findings of `launch-verify`. */
export const IMAGE_OFFLINE = /* @__PURE__ */ image(OFFLINE_PATHS);

/** Requires the manifest's digest at the image's path; only the server judges the pixels. */
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
