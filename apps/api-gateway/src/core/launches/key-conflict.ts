import type { Sha256Digest } from '@launch/contracts/primitives';
import { wholeRefusal, type ApiError } from '@launch/http';

/** A key that is bound to other bytes already. @param sent the digest of those that came; @param statusUrl of what the key made. */
export const keyConflict = (sent: Sha256Digest, statusUrl?: string): ApiError =>
  wholeRefusal(
    'IDEMPOTENCY_CONFLICT',
    '',
    { expected: 'the bytes that the key came with first', actual: sent },
    statusUrl === undefined ? {} : { statusUrl },
  );
