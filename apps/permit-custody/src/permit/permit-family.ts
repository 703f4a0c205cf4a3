import type { UsdReferenceDocument } from '@launch/contracts/custom-launch';
import type { AnyFinding } from '@launch/contracts/errors';
import type { RequestSubject } from '@launch/contracts/multi-role';
import type { AnyPermitFields } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import type { ReceiptExpectation } from '../receipt/receipt.findings.js';

/** What a request is judged by, beside its bytes and the pinned contexts. */
export interface Circumstances {
  readonly launchId: string;
  /** The server's clock, unix seconds. */
  readonly nowSeconds: number;
  /** The reading that admission signed; null where there is none. Whether it is of this launch is for the judge to say. */
  readonly usdReference: UsdReferenceDocument | null;
}

export type PermitJudgement =
  /** Bytes that are no request name no nonce to decide about; the same bytes give the same answer for ever. */
  | { readonly kind: 'no-request'; readonly findings: readonly AnyFinding[] }
  | { readonly kind: 'unacceptable'; readonly subject: RequestSubject; readonly findings: readonly AnyFinding[] }
  /** Nothing speaks against the request, and nobody read lately what its buy is worth. */
  | { readonly kind: 'price-unread' }
  | {
      readonly kind: 'acceptable';
      readonly subject: RequestSubject;
      /** What an admission of exactly this request says. */
      readonly receipt: Omit<ReceiptExpectation, 'launchId' | 'requestSha256'>;
      readonly permit: AnyPermitFields;
    };

/** What custody knows of one family of requests: how they are judged, and what is signed for them. */
export interface PermitFamily {
  readonly family: LaunchFamily;
  /** Hash of the context that new requests are bound to. */
  readonly currentHash: Hex;
  /** Hashes of every context that a request may be bound to. */
  readonly acceptedHashes: ReadonlySet<string>;
  /** Where a request names its context. */
  readonly contextPath: string;
  /** Judges a request by its bytes, its circumstances and custody's own configuration alone. */
  judge(bytes: Uint8Array, circumstances: Circumstances): PermitJudgement;
  /** Whose nonce the bytes take; null for bytes that name none. */
  subjectOf(bytes: Uint8Array): RequestSubject | null;
  /** The EIP-712 digest of a permit for the pinned router. */
  digestOf(permit: AnyPermitFields): Hex;
}

/** The families that this custody serves. */
export type PermitFamilies = Readonly<Partial<Record<LaunchFamily, PermitFamily>>>;
