import type { BlobStore } from '@launch/blob-store';
import {
  launchRefusalSchema,
  refusalCodesSchema,
  requestSubjectOf,
  sha256DigestSchema,
  bytes32Schema,
  uuidSchema,
  type LaunchRefusal,
} from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import type { IssuedRefusal, RefusalInput } from '@launch/contracts/orchestration';
import { z } from 'zod';
import { AdmissionError } from '../admission.error.js';
import type { ReceiptSigner } from './receipt.signer.js';

export const refusalInputSchema = z.strictObject({
  launchId: uuidSchema,
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  codes: refusalCodesSchema,
});

/**
 * Signs that a launch gets no permit. The controller and its nonce come from the request's own bytes, of which no more
 * is judged. A launch has to be refusable for a request that a step could not read. No row is kept: signing the same
 * refusal again makes the same bytes.
 * @throws AdmissionError `REQUEST_HASH_MISMATCH` for bytes that are another request, or none.
 */
export async function issueRefusal(
  deps: { readonly blobs: BlobStore; readonly signer: ReceiptSigner },
  input: RefusalInput,
): Promise<IssuedRefusal> {
  const { launchId, requestSha256, requestHash, codes } = refusalInputSchema.parse(input);
  const subject = requestSubjectOf(await deps.blobs.get(requestSha256));
  if (subject === null || subject.requestHash !== requestHash)
    throw new AdmissionError('REQUEST_HASH_MISMATCH', 'the stored bytes are another request');
  const refusal = launchRefusalSchema.parse({
    schemaVersion: 'service.multi-role-launch-refusal.v2',
    kind: 'refusal',
    launchId,
    requestSha256,
    ...subject,
    codes: [...new Set(codes)],
  } satisfies LaunchRefusal);
  const signature = deps.signer.sign(canonicalizeJson(refusal));
  return { refusalSha256: await deps.blobs.put(canonicalizeJson({ refusal, signature })) };
}
