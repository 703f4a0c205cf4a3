import type { BlobReader } from '@launch/blob-store';
import { canonicalKeccak, createRequestSchema, keccak256Hex, type CreateRequest } from '@launch/contracts';
import { assertCanonicalJson } from '@launch/contracts/json';
import type { LaunchRef } from '@launch/contracts/orchestration';
import { AdmissionError } from '../admission.error.js';

export interface RequestLoader {
  /** The request a reference names, parsed from bytes that were hashed again on the way. */
  load(ref: LaunchRef): Promise<CreateRequest>;
}

const KEPT = 4;

/**
 * Reads requests from the blob store and keeps the last few parsed. The steps of one launch follow each other: parsing
 * 16 MiB five times would be waste.
 */
export function createRequestLoader(blobs: BlobReader): RequestLoader {
  const recent = new Map<string, CreateRequest>();
  const read = async (ref: LaunchRef): Promise<CreateRequest> => {
    const known = recent.get(ref.requestHash);
    if (known !== undefined) return known;
    const bytes = await blobs.get(ref.requestSha256);
    if (keccak256Hex(bytes) !== ref.requestHash)
      throw new AdmissionError('REQUEST_HASH_MISMATCH', 'the stored bytes are another request');
    const request = createRequestSchema.parse(assertCanonicalJson(bytes));
    recent.set(ref.requestHash, request);
    const [oldest] = recent.keys();
    if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest);
    return request;
  };
  return {
    async load(ref) {
      const request = await read(ref);
      // Hand-offs name the reference's context; each step judges by the request's own.
      if (canonicalKeccak(request.context) !== ref.contextHash)
        throw new AdmissionError('REQUEST_HASH_MISMATCH', 'the request is of another context');
      return request;
    },
  };
}
