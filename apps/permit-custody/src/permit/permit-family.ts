import type { UsdReferenceDocument } from '@launch/contracts/custom-launch';
import type { AnyFinding } from '@launch/contracts/errors';
import type { RequestSubject } from '@launch/contracts/multi-role';
import type { AnyPermitFields } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import type { ReceiptExpectation } from '../receipt/receipt.findings.js';

/** The inputs of a judgement besides the request's bytes and the pinned contexts. */
export interface Circumstances {
  readonly launchId: string;
  /** The server's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** The reading that admission signed; null without one. The judge checks that it belongs to this launch. */
  readonly usdReference: UsdReferenceDocument | null;
}

export type PermitJudgement =
  /** The bytes are not a request and name no nonce to decide about; the same bytes always give the same answer. */
  | { readonly kind: 'no-request'; readonly findings: readonly AnyFinding[] }
  | { readonly kind: 'unacceptable'; readonly subject: RequestSubject; readonly findings: readonly AnyFinding[] }
  /** The request passes, but there is no recent reading of its buy's value. */
  | { readonly kind: 'price-unread' }
  | {
      readonly kind: 'acceptable';
      readonly subject: RequestSubject;
      /** The required contents of an admission receipt for exactly this request. */
      readonly receipt: Omit<ReceiptExpectation, 'launchId' | 'requestSha256'>;
      readonly permit: AnyPermitFields;
    };

/** Custody's rules for one family of requests: their judgement and their permits. */
export interface PermitFamily {
  readonly family: LaunchFamily;
  /** Hash of the context that new requests are bound to. */
  readonly currentHash: Hex;
  /** Hashes of every context that a request may be bound to. */
  readonly acceptedHashes: ReadonlySet<string>;
  /** The JSON pointer to the context in a request. */
  readonly contextPath: string;
  /** Judges a request by its bytes, its circumstances and custody's own configuration alone. */
  judge(bytes: Uint8Array, circumstances: Circumstances): PermitJudgement;
  /** Returns the nonce's owner, or null for bytes that name none. */
  subjectOf(bytes: Uint8Array): RequestSubject | null;
  /** Returns the EIP-712 encoding of a permit for the pinned router; its keccak256 is the permit's digest. */
  encodingOf(permit: AnyPermitFields): Hex;
}

/** The families that this custody serves. */
export type PermitFamilies = Readonly<Partial<Record<LaunchFamily, PermitFamily>>>;
