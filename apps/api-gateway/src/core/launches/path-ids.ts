import { bytes32Schema, uuidSchema } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';

/** A launch id from a path. @throws ApiError `NOT_FOUND`: a malformed id names nothing. */
export function launchIdFrom(text: string): string {
  if (!uuidSchema.safeParse(text).success) throw new ApiError('NOT_FOUND');
  return text;
}

/** A router launch id from a path. @throws ApiError `NOT_FOUND` */
export function onchainIdFrom(text: string): string {
  if (!bytes32Schema.safeParse(text).success) throw new ApiError('NOT_FOUND');
  return text;
}

/** The bare hex of a SHA-256 from a path, as a digest. @throws ApiError `NOT_FOUND` */
export function imageDigestFrom(hex: string): `sha256:${string}` {
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new ApiError('NOT_FOUND');
  return `sha256:${hex}`;
}
