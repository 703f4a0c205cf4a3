import type { InputOf, Operation } from '@launch/api-client';
import { LIMITS } from '@launch/contracts/primitives';
import { requireDigest } from './digest.js';
import type { Service } from './service.js';

type RequestRead = 'getCustomLaunchRequest' | 'getLaunchRequest' | 'getPlanRequest';

/**
 * Reads the request of a resource byte for byte as the service received it.
 * @param requestSha256 the digest in the resource
 * @throws {LaunchClientError} `RESPONSE_NOT_OF_REQUEST` for other bytes than the digest names
 */
export async function readRequest<Id extends RequestRead>(
  service: Service,
  operation: Operation<Id>,
  input: InputOf<Id>,
  requestSha256: string,
): Promise<Uint8Array> {
  const answer = await service.call(operation, input, undefined, { bytes: LIMITS.requestBytes });
  requireDigest(answer, requestSha256, 'the bytes are not the request of the resource');
  return answer.bytes;
}
