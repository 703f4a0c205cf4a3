import { addressSchema, timestampSchema, uuidSchema, walletSignatureSchema } from '@launch/contracts/primitives';
import { z } from 'zod';
import { ALL_SCOPES } from '../../routes/scopes.js';

/** The parts of an EIP-4361 message that the wallet does not choose. */
export const signInNonceSchema = z
  .strictObject({
    schemaVersion: z.literal('service.sign-in-nonce.v1'),
    nonce: z.string(),
    domain: z.string(),
    uri: z.string(),
    version: z.literal('1'),
    chainId: z.literal('4663'),
    statement: z.string(),
    issuedAt: timestampSchema,
    expirationTime: timestampSchema,
  })
  .meta({ id: 'SignInNonce' });
export type SignInNonce = z.infer<typeof signInNonceSchema>;

export const signInNonceQuerySchema = z.strictObject({
  purpose: z
    .enum(['launches', 'modules'])
    .optional()
    .meta({ description: 'The purpose of the key, which becomes part of the statement. Defaults to `launches`.' }),
});
export type SignInNonceQuery = z.infer<typeof signInNonceQuerySchema>;

export const signInRequestSchema = z
  .strictObject({
    message: z.string().min(1).max(4_096).describe('The complete EIP-4361 message, exactly as the wallet signed it.'),
    signature: walletSignatureSchema,
    purpose: z
      .enum(['modules'])
      .optional()
      .describe(
        'Set to `modules` to request a key for modules. The nonce must have been requested with `?purpose=modules`. Without it, the key is for launches.',
      ),
  })
  .meta({ id: 'SignInRequest' });
export type SignInRequest = z.infer<typeof signInRequestSchema>;

/** The new key; only this answer contains its plaintext. */
export const signInKeySchema = z
  .strictObject({
    schemaVersion: z.literal('service.sign-in-key.v1'),
    credentialId: z.string(),
    lineageId: uuidSchema,
    key: z.string(),
    boundController: addressSchema,
    scopes: z.array(z.enum(ALL_SCOPES)),
    chainGrants: z.array(z.literal('4663')),
    expiresAt: timestampSchema,
  })
  .meta({ id: 'SignInKey' });
export type SignInKey = z.infer<typeof signInKeySchema>;
