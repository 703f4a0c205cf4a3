import { bytes32Schema, uuidSchema } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';

/** Reads a launch id from a path. @throws ApiError `NOT_FOUND`: a malformed id names nothing. */
export function launchIdFrom(text: string): string {
  if (!uuidSchema.safeParse(text).success) throw new ApiError('NOT_FOUND');
  return text;
}

/** No row has it. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Reads an id from a path. A malformed one becomes an id that no row has, so it is refused like an absent one, and as late. */
export const idOrNil = (text: string): string => (uuidSchema.safeParse(text).success ? text : NIL_ID);

/** Reads a router launch id from a path. @throws ApiError `NOT_FOUND` */
export function onchainIdFrom(text: string): string {
  if (!bytes32Schema.safeParse(text).success) throw new ApiError('NOT_FOUND');
  return text;
}

/** Reads the bare hex of a SHA-256 from a path and returns it as a digest. @throws ApiError `NOT_FOUND` */
export function imageDigestFrom(hex: string): `sha256:${string}` {
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new ApiError('NOT_FOUND');
  return `sha256:${hex}`;
}
