import { sha256Digest } from '@launch/contracts/primitives';
import { LaunchClientError } from './launch-client.error.js';

/** @throws {LaunchClientError} `RESPONSE_NOT_OF_REQUEST` for bytes with another SHA-256 than `digest` */
export function requireDigest(
  { status, bytes }: { readonly status: number; readonly bytes: Uint8Array },
  digest: string,
  message: string,
): void {
  if (sha256Digest(bytes) === digest) return;
  const findings = [{ path: '', message: 'has other bytes than the digest names' }];
  throw new LaunchClientError('RESPONSE_NOT_OF_REQUEST', message, { status, findings });
}
