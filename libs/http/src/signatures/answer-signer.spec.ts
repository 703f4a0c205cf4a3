import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AnswerSigner } from './answer-signer.js';
import { contentDigestOf, publicHalfOf, signAnswer, verifyingKeyOf } from './message-signature.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a signed answer', () => {
  it('names its key by the thumbprint of RFC 8037, A.3', () => {
    expect(verifyingKeyOf('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo').kid).toBe(
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    );
  });

  it('has the digest of RFC 9530', () => {
    // From its appendix B.1.
    expect(contentDigestOf(bytes('{"hello": "world"}\n'))).toBe(
      'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
    );
  });

  it('is the same for the same key and time, because Ed25519 is deterministic', () => {
    // The test key of RFC 9421, B.1.4.
    const key = createPrivateKey(
      '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n',
    );
    const answer = {
      status: 200,
      contentType: 'application/json',
      contentDigest: contentDigestOf(bytes('{}')),
      path: '/feed',
      query: '?',
    } as const;
    const half = publicHalfOf(key);
    expect(half.x).toBe('JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs');
    const signed = { key, keyId: half.kid, created: 1 };
    expect(signAnswer(answer, signed)).toEqual(signAnswer(answer, signed));
    expect(signAnswer(answer, signed).signatureInput).toBe(
      `service=("@status" "content-type" "content-digest" "@path";req "@query";req);created=1;keyid="${half.kid}";alg="ed25519";tag="service-answer-v1"`,
    );
  });

  it('refuses any other kind of key', () => {
    for (const key of [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      generateKeyPairSync('ed25519').publicKey,
    ])
      expect(() => new AnswerSigner({ key, others: [] })).toThrow(TypeError);
  });
});
