import { canonicalizeJson } from '@launch/contracts/json';
import type { BuilderAttestation, BuildResult, ReviewerPolicy } from '@launch/contracts/modules';
import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from 'viem/utils';

/** Returns the bytes that a builder signs: the document's canonical JSON, which begins with its `schemaVersion`. */
export const buildMessage = (document: BuildResult | BuilderAttestation): Uint8Array => canonicalizeJson(document);

/**
 * Reports whether the policy's builder signed this result or attestation under this policy. A document of another
 * policy fails.
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
    // Strict verification as in RFC 8032 gives each signature one form.
    return ed25519.verify(signature, buildMessage(document), hexToBytes(`0x${key}`), { zip215: false });
  } catch {
    // noble throws for words that are not a point of the curve.
    return false;
  }
}
