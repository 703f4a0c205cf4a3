import { createPrivateKey, sign, type KeyObject } from 'node:crypto';

/**
 * Signs admission's receipts and refusals. Custody verifies them with the public key and accepts no unsigned document.
 */
export interface ReceiptSigner {
  /** Returns the Ed25519 signature over the bytes, base64. */
  sign(bytes: Uint8Array): string;
}

/** @param pem PKCS#8 PEM of an Ed25519 private key. @throws TypeError for any other key. */
export function createReceiptSigner(pem: string): ReceiptSigner {
  const key: KeyObject = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the admission signing key must be Ed25519');
  return { sign: (bytes) => sign(null, bytes, key).toString('base64') };
}
