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
    .meta({ description: 'What the key will be for: it is part of the statement. `launches` when absent.' }),
});
export type SignInNonceQuery = z.infer<typeof signInNonceQuerySchema>;

export const signInRequestSchema = z
  .strictObject({
    message: z.string().min(1).max(4_096).describe('The whole EIP-4361 message, exactly as it was signed'),
    signature: walletSignatureSchema,
    purpose: z
      .enum(['modules'])
      .optional()
      .describe(
        'Selects a key for modules, whose nonce was requested with `?purpose=modules`; without it the key is for launches.',
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
