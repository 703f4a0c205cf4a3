import type { Finding } from './launch-ref.types.js';

/** The permit as it travels: decimal strings for integers, lowercase hex for words. */
export interface PermitFields {
  readonly controller: string;
  readonly requestHash: string;
  readonly contextHash: string;
  readonly economicsHash: string;
  readonly instructionPolicyHash: string;
  readonly graphHash: string;
  readonly poolHash: string;
  readonly callHash: string;
  readonly value: string;
  readonly nonce: string;
  readonly validAfter: string;
  readonly deadline: string;
}

export interface SignedPermit {
  readonly permitDigest: string;
  readonly permit: PermitFields;
  /** 65 bytes r, s, v; low s. */
  readonly signature: string;
}

export interface SignPermitInput {
  readonly launchId: string;
  readonly requestSha256: string;
  readonly receiptSha256: string;
}

export type SignPermitResult =
  | ({ readonly kind: 'signed' } & SignedPermit)
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

export interface RefuseLaunchInput {
  readonly launchId: string;
  readonly requestSha256: string;
  readonly requestHash: string;
  readonly controller: string;
  readonly nonce: string;
  readonly router: string;
  readonly reasonCodes: readonly string[];
}

/** `digest-exists`: a permit digest was committed earlier, so the nonce stays taken for ever. */
export type RefuseLaunchResult = { readonly kind: 'refused' } | { readonly kind: 'digest-exists'; readonly permitDigest: string };

/** The only door to the permit key; both on `launch-custody`, both idempotent by launch. */
export interface CustodyActivities {
  signPermit(input: SignPermitInput): Promise<SignPermitResult>;
  refuseLaunch(input: RefuseLaunchInput): Promise<RefuseLaunchResult>;
}
