import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { ed25519KeyOf, type BuilderAttestation, type BuildResult } from '@launch/contracts/modules';
import { buildMessage } from '@launch/evm';

/** The builder's authority: its only key. */
export interface BuildSigner {
  /** `ed25519:` and the public half in hex, as a policy names it. */
  readonly publicKey: string;
  /** Returns the Ed25519 signature over the document's canonical JSON, 64 bytes in hex. */
  sign(document: BuildResult | BuilderAttestation): string;
}

/** @param pem PKCS#8 PEM of an Ed25519 private key. @throws TypeError for any other key. */
export function createBuildSigner(pem: string): BuildSigner {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the build signing key must be Ed25519');
  return {
    publicKey: ed25519KeyOf(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()),
    sign: (document) => sign(null, buildMessage(document), key).toString('hex'),
  };
}
