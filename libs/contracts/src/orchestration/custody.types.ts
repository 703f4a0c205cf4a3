import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { LaunchFamily } from '../states/launch-families.js';

/** The permit between services: decimal strings for integers, lowercase hex for words. */
export interface PermitFields {
  readonly controller: Hex;
  readonly requestHash: Hex;
  readonly contextHash: Hex;
  readonly economicsHash: Hex;
  readonly instructionPolicyHash: Hex;
  readonly graphHash: Hex;
  readonly poolHash: Hex;
  readonly callHash: Hex;
  readonly value: string;
  readonly nonce: string;
  readonly validAfter: string;
  readonly deadline: string;
}

/** A permit of router V1, which also names the execution of the launch. */
export interface PermitFieldsV1 extends PermitFields {
  readonly profile: Hex;
  readonly mode: number;
  readonly stepsHash: Hex;
}

/** A permit of either router. */
export type AnyPermitFields = PermitFields | PermitFieldsV1;

export interface SignedPermit {
  readonly permitDigest: Hex;
  readonly permit: AnyPermitFields;
  /** 65 bytes r, s, v; low s. */
  readonly signature: Hex;
}

export interface SignPermitInput {
  readonly launchId: string;
  /** Absent for multi-role launches. */
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly receiptSha256: Sha256Digest;
  /** Blob of admission's signed reading of the USD reference, if the launch has an initial buy. */
  readonly usdReferenceSha256?: Sha256Digest;
}

export type SignPermitResult =
  | ({ readonly kind: 'signed' } & SignedPermit)
  | {
      readonly kind: 'refused';
      readonly findings: readonly AnyFinding[];
      /** True if custody refused by its own stored decision, which needs no document of admission. */
      readonly decided?: boolean;
    }
  /** Custody decided nothing, because no price reading of this launch is at most 90 s old. */
  | { readonly kind: 'usd-reference-stale' };

/** The launch to refuse and the document that justifies it; `refusalSha256` is null if custody has its own decision. */
export interface RefuseLaunchInput {
  readonly launchId: string;
  readonly requestSha256: Sha256Digest;
  /** Blob of admission's signed refusal. */
  readonly refusalSha256: Sha256Digest | null;
}

/** `digest-exists`: a permit digest was committed earlier, so the nonce stays reserved. */
export type RefuseLaunchResult =
  | { readonly kind: 'refused' }
  | { readonly kind: 'digest-exists'; readonly permitDigest: Hex };

/** The only access to the permit key: Nexus operations, which are idempotent per launch. */
export interface CustodyOperations {
  signPermit(input: SignPermitInput): Promise<SignPermitResult>;
  refuseLaunch(input: RefuseLaunchInput): Promise<RefuseLaunchResult>;
}
