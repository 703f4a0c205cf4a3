import {
  signedCustomLaunchReceiptSchema,
  signedCustomLaunchRefusalSchema,
  signedUsdReferenceSchema,
  type CustomLaunchRefusal,
  type UsdReferenceDocument,
} from '@launch/contracts/custom-launch';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import { signedReceiptSchema, signedRefusalSchema, type LaunchRefusal } from '@launch/contracts/multi-role';
import type { LaunchFamily } from '@launch/contracts/states';
import { createEd25519Verifier } from '@launch/platform';
import { z } from 'zod';
import { CustodyError, type CustodyErrorCode } from '../custody.error.js';
import type { AnyReceipt } from './receipt.findings.js';

/** A refusal of any family; that of a multi-role launch names none. */
export type AnyRefusal = LaunchRefusal | CustomLaunchRefusal;

const anySignedRefusalSchema = z.union([signedRefusalSchema, signedCustomLaunchRefusalSchema]);

/**
 * Verifies admission's documents by their Ed25519 signature over their canonical JSON. Each contains its own schema and
 * kind, so a signature of one is invalid for another.
 */
export interface AdmissionVerifier {
  /**
   * Throws CustodyError `RECEIPT_UNVERIFIED` unless the bytes are a signed receipt of that family; an unsigned
   * preflight has none.
   */
  receipt(bytes: Uint8Array, family: LaunchFamily): AnyReceipt;
  /** Throws CustodyError `REFUSAL_UNVERIFIED` unless the bytes are a signed refusal. */
  refusal(bytes: Uint8Array): AnyRefusal;
  /** Throws CustodyError `USD_REFERENCE_UNVERIFIED` unless the bytes are a signed reading of the price. */
  usdReference(bytes: Uint8Array): UsdReferenceDocument;
}

/** @param pem admission's Ed25519 public keys, SPKI PEM. @throws TypeError for any other key. */
export function createAdmissionVerifier(pem: string): AdmissionVerifier {
  const keys = createEd25519Verifier(pem);

  const signedBy = (document: object, signature: string | null): boolean =>
    signature !== null && keys.isSignedByAny(canonicalizeJson(document), signature);

  return {
    receipt(bytes, family) {
      const schema: z.ZodType<{ receipt: AnyReceipt; signature: string | null }> =
        family === 'multi-role.v2' ? signedReceiptSchema : signedCustomLaunchReceiptSchema;
      const { receipt, signature } = parse(schema, bytes, 'RECEIPT_UNVERIFIED');
      if (!signedBy(receipt, signature)) throw new CustodyError('RECEIPT_UNVERIFIED');
      return receipt;
    },
    refusal(bytes) {
      const { refusal, signature } = parse(anySignedRefusalSchema, bytes, 'REFUSAL_UNVERIFIED');
      if (!signedBy(refusal, signature)) throw new CustodyError('REFUSAL_UNVERIFIED');
      return refusal;
    },
    usdReference(bytes) {
      const { usdReference, signature } = parse(signedUsdReferenceSchema, bytes, 'USD_REFERENCE_UNVERIFIED');
      if (!signedBy(usdReference, signature)) throw new CustodyError('USD_REFERENCE_UNVERIFIED');
      return usdReference;
    },
  };
}

function parse<T>(schema: z.ZodType<T>, bytes: Uint8Array, code: CustodyErrorCode): T {
  try {
    return schema.parse(assertCanonicalJson(bytes));
  } catch (cause) {
    throw new CustodyError(code, { cause });
  }
}
