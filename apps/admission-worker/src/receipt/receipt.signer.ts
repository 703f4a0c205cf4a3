import { createPrivateKey, sign, type KeyObject } from 'node:crypto';

/** Signs admission's receipts and refusals; custody verifies with the public half and accepts nothing unsigned. */
export interface ReceiptSigner {
  /** Ed25519 over the bytes, base64. */
  sign(bytes: Uint8Array): string;
}

/** @param pem PKCS#8 PEM of an Ed25519 private key. @throws TypeError for any other key. */
export function createReceiptSigner(pem: string): ReceiptSigner {
  const key: KeyObject = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the admission signing key must be Ed25519');
  return { sign: (bytes) => sign(null, bytes, key).toString('base64') };
}
