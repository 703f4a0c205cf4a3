import { createEd25519Verifier, textFile, type Ed25519Verifier } from '@launch/platform';
import { z } from 'zod';

/** Reads a file of one or more Ed25519 public keys, SPKI PEM. */
export const publicKeyFile = () =>
  textFile().transform((pem, context): Ed25519Verifier => {
    try {
      return createEd25519Verifier(pem);
    } catch {
      context.addIssue({ code: 'custom', message: 'names a file without Ed25519 public keys in SPKI PEM' });
      return z.NEVER;
    }
  });
