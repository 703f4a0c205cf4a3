import { z } from 'zod';

/** Path of the public keys that verify signed responses. */
export const ANSWER_KEYS_PATH = '/.well-known/service-answer-keys.json';

const base64url = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** A JSON Web Key Set (RFC 7517): the current signing key first, then earlier and upcoming ones. */
export const answerKeysSchema = z
  .strictObject({
    keys: z
      .array(
        z.strictObject({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          x: base64url,
          kid: base64url.describe('Thumbprint of the key (RFC 7638), the `keyid` of its signatures.'),
          alg: z.literal('EdDSA'),
          use: z.literal('sig'),
        }),
      )
      .min(1)
      .max(17),
  })
  .meta({ id: 'AnswerKeys' });
export type AnswerKeySet = z.infer<typeof answerKeysSchema>;
