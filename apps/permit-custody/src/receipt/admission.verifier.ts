import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { signedReceiptSchema, signedRefusalSchema, type LaunchRefusal, type SourceReceipt } from '@launch/contracts';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import type { z } from 'zod';
import { CustodyError, type CustodyErrorCode } from '../custody.error.js';

/**
 * What admission said: documents whose Ed25519 signature over their canonical JSON was verified. Each names its own
 * schema and kind, so that no signature of one makes the other.
 */
export interface AdmissionVerifier {
  /** Throws CustodyError `RECEIPT_UNVERIFIED` for anything but a signed receipt; an unsigned preflight's is none. */
  receipt(bytes: Uint8Array): SourceReceipt;
  /** Throws CustodyError `REFUSAL_UNVERIFIED` for anything but a signed refusal. */
  refusal(bytes: Uint8Array): LaunchRefusal;
}

/** @param pem SPKI PEM of admission's Ed25519 public key. @throws TypeError for any other key. */
export function createAdmissionVerifier(pem: string): AdmissionVerifier {
  const key: KeyObject = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the admission public key must be Ed25519');

  const signedBy = (document: object, signature: string | null): boolean =>
    signature !== null && verify(null, canonicalizeJson(document), key, Buffer.from(signature, 'base64'));

  return {
    receipt(bytes) {
      const { receipt, signature } = parse(signedReceiptSchema, bytes, 'RECEIPT_UNVERIFIED');
      if (!signedBy(receipt, signature)) throw new CustodyError('RECEIPT_UNVERIFIED');
      return receipt;
    },
    refusal(bytes) {
      const { refusal, signature } = parse(signedRefusalSchema, bytes, 'REFUSAL_UNVERIFIED');
      if (!signedBy(refusal, signature)) throw new CustodyError('REFUSAL_UNVERIFIED');
      return refusal;
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
