import { generateKeyPairSync } from 'node:crypto';

/** Returns a new pair of Ed25519 keys, PKCS#8 and SPKI PEM, as services sign and verify statements with. */
export const newSigningKey = (): { readonly privateKey: string; readonly publicKey: string } =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
