import { canonicalJsonText } from '@launch/contracts/json';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { NewLaunch } from './launch.repository.js';

/** The members of a judged body that a reservation keeps, in any family. */
interface ReservedForm {
  readonly launchWallet: Hex;
  readonly nonce: string;
  readonly requestHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
  readonly permitWindow: { readonly validAfter: string; readonly deadline: string };
}

/** A judged request without a fault, and the context that it was judged by. */
interface Reservable {
  readonly form: ReservedForm;
  readonly digest: Sha256Digest;
  readonly against: {
    readonly router: Hex;
    readonly contextHash: Hex;
    /** Canonical JSON of the context. */
    readonly text: string;
  };
}

/**
 * Returns the launch to reserve for a judged request without a fault.
 * @param summary the members that the resource repeats from the request; null in a family that repeats none.
 */
export const newLaunchOf = (
  { form, digest, against }: Reservable,
  image: Uint8Array,
  summary: object | null,
): NewLaunch => ({
  controller: form.launchWallet,
  router: against.router,
  nonce: form.nonce,
  requestSha256: digest,
  requestHash: form.requestHash,
  artifactHash: form.artifactHash,
  onchainLaunchId: form.onchainLaunchId,
  contextHash: against.contextHash,
  contextText: against.text,
  validAfter: BigInt(form.permitWindow.validAfter),
  deadline: BigInt(form.permitWindow.deadline),
  imageSha256: sha256Digest(image),
  summary: summary === null ? null : canonicalJsonText(summary),
});
