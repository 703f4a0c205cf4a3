import { createPrivateKey } from 'node:crypto';
import type { AnswerKeys, VerifyingKey } from '@launch/http';
import { publicHalfOf, verifyingKeyOf } from '@launch/http';
import { secretTextFile } from '@launch/platform';
import { z } from 'zod';

const MAX_OTHERS = 16;

/** Reads a file that contains the PKCS#8 PEM of the Ed25519 key that signs answers. */
export const answerKeyFile = () =>
  secretTextFile().transform((pem, context): AnswerKeys['key'] => {
    try {
      const key = createPrivateKey(pem.reveal());
      publicHalfOf(key);
      return key;
    } catch {
      // The cause is dropped: an error about a private key could quote it.
      context.addIssue({ code: 'custom', message: 'names a file that is no Ed25519 key in PKCS#8 PEM' });
      return z.NEVER;
    }
  });

/** Earlier or future public signing keys, as a JSON Web Key Set. Unneeded members are ignored. */
export const otherAnswerKeysSchema = z
  .object({
    keys: z
      .array(
        z.object({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          x: z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/),
        }),
      )
      .max(MAX_OTHERS),
  })
  .transform(({ keys }): readonly VerifyingKey[] => keys.map(({ x }) => verifyingKeyOf(x)));
