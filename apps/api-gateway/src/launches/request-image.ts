import { finding, sha256Digest, type CreateRequest, type Finding } from '@launch/contracts';

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
  if (bytes === null) return [finding('IMAGE_INVALID', '/source/imagePath', { expected: 'the path of an additional file with canonical base64' })];
  const declared = request.projectMetadata.image;
  const actual = { byteLength: bytes.length, sha256: sha256Digest(bytes) };
  const findings: Finding[] = [];
  for (const [name, value] of Object.entries(actual)) {
    const said = declared[name as keyof typeof actual];
    if (said !== value) findings.push(finding('IMAGE_MISMATCH', `/projectMetadata/image/${name}`, { expected: String(value), actual: String(said) }));
  }
  return findings;
}
