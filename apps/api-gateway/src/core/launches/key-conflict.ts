import type { Sha256Digest } from '@launch/contracts/primitives';
import { detailedRefusal, type ApiError } from '@launch/http';

/** Makes the error for a key that is bound to other bytes. @param sent the digest of the received bytes. @param statusUrl the resource of the key. */
export const keyConflict = (sent: Sha256Digest, statusUrl?: string): ApiError =>
  detailedRefusal(
    'IDEMPOTENCY_CONFLICT',
    '',
    { expected: 'the bytes that the key came with first', actual: sent },
    statusUrl === undefined ? {} : { statusUrl },
  );
