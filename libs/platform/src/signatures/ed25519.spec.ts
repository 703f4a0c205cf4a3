import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createEd25519Signer, createEd25519Verifier } from './ed25519.js';

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const BYTES = Buffer.from('a statement');

describe('Ed25519 signatures between services', () => {
  const [old, current, foreign] = [newKey(), newKey(), newKey()].map(createEd25519Signer) as [
    ReturnType<typeof createEd25519Signer>,
    ReturnType<typeof createEd25519Signer>,
    ReturnType<typeof createEd25519Signer>,
  ];
  const verifier = createEd25519Verifier(`${old.publicKey}\n${current.publicKey}`);

  it('accepts every key of the file', () => {
    expect(verifier.verify(BYTES, old.sign(BYTES))).toBe('valid');
    expect(verifier.verify(BYTES, current.sign(BYTES))).toBe('valid');
    expect(verifier.isSignedByAny(BYTES, current.sign(BYTES).signature)).toBe(true);
  });

  it('refuses unknown keys, altered bytes, and a signature under the name of another key', () => {
    const signed = current.sign(BYTES);
    expect(verifier.verify(BYTES, foreign.sign(BYTES))).toBe('unknown-key');
    expect(verifier.verify(Buffer.from('another statement'), signed)).toBe('altered');
    expect(verifier.verify(BYTES, { ...signed, signature: foreign.sign(BYTES).signature })).toBe('altered');
    expect(verifier.verify(BYTES, { ...signed, signature: '' })).toBe('altered');
    expect(verifier.isSignedByAny(BYTES, foreign.sign(BYTES).signature)).toBe(false);
  });

  it('refuses a file without a key, and keys of another kind', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    expect(() => createEd25519Verifier('')).toThrow(TypeError);
    expect(() => createEd25519Verifier(rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString())).toThrow(
      TypeError,
    );
    expect(() => createEd25519Signer(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow(
      TypeError,
    );
  });
});
