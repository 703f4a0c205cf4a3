import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { ed25519Thumbprint } from '@launch/platform';

/** Separates signatures of this service's answers from other uses of the same key. */
export const ANSWER_TAG = 'service-answer-v1';
/** The signed components of an answer and its request: exactly those that are the same at a mirror (RFC 9421, 2). */
export const ANSWER_COMPONENTS = ['"@status"', '"content-type"', '"content-digest"', '"@path";req', '"@query";req'];
/** The label of the signature in both fields. */
const LABEL = 'service';

/** An answer in the form that is signed. */
export interface SignedAnswer {
  readonly status: 200;
  readonly contentType: string;
  readonly contentDigest: string;
  /** The absolute path of the request. */
  readonly path: string;
  /** The query from the question mark on; only the question mark for a request without a query (RFC 9421, 2.2.7). */
  readonly query: string;
}

/** A public key as a JSON Web Key (RFC 8037), with its thumbprint (RFC 7638) as its id. */
export interface VerifyingKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** Returns the `Content-Digest` of bytes (RFC 9530). */
export const contentDigestOf = (bytes: Uint8Array): string =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** Creates a verifying key. @param x the 32 bytes of an Ed25519 public key, base64url. */
export function verifyingKeyOf(x: string): VerifyingKey {
  return { kty: 'OKP', crv: 'Ed25519', x, kid: ed25519Thumbprint(x), alg: 'EdDSA', use: 'sig' };
}

/** Returns the public half of a private key. @throws TypeError for a key that is not Ed25519 */
export function publicHalfOf(key: KeyObject): VerifyingKey {
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519')
    throw new TypeError('the signing key must be Ed25519');
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new TypeError('an Ed25519 key has its public half');
  return verifyingKeyOf(x);
}

/** Returns the fields `Signature-Input` and `Signature` of an answer. @param created Unix seconds */
export function signAnswer(
  answer: SignedAnswer,
  { key, keyId, created }: { readonly key: KeyObject; readonly keyId: string; readonly created: number },
): { readonly signatureInput: string; readonly signature: string } {
  const parameters = `(${ANSWER_COMPONENTS.join(' ')});created=${created};keyid="${keyId}";alg="ed25519";tag="${ANSWER_TAG}"`;
  const signature = sign(null, Buffer.from(signatureBase(answer, parameters)), key).toString('base64');
  return { signatureInput: `${LABEL}=${parameters}`, signature: `${LABEL}=:${signature}:` };
}

/**
 * Returns the signature base (RFC 9421, 2.5): one line per component, then the parameters without a trailing line feed.
 */
function signatureBase(answer: SignedAnswer, parameters: string): string {
  const values = [String(answer.status), answer.contentType, answer.contentDigest, answer.path, answer.query];
  const lines = ANSWER_COMPONENTS.map((component, index) => `${component}: ${values[index]}`);
  return [...lines, `"@signature-params": ${parameters}`].join('\n');
}
