import { canonicalizeJson } from '@launch/contracts/json';
import type { BuilderAttestation, BuildResult, ReviewerPolicy } from '@launch/contracts/modules';
import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from 'viem/utils';

/** The bytes that a builder signs: the document's canonical JSON, which its `schemaVersion` begins. */
export const buildMessage = (document: BuildResult | BuilderAttestation): Uint8Array => canonicalizeJson(document);

/**
 * Whether the policy's builder signed this result or attestation, under this policy. Another policy's document is not.
 * @param signature 64 bytes in hex.
 */
export function verifyBuilderSignature(
  document: BuildResult | BuilderAttestation,
  signature: string,
  policy: { readonly document: Pick<ReviewerPolicy, 'workerPublicKey'>; readonly digest: string },
): boolean {
  if (document.reviewerPolicyDigest !== policy.digest || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const key = policy.document.workerPublicKey.slice('ed25519:'.length);
  try {
    // Strict as RFC 8032: one signature has one form.
    return ed25519.verify(signature, buildMessage(document), hexToBytes(`0x${key}`), { zip215: false });
  } catch {
    // Words that are no point of the curve: noble throws where there is nothing to compare.
    return false;
  }
}
