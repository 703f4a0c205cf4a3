import type { BlobStore } from '@launch/blob-store';
import type { JudgedLaunch } from '@launch/chain/sources';
import type { Sha256Digest } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';

/**
 * Stores what a launch was judged by, under the digests that its row names: the verification's is the record's
 * `verificationDigest`.
 * @returns the digest of the evidence, by which everybody judges it again.
 */
export async function storeEvidence(
  blobs: Pick<BlobStore, 'put'>,
  { documents: { verification, evidence } }: JudgedLaunch,
): Promise<Sha256Digest> {
  await blobs.put(canonicalizeJson(verification));
  return blobs.put(canonicalizeJson(evidence));
}
