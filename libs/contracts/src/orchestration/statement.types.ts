import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { CustomLaunchAssessment } from '../custom-launch/admission-documents.schema.js';
import type { SourceAssessment } from '../multi-role/resource.schema.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';

/** The failure of a write whose row already has a newer statement. */
export const STATEMENT_OUTDATED = 'STATEMENT_OUTDATED';

/**
 * The Ed25519 signature of the service that made a statement. It covers the statement's canonical bytes
 * (`activities/statements.ts`), which name its kind and its launch.
 */
export interface StatementSignature {
  /** Thumbprint of the public key (RFC 7638). */
  readonly keyId: string;
  /** Base64. */
  readonly signature: string;
}

/** The launch or plan of a statement. The verifier takes it from its own row. */
export interface StatedLaunch {
  readonly launchId: string;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly contextHash: Hex;
}

/** A launch or plan after its hand-off. */
export interface StatedHandoff extends StatedLaunch {
  readonly handoffSha256: Sha256Digest;
}

/** The results of admission that the gateway stores. Each is made once, or is replaced by none that is older. */
export type AdmissionOutcome =
  | {
      readonly kind: 'assessed';
      readonly assessment: SourceAssessment | CustomLaunchAssessment;
      readonly findings: readonly AnyFinding[];
    }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'refused'; readonly findings: readonly AnyFinding[] }
  | { readonly kind: 'handed-off'; readonly handoffSha256: Sha256Digest }
  | { readonly kind: 'reverted'; readonly findings: readonly AnyFinding[] };
