import { canonicalKeccak } from '../primitives/digest.js';
import type { Hex } from '../primitives/scalars.schema.js';
import type { CreateRequest } from './create-request.schema.js';

/** Returns the keccak-256 of the canonical JSON of the request without `launchIntentHash` and `attestation`. */
export function launchIntentHash(request: Omit<CreateRequest, 'launchIntentHash' | 'attestation'>): Hex {
  const { launchIntentHash: _hash, attestation: _attestation, ...intent } = request as CreateRequest;
  return canonicalKeccak(intent);
}

/** Returns the client's default idempotency key (docs/reference/requests-and-hashes.md#default-idempotency-keys). */
export const defaultIdempotencyKey = (requestSha256: string): string =>
  `mr-v2-${requestSha256.slice('sha256:'.length)}`;
