import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { LaunchFamily } from '../states/launch-families.js';

/** The permit as it travels: decimal strings for integers, lowercase hex for words. */
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

/** The same of a permit of router V1: with how the launch is carried out. */
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
  /** Blob of admission's signed reading of the USD reference; where the launch has an initial buy. */
  readonly usdReferenceSha256?: Sha256Digest;
}

export type SignPermitResult =
  | ({ readonly kind: 'signed' } & SignedPermit)
  | {
      readonly kind: 'refused';
      readonly findings: readonly AnyFinding[];
      /** True when custody's own decision stands, by which it refuses the launch without anybody's word. */
      readonly decided?: boolean;
    }
  /** Nothing is decided: there is no reading of the price of this launch that is at most 90 s old. */
  | { readonly kind: 'usd-reference-stale' };

/** What custody is asked to refuse, and by which document; `refusalSha256` is null where its own decision stands. */
export interface RefuseLaunchInput {
  readonly launchId: string;
  readonly requestSha256: Sha256Digest;
  /** Blob of admission's signed refusal. */
  readonly refusalSha256: Sha256Digest | null;
}

/** `digest-exists`: a permit digest was committed earlier, so the nonce stays taken for ever. */
export type RefuseLaunchResult =
  | { readonly kind: 'refused' }
  | { readonly kind: 'digest-exists'; readonly permitDigest: Hex };

/** The only door to the permit key; both on `launch-custody`, both idempotent by launch. */
export interface CustodyActivities {
  signPermit(input: SignPermitInput): Promise<SignPermitResult>;
  refuseLaunch(input: RefuseLaunchInput): Promise<RefuseLaunchResult>;
}
