import type { CreateRequest } from '@launch/contracts/multi-role';

/** Returns the bytes that `source.imagePath` names among the additional files; null when they are absent or not valid base64. */
export function imageBytesOf(request: Pick<CreateRequest, 'source'>): Buffer | null {
  const file = request.source.additionalFiles.find(({ path }) => path === request.source.imagePath);
  if (file === undefined) return null;
  const bytes = Buffer.from(file.base64, 'base64');
  return bytes.toString('base64') === file.base64 ? bytes : null;
}
