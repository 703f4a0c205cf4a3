import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { signedReceiptSchema, type SourceReceipt } from '@launch/contracts';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import { CustodyError } from '../custody.error.js';

export interface ReceiptVerifier {
  /**
   * The receipt inside stored bytes, once admission's Ed25519 signature over its canonical JSON was verified.
   * Throws CustodyError `RECEIPT_UNVERIFIED` for anything else, an unsigned preflight's included.
   */
  verified(bytes: Uint8Array): SourceReceipt;
}

/** @param pem SPKI PEM of admission's Ed25519 public key. @throws TypeError for any other key. */
export function createReceiptVerifier(pem: string): ReceiptVerifier {
  const key: KeyObject = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the admission public key must be Ed25519');
  return {
    verified(bytes) {
      const { receipt, signature } = parse(bytes);
      if (signature === null || !verify(null, canonicalizeJson(receipt), key, Buffer.from(signature, 'base64'))) {
        throw new CustodyError('RECEIPT_UNVERIFIED');
      }
      return receipt;
    },
  };
}

function parse(bytes: Uint8Array): ReturnType<typeof signedReceiptSchema.parse> {
  try {
    return signedReceiptSchema.parse(assertCanonicalJson(bytes));
  } catch (cause) {
    throw new CustodyError('RECEIPT_UNVERIFIED', { cause });
  }
}
