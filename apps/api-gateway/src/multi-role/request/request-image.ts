import { finding, type CreateRequest, type Finding } from '@launch/contracts';
import { admitImage } from '@launch/images';
import { inflateNatively } from '@launch/images/node';

/** The bytes `source.imagePath` names among the additional files; null when there are none or they are no clean base64. */
export function imageBytesOf(request: Pick<CreateRequest, 'source'>): Buffer | null {
  const file = request.source.additionalFiles.find(({ path }) => path === request.source.imagePath);
  if (file === undefined) return null;
  const bytes = Buffer.from(file.base64, 'base64');
  return bytes.toString('base64') === file.base64 ? bytes : null;
}

/** The image must be an admissible PNG or GIF and exactly what its metadata declares; judged by its bytes, never its name. */
export function imageFindings(request: Pick<CreateRequest, 'source' | 'projectMetadata'>): Finding[] {
  const bytes = imageBytesOf(request);
  if (bytes === null)
    return [
      finding('IMAGE_INVALID', '/source/imagePath', {
        expected: 'the path of an additional file with canonical base64',
      }),
    ];
  const inspection = admitImage(bytes, request.projectMetadata.image, inflateNatively);
  if (inspection.verdict === 'pass') return [];
  return inspection.findings.map((one) =>
    one.code === 'IMAGE_INVALID'
      ? finding(one.code, '/source/imagePath', { actual: `${one.reason} at byte ${one.offset}` })
      : finding(one.code, `/projectMetadata/image/${one.reason}`, { expected: one.expected, actual: one.actual }),
  );
}
