import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** A signature of one service that another one verifies. */
export interface Ed25519Signature {
  /** Thumbprint of the public key (RFC 7638). */
  readonly keyId: string;
  /** Base64. */
  readonly signature: string;
}

export interface Ed25519Signer {
  /** PEM of the public half. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Ed25519Signature;
}

export interface Ed25519Verifier {
  verify(bytes: Uint8Array, signature: Ed25519Signature): 'valid' | 'unknown-key' | 'altered';
  /** Verifies the signature of a document that names no key. */
  isSignedByAny(bytes: Uint8Array, signature: string): boolean;
}

const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/** Returns the thumbprint of a public key (RFC 7638). @param x its 32 bytes, base64url. */
export const ed25519Thumbprint = (x: string): string =>
  // The members are in lexicographic order without white space.
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

/** @param pem PKCS#8 PEM of an Ed25519 private key. @throws TypeError for any other key. */
export function createEd25519Signer(pem: string): Ed25519Signer {
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key);
  const keyId = keyIdOf(publicKey);
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (bytes) => ({ keyId, signature: sign(null, bytes, key).toString('base64') }),
  };
}

/**
 * Accepts signatures of several keys, so that a key can be rotated.
 * @param pem one or more Ed25519 public keys, SPKI PEM. @throws TypeError for any other key, or for none.
 */
export function createEd25519Verifier(pem: string): Ed25519Verifier {
  const keys = new Map((pem.match(PUBLIC_KEY) ?? []).map(createPublicKey).map((key) => [keyIdOf(key), key]));
  if (keys.size === 0) throw new TypeError('a public key file needs an Ed25519 key in SPKI PEM');
  const isValid = (bytes: Uint8Array, signature: string, key: KeyObject): boolean =>
    verify(null, bytes, key, Buffer.from(signature, 'base64'));
  return {
    verify(bytes, { keyId, signature }) {
      const key = keys.get(keyId);
      if (key === undefined) return 'unknown-key';
      return isValid(bytes, signature, key) ? 'valid' : 'altered';
    },
    isSignedByAny: (bytes, signature) => [...keys.values()].some((key) => isValid(bytes, signature, key)),
  };
}

function keyIdOf(key: KeyObject): string {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the key must be Ed25519');
  const { x } = key.export({ format: 'jwk' });
  if (x === undefined) throw new TypeError('an Ed25519 key has its public half');
  return ed25519Thumbprint(x);
}
